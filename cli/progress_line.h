// The progress of a suite run: which news are worth a line, and when. Text: suite/batch.h; the line itself:
// console/terminal.h.
#pragma once

#include <chrono>
#include <iosfwd>
#include <string>

#include "icount/console/terminal.h"
#include "icount/suite/batch.h"

namespace icount {

class ProgressLine {
 public:
  ProgressLine(std::ostream& err, const Terminal& terminal);

  void show(const BatchProgress& progress);
  /// Wipes the line, so that something else can be printed.
  void clear() { line_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;

  StatusLine line_;
  Clock::duration pause_;
  Clock::time_point start_;
  Clock::time_point last_;
  std::string stage_;
};

}  // namespace icount
