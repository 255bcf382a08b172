// Where output goes: a terminal or not, how wide, colour or not. The only place that asks; everything below gets a
// TextStyle (report/text_style.h).
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

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

/// Progress on stderr: one line that is rewritten on a terminal, a plain line per message elsewhere.
class StatusLine {
 public:
  StatusLine(std::ostream& err, const Terminal& terminal, std::string_view prefix = "icount: ")
      : err_(err), terminal_(terminal), prefix_(prefix) {}
  StatusLine(const StatusLine&) = delete;
  /// Takes the line away.
  ~StatusLine() { clear(); }

  /// The same text again is not said again.
  void say(std::string_view text);
  void clear();

 private:
  std::ostream& err_;
  Terminal terminal_;
  std::string prefix_;
  std::string shown_;
};

}  // namespace icount
