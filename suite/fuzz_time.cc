#include "icount/suite/fuzz_time.h"

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/timer/autorange.h"
#include "icount/timer/steady_timing.h"
#include "icount/timer/stub_timing.h"

namespace icount {
namespace {

void time_one(const StubTiming& timing, double min_run_time, CollectResult& result) {
  if (const TimingFailure* failure = timing.failure(result.index)) {
    result.status = CollectStatus::kCompileError;
    result.error = failure->error;
    result.details = failure->details;
    return;
  }
  try {
    const auto source = timing.open(result.index);
    const BlockSizeSearch search = search_block_size(*source, min_run_time);
    if (const auto removed = probe_removed(*source, search)) {
      result.status = CollectStatus::kDead;
      result.error = *removed + "; use its result, as in icount::keep(y)";
      return;
    }
    const Measurement measured = blocked_autorange(*source, {}, {.callback = {}, .min_run_time = min_run_time}, search);
    result.per_run = measured.median();
    result.number_per_run = measured.number_per_run();
    result.status = CollectStatus::kDone;
  } catch (const Error& error) {
    result.status = CollectStatus::kThrew;
    result.error = error.what();
  }
}

}  // namespace

std::vector<CollectResult> collect_wall_time(std::span<const TimerArgs> statements, const CollectOptions& options,
                                             double min_run_time, bool on_device) {
  StubTimingOptions timing_options;
  timing_options.toolchain = options.toolchain;
  timing_options.environment = options.environment;
  timing_options.cache_dir = options.cache_dir;
  timing_options.block_limit = options.time_limit;
  timing_options.cancelled = options.cancelled;
  timing_options.on_device = on_device;
  timing_options.on_progress = [&](const std::string& text) {
    if (options.on_progress) options.on_progress({CollectProgress::Stage::kCompile, text, 0, statements.size()});
  };
  const StubTiming timing(statements, timing_options);
  std::vector<CollectResult> results(statements.size());
  for (size_t i = 0; i < results.size(); ++i) {
    results[i].index = i;
    if (options.cancelled && options.cancelled()) {
      results[i].status = CollectStatus::kCancelled;
      continue;
    }
    time_one(timing, min_run_time, results[i]);
    if (options.on_result) options.on_result(results[i]);
  }
  return results;
}

}  // namespace icount
