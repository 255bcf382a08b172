// Code in definitions may be indented with the text around it. Python's rules (stats/python_text.h), because
// definitions hold Python as well and PyTorch's texts must come out the same.
#pragma once

#include <string>
#include <string_view>

namespace icount {

/// textwrap.dedent, then white space at both ends removed.
std::string dedent_and_strip(std::string_view text);

}  // namespace icount
