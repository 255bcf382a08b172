// The progress of a suite run on stderr: one line rewritten in place on a terminal, a plain line now and then elsewhere.
// Text: suite/progress_text.h.
#pragma once

#include <chrono>
#include <iosfwd>
#include <string>

#include "cli/terminal.h"
#include "suite/batch.h"

namespace icount {

class ProgressLine {
 public:
  ProgressLine(std::ostream& out, const Terminal& terminal);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;

  void show(const BatchProgress& progress);
  /// Wipes the line, so that something else can be printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  std::ostream& out_;
  Terminal terminal_;
  Clock::time_point start_;
  Clock::time_point last_;
  std::string stage_;
  bool on_screen_ = false;
};

}  // namespace icount
