// Where output goes: a terminal or not, how wide, colour or not. The only place that asks; everything below gets a
// TextStyle (report/text_style.h).
#pragma once

#include "icount/harness/environment.h"
#include "icount/report/text_style.h"

namespace icount {

struct Terminal {
  bool is_terminal = false;
  TextStyle style;
};

/// Colour only on a terminal; NO_COLOR (any non-empty value) and TERM=dumb switch it off. The width is the terminal's,
/// else that of COLUMNS; without both, lines in a pipe are as long as they come, which suits grep.
Terminal probe_terminal(int fd, const Environment& environment);

}  // namespace icount
