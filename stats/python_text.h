// Text operations with exactly Python's meaning, which PyTorch's texts are made of: dedent, splitlines,
// strip, indent, center. Widths count code points; what white space and line ends are is Unicode's business,
// not the locale's.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// textwrap.dedent of Python 3.11: lines of blanks and tabs only become empty and do not count, the longest
/// common leading run of blanks and tabs of the others is removed. Lines end at LF only.
std::string python_dedent(std::string_view text);

/// str.splitlines: LF, CR, CR LF, VT, FF, FS, GS, RS, NEL, LS and PS end a line. With `keep_ends` each line
/// holds its end.
std::vector<std::string_view> python_splitlines(std::string_view text, bool keep_ends = false);

/// str.strip and str.rstrip: all Unicode white space.
std::string_view python_strip(std::string_view text);
std::string_view python_rstrip(std::string_view text);

/// textwrap.indent: `prefix` before each line (as splitlines sees lines) that holds more than white space.
std::string python_indent(std::string_view text, std::string_view prefix);

/// str.center, str.ljust and str.rjust; a text that is wider already stays as it is.
std::string python_center(std::string_view text, size_t width, char fill = ' ');
std::string python_ljust(std::string_view text, size_t width, char fill = ' ');
std::string python_rjust(std::string_view text, size_t width, char fill = ' ');

/// text[from:to] in code points, both from the left, clipped at the end.
std::string_view code_points(std::string_view text, size_t from, size_t to);

/// Number of code points; a byte that is not UTF-8 counts as one.
size_t code_point_count(std::string_view text);

/// textwrap.dedent, then white space at both ends removed: code in definitions may be indented with the text around it.
std::string dedent_and_strip(std::string_view text);

}  // namespace icount
