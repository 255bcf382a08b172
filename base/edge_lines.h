// The first or last line of what a program printed: what a message of one line quotes.
#pragma once

#include <string>
#include <string_view>

namespace icount {

/// Without blanks at its ends; empty for an empty text.
std::string first_line(std::string_view text);

/// The last line that is not blank, without blanks at its ends; empty when there is none.
std::string last_line(std::string_view text);

}  // namespace icount
