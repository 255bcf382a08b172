// Indentation of code in definitions: a block may be indented with the text around it. The rules are Python's
// textwrap.dedent, because definitions hold Python as well and the ancestor's texts must come out the same.
#pragma once

#include <string>
#include <string_view>

namespace icount {

/// Removes the leading blanks and tabs that all lines share; lines of blanks and tabs alone become empty and don't count.
std::string dedent(std::string_view text);

/// dedent, then white space at both ends removed.
std::string dedent_and_strip(std::string_view text);

/// `prefix` before every line that is not blank.
std::string indent(std::string_view text, std::string_view prefix);

}  // namespace icount
