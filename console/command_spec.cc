#include "icount/console/command_spec.h"

#include <ostream>

#include "icount/base/text.h"
#include "icount/report/text_style.h"

namespace icount {

void CommandContext::warn(std::string_view text) const {
  for (std::string_view line : split_lines(text))
    err << paint("icount:", Tone::kNote, error_terminal.style) << " warning: " << escape_for_terminal(line) << '\n';
}

}  // namespace icount
