#include "cli/progress_line.h"

#include <algorithm>
#include <ostream>

#include "suite/progress_text.h"

namespace icount {
namespace {

constexpr size_t kTerminalWidth = 80;
constexpr std::chrono::milliseconds kBetweenRewrites{100};
constexpr std::chrono::seconds kBetweenLines{10};

}  // namespace

ProgressLine::ProgressLine(std::ostream& out, const Terminal& terminal) : out_(out), terminal_(terminal), start_(Clock::now()), last_(start_) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(const BatchProgress& progress) {
  const Clock::time_point now = Clock::now();
  const bool begins = progress.done == 0 && progress.stage.empty();
  const bool news = !begins && (progress.done == progress.total || (!progress.stage.empty() && progress.stage != stage_));
  const auto pause = terminal_.is_terminal ? std::chrono::duration_cast<Clock::duration>(kBetweenRewrites) : kBetweenLines;
  if (progress.done == 0) start_ = now;
  if (begins || (!news && now - last_ < pause)) return;
  stage_ = progress.stage;
  last_ = now;
  const size_t width = !terminal_.is_terminal ? 0 : terminal_.style.width > 1 ? terminal_.style.width - 1 : kTerminalWidth;
  const std::string text = progress_text(progress, now - start_, width);
  if (terminal_.is_terminal) {
    out_ << "\r\x1b[K" << text << std::flush;
    on_screen_ = true;
  } else {
    out_ << text << std::endl;
  }
}

void ProgressLine::clear() {
  if (on_screen_) out_ << "\r\x1b[K" << std::flush;
  on_screen_ = false;
}

}  // namespace icount
