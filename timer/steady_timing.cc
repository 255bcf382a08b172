#include "icount/timer/steady_timing.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/stats/units.h"

namespace icount {
namespace {

constexpr size_t kRemovedBlocks = 5;
constexpr int64_t kTellingRuns = 1'000'000;

// Blocks of one source: what was kept, what was dropped, what the clock got wrong.
class BlockSeries {
 public:
  BlockSeries(TimeSource& source, const SteadyOptions& options)
      : source_(source), options_(options), search_(search_block_size(source, options.min_run_time)) {}

  void take() {
    double clock = source_.run_block(search_.number);
    odd_ += clock <= 0;
    double seconds = std::max(clock, kLeastBlockSeconds);
    if (options_.callback) options_.callback(search_.number, seconds);
    if (options_.drop_first_block && !dropped_) {
      dropped_ = seconds / static_cast<double>(search_.number);
      return;
    }
    blocks_.push_back(seconds);
    total_ += seconds;
  }

  const BlockSizeSearch& search() const { return search_; }
  const std::vector<double>& blocks() const { return blocks_; }
  double total() const { return total_; }
  std::optional<double> dropped() const { return dropped_; }
  size_t odd() const { return odd_; }
  std::optional<Interval> interval_per_run() const {
    std::optional<Interval> interval = median_interval(blocks_);
    if (!interval) return std::nullopt;
    double runs = static_cast<double>(search_.number);
    return Interval{interval->low / runs, interval->high / runs};
  }

 private:
  TimeSource& source_;
  const SteadyOptions& options_;
  BlockSizeSearch search_;
  std::vector<double> blocks_;
  double total_ = 0;
  std::optional<double> dropped_;
  size_t odd_ = 0;
};

double relative_width(const Interval& interval) {
  return (interval.high - interval.low) / ((interval.high + interval.low) / 2);
}

std::string seconds_text(double seconds) {
  TimeUnit unit = select_fine_unit(seconds);
  return fmt::format("{:.2f} {}", seconds / unit.seconds, unit.name);
}

// Looking at the interval costs a sort, so it is looked at when the series has grown by a hundredth.
bool is_time_to_look(size_t blocks) { return blocks < 100 || blocks % (blocks / 100) == 0; }

std::optional<StopReason> reason_to_stop(const BlockSeries& series, const SteadyOptions& options) {
  if (series.blocks().empty()) return std::nullopt;
  if (series.total() >= options.min_run_time) {
    if (!options.ci) return StopReason::kMinRunTime;
    if (is_time_to_look(series.blocks().size())) {
      std::optional<Interval> interval = median_interval(series.blocks());
      if (interval && relative_width(*interval) < *options.ci) return StopReason::kInterval;
    }
  }
  if (options.max_run_time != 0 && series.total() > options.max_run_time) return StopReason::kMaxRunTime;
  return std::nullopt;
}

std::string removed_text(double seconds, int64_t number) {
  return fmt::format("blocks take no longer with more runs ({} for {} runs): the compiler optimized the statement away",
                     seconds_text(seconds), number);
}

std::string explain_stop(const SteadyResult& result, const BlockSeries& series, const SteadyOptions& options) {
  size_t blocks = series.blocks().size();
  std::string width = result.interval ? fmt::format("{:.2f} %", relative_width(*result.interval) * 100) : "unknown";
  switch (result.reason) {
    case StopReason::kInterval:
      return fmt::format("the median's 95 % interval is {} wide, within the requested {:g} %, after {} blocks", width,
                         *options.ci * 100, blocks);
    case StopReason::kMinRunTime:
      return fmt::format("blocks of {} in total were requested and taken: {} blocks",
                         seconds_text(options.min_run_time), blocks);
    case StopReason::kMaxRunTime:
      return fmt::format("{} were used up after {} blocks; the median's 95 % interval is {} wide{}",
                         seconds_text(options.max_run_time), blocks, width,
                         options.ci ? fmt::format(", {:g} % was requested", *options.ci * 100) : "");
    case StopReason::kRemoved:
      break;
  }
  return removed_text(series.search().steps.back().seconds, series.search().number);
}

SteadyResult finish(const BlockSeries& series, const TaskSpec& spec, StopReason reason, const SteadyOptions& options) {
  SteadyResult result{.measurement = Measurement(series.search().number, series.blocks(), spec)};
  result.reason = reason;
  result.interval = series.interval_per_run();
  result.dropped_block = series.dropped();
  result.odd_blocks = series.odd();
  result.why = explain_stop(result, series, options);
  if (reason == StopReason::kRemoved)
    result.notes.push_back(result.why + "; use its result, or wrap it in do_not_optimize");
  if (result.odd_blocks > 0)
    result.notes.push_back(
        fmt::format("the clock read zero or less for {} of {} blocks: it is too coarse or went backwards",
                    result.odd_blocks, series.blocks().size() + result.dropped_block.has_value()));
  return result;
}

// Seconds per run of B over A in the last A B B A, and what came before it.
std::vector<double> ratios_of(const BlockSeries& a, const BlockSeries& b) {
  std::vector<double> ratios;
  double a_runs = static_cast<double>(a.search().number), b_runs = static_cast<double>(b.search().number);
  for (size_t i = 0; i + 1 < std::min(a.blocks().size(), b.blocks().size()); i += 2)
    ratios.push_back(((b.blocks()[i] + b.blocks()[i + 1]) / b_runs) / ((a.blocks()[i] + a.blocks()[i + 1]) / a_runs));
  return ratios;
}

std::optional<StopReason> reason_to_stop(const BlockSeries& a, const BlockSeries& b, const SteadyOptions& options) {
  if (a.total() >= options.min_run_time && b.total() >= options.min_run_time) {
    if (!options.ci) return StopReason::kMinRunTime;
    std::optional<Interval> interval = median_interval(ratios_of(a, b));
    if (interval && relative_width(*interval) < *options.ci) return StopReason::kInterval;
  }
  if (options.max_run_time != 0 && std::max(a.total(), b.total()) > options.max_run_time)
    return StopReason::kMaxRunTime;
  return std::nullopt;
}

}  // namespace

std::string_view to_text(StopReason reason) {
  switch (reason) {
    case StopReason::kInterval:
      return "interval";
    case StopReason::kMinRunTime:
      return "min-run-time";
    case StopReason::kMaxRunTime:
      return "max-run-time";
    case StopReason::kRemoved:
      return "removed";
  }
  return "";
}

bool is_removed(const BlockSizeSearch& search) {
  if (search.number < kTellingRuns || search.steps.size() < 3) return false;
  double last = search.steps.back().seconds;
  double earlier = search.steps[search.steps.size() - 3].seconds;
  return last < 2 * earlier;
}

std::optional<std::string> probe_removed(TimeSource& source) {
  constexpr double kThere = 1e-3;  // seconds; a million runs of one instruction take a third of it
  const auto block = [&](int64_t number) { return std::max(source.run_block(number), kLeastBlockSeconds); };
  // The shortest of some: another process may take the core during any of them.
  const auto shortest = [&](int64_t number) { return std::min({block(number), block(number), block(number)}); };
  for (int64_t number = 1; number < kTellingRuns; number *= 10)
    if (block(number) > kThere && shortest(number) > kThere) return std::nullopt;
  const double seconds = shortest(kTellingRuns);
  if (seconds > kThere) return std::nullopt;
  const double longer = shortest(100 * kTellingRuns);
  if (longer >= 2 * seconds) return std::nullopt;
  return removed_text(longer, 100 * kTellingRuns);
}

namespace {

/// Whether it took so little time that it may be nothing and a block that was held up: 5 us a run is a thousand runs of
/// nothing and a core that was away for 5 ms.
bool may_be_removed(const BlockSizeSearch& search) {
  return !search.steps.empty() && search.steps.back().seconds < 5e-6 * static_cast<double>(search.number);
}

}  // namespace

std::optional<std::string> probe_removed(TimeSource& source, const BlockSizeSearch& search) {
  if (is_removed(search)) return removed_text(search.steps.back().seconds, search.number);
  // A search that another process disturbed is asked again: it may have ended early, at a block that was held up.
  return may_be_removed(search) ? probe_removed(source) : std::nullopt;
}

SteadyResult time_steadily(TimeSource& source, const TaskSpec& spec, const SteadyOptions& options) {
  BlockSeries series(source, options);
  if (probe_removed(source, series.search())) {
    while (series.blocks().size() < kRemovedBlocks) series.take();
    return finish(series, spec, StopReason::kRemoved, options);
  }
  for (;;) {
    series.take();
    if (std::optional<StopReason> reason = reason_to_stop(series, options))
      return finish(series, spec, *reason, options);
  }
}

PairedResult time_paired(TimeSource& a, const TaskSpec& a_spec, TimeSource& b, const TaskSpec& b_spec,
                         const SteadyOptions& options) {
  BlockSeries a_series(a, options), b_series(b, options);
  auto removed = [](const BlockSeries& series) { return is_removed(series.search()); };
  bool nothing_there = removed(a_series) || removed(b_series);
  if (options.drop_first_block) {
    a_series.take();
    b_series.take();
  }
  std::optional<StopReason> reason;
  while (!reason) {
    for (BlockSeries* series : {&a_series, &b_series, &b_series, &a_series}) series->take();
    reason = reason_to_stop(a_series, b_series, options);
    if (nothing_there && a_series.blocks().size() >= 2 * kRemovedBlocks)
      reason = reason.value_or(StopReason::kMaxRunTime);
  }
  auto own_reason = [&](const BlockSeries& series) { return removed(series) ? StopReason::kRemoved : *reason; };
  std::vector<double> ratios = ratios_of(a_series, b_series);
  PairedResult result{.a = finish(a_series, a_spec, own_reason(a_series), options),
                      .b = finish(b_series, b_spec, own_reason(b_series), options)};
  result.interval = median_interval(ratios);
  std::sort(ratios.begin(), ratios.end());
  result.ratio = quantile(ratios, 0.5);
  return result;
}

}  // namespace icount
