// Bytes as text that every JSON reader takes: RFC 4648 base64 with padding. Used by store/result_file and
// report/html_page.
#pragma once

#include <string>
#include <string_view>

namespace icount {

/// Four characters for every three bytes begun.
std::string to_base64(std::string_view bytes);

/// The bytes back. Error{kMalformed} beginning with `name` for anything else than padded base64 without blanks.
std::string from_base64(std::string_view text, std::string_view name);

}  // namespace icount
