// The course of a measurement on a device: warm-up, cold samples, hot batches. What happens on the device is the
// workbench's: CudaWorkbench (cuda_workbench.cuh), or a stand-in that a test gives, with a device and a clock of its
// own. Method: nvbench's, see docs/cuda.md. Standard library only, C++17.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "device_rules.h"
#include "sample_rules.h"

namespace icount {

/// A failure that the user can act on; the message is one line.
class CudaMeasureError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct CudaMeasureOptions {
  int min_samples = 10;
  int max_samples = 0;               ///< above 0: exactly so many, no stopping rule
  bool use_entropy = false;          ///< stop by entropy instead of relative deviation
  double max_noise = 0.005;          ///< relative deviation at which cold samples are enough
  double min_seconds = 0.5;          ///< of device time, cold and hot each
  double time_out_seconds = 15;      ///< wall time of the cold part
  double throttle_threshold = 0.75;  ///< share of the SM clock below which a sample is thrown away
  bool stream_is_sure = false;  ///< whatever the statement queues is on the timed stream (LibTorch's current one is)
  bool statement_synchronises = false;  ///< no blocking kernel: the statement waits for the device itself
};

struct DeviceSamples {
  std::vector<double> cold_seconds;         ///< device time, L2 flushed before
  std::vector<double> cold_launch_seconds;  ///< host time of the same launches
  std::vector<double> hot_seconds;          ///< device time per run, one entry per batch
  std::int64_t hot_runs_per_batch = 0;
  double launch_share = 0;       ///< host time of queueing a run over the device's time for it, hot
  bool is_launch_bound = false;  ///< the host queues runs more slowly than the device does them
  std::int64_t throttled = 0;    ///< samples thrown away because the clock was below the threshold
  double sm_clock_hz = 0;        ///< median over the samples kept; 0 when it can't be read
  double capped_clock_hz = 0;    ///< the steady clock that samples were judged against; 0: the default clock
  SampleStop stop = SampleStop::kNone;
};

inline double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// `Launch` is a callable that queues the statement's work on the stream it is given.
template <typename Workbench, typename Launch>
class DeviceMeasure {
 public:
  DeviceMeasure(CudaMeasureOptions options, double default_clock_hz, Workbench& bench, const Launch& launch)
      : options_(options), bench_(bench), launch_(launch), throttle_(options.throttle_threshold, default_clock_hz) {}

  DeviceSamples run() {
    warm_up();
    check_something_is_timed();
    measure_cold();
    measure_hot();
    return samples_;
  }

 private:
  bool blocks() const { return !options_.statement_synchronises; }

  /// First run (lazy loading, allocation), and the check that the statement's work really is on our stream.
  void warm_up() {
    launch_(bench_.stream());
    bench_.check_launch("launching the statement");
    bench_.synchronise_device("running the statement");
    launch_(bench_.stream());
    bench_.synchronise("running the statement");
    const double begin = bench_.host_seconds();
    bench_.synchronise_device("running the statement");
    constexpr double kIdleDeviceSeconds = 100e-6;
    if (bench_.host_seconds() - begin > kIdleDeviceSeconds)
      throw CudaMeasureError(
          "the device is still at work when the timed stream is done: the statement uses another stream; pass "
          "`stream` to its launches");
  }

  /// Kernels too short for the check of the warm-up, on another stream, would leave two events with nothing between
  /// them: a small number. So where the time is that of an empty stream or little more, the statement is captured once
  /// instead of run.
  void check_something_is_timed() {
    constexpr double kHardlyAnything = 8e-6;
    double launch_seconds = 0;
    if (options_.statement_synchronises || options_.stream_is_sure || one_cold(launch_seconds) > kHardlyAnything)
      return;
    if (!bench_.queues_work(launch_))
      throw CudaMeasureError("the statement queues nothing on the timed stream: pass `stream` to its launches");
  }

  double one_cold(double& launch_seconds) {
    bench_.flush_l2();
    bench_.synchronise("flushing the L2 cache");
    if (blocks()) bench_.block();
    bench_.record_begin();
    const double begin = bench_.host_seconds();
    launch_(bench_.stream());
    launch_seconds = bench_.host_seconds() - begin;
    bench_.record_end();
    if (blocks()) bench_.release();
    bench_.synchronise("running the statement");
    if (blocks()) bench_.check_not_timed_out();
    bench_.check_launch("running the statement");
    return bench_.elapsed_seconds();
  }

  void measure_cold() {
    RelativeDeviationRule deviation(options_.max_noise, options_.min_seconds);
    EntropyRule entropy;
    std::vector<double> clocks;
    const double begin = bench_.host_seconds();
    while (samples_.stop == SampleStop::kNone) {
      double launch_seconds = 0;
      const double seconds = one_cold(launch_seconds);
      const double clock_hz = bench_.read_clock_hz();
      const bool late = bench_.host_seconds() - begin > options_.time_out_seconds;
      if (throttle_.discards(clock_hz)) {
        ++samples_.throttled;
        if (late) break;
        bench_.sleep(throttle_.take_pause());
        continue;
      }
      samples_.cold_seconds.push_back(seconds);
      samples_.cold_launch_seconds.push_back(launch_seconds);
      clocks.push_back(clock_hz);
      deviation.add(seconds);
      entropy.add(seconds);
      samples_.stop = look(options_.use_entropy ? entropy.look() : deviation.look(), late);
    }
    if (samples_.cold_seconds.empty())
      throw CudaMeasureError("every sample was discarded: the SM clock stays below " +
                             std::to_string(static_cast<int>(options_.throttle_threshold * 100)) +
                             " % of its default and does not settle (throttled by heat, power or another user of the "
                             "device)");
    // Late and without a rule that said so: the last samples were thrown away.
    if (samples_.stop == SampleStop::kNone) samples_.stop = SampleStop::kTimeOut;
    samples_.sm_clock_hz = median_of(clocks);
    samples_.capped_clock_hz = throttle_.capped_hz();
  }

  SampleStop look(SampleStop rule, bool late) const {
    const auto taken = static_cast<int>(samples_.cold_seconds.size());
    if (options_.max_samples > 0) return taken >= options_.max_samples ? SampleStop::kSampleCount : SampleStop::kNone;
    if (late) return SampleStop::kTimeOut;
    return taken >= options_.min_samples ? rule : SampleStop::kNone;
  }

  /// Back to back without a flush. Only the first launches are queued while the stream is held: the queue is finite.
  HotBatch one_batch(std::int64_t runs) {
    HotBatch batch{runs};
    const std::int64_t held = std::min(runs, kHeldRuns);
    if (blocks()) bench_.block();
    bench_.record_begin();
    const double begin = bench_.host_seconds();
    for (std::int64_t i = 0; i < runs; ++i) {
      launch_(bench_.stream());
      if (i + 1 != held) continue;
      batch.launch_seconds = bench_.host_seconds() - begin;
      if (blocks() && runs > held) bench_.release();
    }
    bench_.record_end();
    if (blocks()) bench_.release();
    bench_.synchronise("running the statement in a batch");
    if (blocks()) bench_.check_not_timed_out();
    batch.device_seconds = bench_.elapsed_seconds();
    return batch;
  }

  void measure_hot() {
    const double cold = std::max(median_of(samples_.cold_seconds), 1e-6);
    const auto tried = static_cast<std::int64_t>(std::clamp(options_.min_seconds / cold, 4.0, double{kHeldRuns}));
    HotBatch held = one_batch(tried);
    // A statement that waits for the device is queued run by run in any case, and its launches contain the device.
    if (!blocks()) held.launch_seconds = 0;
    const HotPlan plan = plan_hot_batches(options_.min_seconds, held);
    samples_.launch_share = plan.launch_share;
    samples_.is_launch_bound = plan.is_launch_bound;
    samples_.hot_runs_per_batch = plan.runs_per_batch;
    for (int i = 0; i < plan.batches; ++i)
      samples_.hot_seconds.push_back(one_batch(plan.runs_per_batch).device_seconds /
                                     static_cast<double>(plan.runs_per_batch));
  }

  CudaMeasureOptions options_;
  Workbench& bench_;
  const Launch& launch_;
  ThrottleRule throttle_;
  DeviceSamples samples_;
};

}  // namespace icount
