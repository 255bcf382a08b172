// Progress on stderr: one line that is rewritten on a terminal, a plain line per message elsewhere.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "icount/console/terminal.h"

namespace icount {

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
