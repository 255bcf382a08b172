#include "icount/timer/autorange.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "icount/base/error.h"
#include "icount/stats/quantile.h"

namespace icount {
namespace {

constexpr double kMaxRelativeOverhead = 1e-4;
constexpr int64_t kMaxBlockSize = 2147483647;
constexpr size_t kLeastAdaptiveBlocks = 4;

// Median of five empty blocks through float32, which is how PyTorch's comparison sees it.
double empty_block_seconds(TimeSource& source) {
  std::array<float, 5> times;
  for (float& time : times) time = static_cast<float>(time_block(source, 0));
  std::nth_element(times.begin(), times.begin() + 2, times.end());
  return times[2];
}

struct LoopLimits {
  double min_run_time;
  double max_run_time;  // 0: none
  const BlockCallback& callback;
};

template <typename MayStop>
std::vector<double> time_blocks(TimeSource& source, int64_t number, const LoopLimits& limits, MayStop may_stop) {
  std::vector<double> times;
  double total = 0;
  bool can_stop = false;
  double seconds = limits.min_run_time;  // of the last block; before the first one nothing is known
  while (total < limits.min_run_time || !can_stop) {
    if (total + 2 * seconds < limits.min_run_time) source.expect_another();
    seconds = time_block(source, number);
    times.push_back(seconds);
    total += seconds;
    if (limits.callback) limits.callback(number, seconds);
    // Asked only where the answer counts: with blocks of no length there are many before that.
    can_stop = total >= limits.min_run_time && may_stop(times);
    if (limits.max_run_time != 0 && total > limits.max_run_time) break;
  }
  return times;
}

}  // namespace

double time_block(TimeSource& source, int64_t number) { return std::max(source.run_block(number), kLeastBlockSeconds); }

Measurement timeit(TimeSource& source, const TaskSpec& spec, int64_t number) {
  if (number < 1) throw Error(ErrorKind::kUsage, fmt::format("timeit of {} runs: at least one run is needed", number));
  time_block(source, std::max<int64_t>(number / 100, 2));
  return Measurement(number, {time_block(source, number)}, spec);
}

BlockSizeSearch search_block_size(TimeSource& source, double min_run_time) {
  BlockSizeSearch search;
  search.overhead_seconds = empty_block_seconds(source);
  for (;;) {
    double seconds = time_block(source, search.number);
    search.steps.push_back({search.number, seconds});
    bool overhead_is_small = search.overhead_seconds / seconds <= kMaxRelativeOverhead;
    if (overhead_is_small && seconds >= min_run_time / 1000) return search;
    if (seconds > min_run_time) return search;
    if (search.number * 10 > kMaxBlockSize) return search;
    search.number *= 10;
  }
}

Measurement blocked_autorange(TimeSource& source, const TaskSpec& spec, const BlockedOptions& options) {
  return blocked_autorange(source, spec, options, search_block_size(source, options.min_run_time));
}

Measurement blocked_autorange(TimeSource& source, const TaskSpec& spec, const BlockedOptions& options,
                              const BlockSizeSearch& search) {
  const int64_t number = search.number;
  auto always = [](const std::vector<double>&) { return true; };
  std::vector<double> times = time_blocks(source, number, {options.min_run_time, 0, options.callback}, always);
  return Measurement(number, std::move(times), spec);
}

Measurement adaptive_autorange(TimeSource& source, const TaskSpec& spec, const AdaptiveOptions& options) {
  return adaptive_autorange(source, spec, options, search_block_size(source, kAdaptiveSearchSeconds));
}

Measurement adaptive_autorange(TimeSource& source, const TaskSpec& spec, const AdaptiveOptions& options,
                               const BlockSizeSearch& search) {
  const int64_t number = search.number;
  auto is_steady = [&](const std::vector<double>& times) {
    return times.size() >= kLeastAdaptiveBlocks && Measurement(number, times, spec).meets_confidence(options.threshold);
  };
  LoopLimits limits{options.min_run_time, options.max_run_time, options.callback};
  return Measurement(number, time_blocks(source, number, limits, is_steady), spec);
}

}  // namespace icount
