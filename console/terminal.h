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

/// Colour and width only on a terminal; NO_COLOR (any non-empty value) and TERM=dumb switch colour off, COLUMNS sets
/// the width where the terminal does not say it.
Terminal probe_terminal(int fd, const Environment& environment);

}  // namespace icount
