// One statement as text behind a Timer: built and started when first asked, timed as a TimeSource, counted under
// Callgrind. Joins timer/stub_timing.h and timer/collect_callgrind.h for one statement.
#pragma once

#include <memory>
#include <vector>

#include "icount/stats/callgrind_stats.h"
#include "icount/stats/measurement.h"
#include "icount/timer/stub_timing.h"

namespace icount {

struct CollectCallgrindOptions;

class StatementSource : public TimeSource {
 public:
  StatementSource(TimerArgs args, StubTimingOptions options) : args_(std::move(args)), options_(std::move(options)) {}

  /// Error{kTool} when the statement does not compile or ends badly; the next block then starts afresh.
  double run_block(int64_t number) override;
  void expect_another() override;
  std::string remark() const override { return session_ ? session_->remark() : std::string(); }

  /// options.repeats counts. Error{kTool} "STATUS: ..." when the statement can't be counted, Error{kUsage} when repeats
  /// is below 1.
  std::vector<CallgrindStats> collect(const TaskSpec& spec, const CollectCallgrindOptions& options) const;

 private:
  TimerArgs args_;
  StubTimingOptions options_;
  std::unique_ptr<StubTiming> built_;
  std::unique_ptr<TimeSource> session_;  // reads built_
};

}  // namespace icount
