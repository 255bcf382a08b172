#include "icount/cli/progress_line.h"

#include "icount/suite/batch.h"

namespace icount {
namespace {

constexpr std::chrono::milliseconds kBetweenRewrites{100};
constexpr std::chrono::seconds kBetweenLines{10};

}  // namespace

ProgressLine::ProgressLine(std::ostream& err, const Terminal& terminal)
    : line_(err, terminal, ""),
      pause_(terminal.is_terminal ? std::chrono::duration_cast<Clock::duration>(kBetweenRewrites) : kBetweenLines),
      start_(Clock::now()),
      last_(start_) {}

void ProgressLine::show(const BatchProgress& progress) {
  const Clock::time_point now = Clock::now();
  const bool begins = progress.done == 0 && progress.stage.empty();
  const bool news =
      !begins && (progress.done == progress.total || (!progress.stage.empty() && progress.stage != stage_));
  if (progress.done == 0) start_ = now;
  if (begins || (!news && now - last_ < pause_)) return;
  stage_ = progress.stage;
  last_ = now;
  line_.say(progress_text(progress, now - start_, 0));
}

}  // namespace icount
