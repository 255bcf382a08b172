// Two judgements that a measurement on a device makes as it goes, apart from when to stop (sample_rules.h): whether the
// clock was too low for a sample, and how many runs make a hot batch. Standard library only, C++17, for the same users.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>

namespace icount {

/// Tells throttled samples by the SM clock, and how long to wait before the next one. A device that stays at one clock
/// below the threshold is not throttled for a while but capped (a power limit, a fixed application clock): then that
/// clock is what later samples are judged against.
class ThrottleRule {
 public:
  ThrottleRule(double threshold, double default_clock_hz) : threshold_(threshold), reference_hz_(default_clock_hz) {}

  /// Whether the sample that was taken at this clock is to be thrown away; 0 Hz: unknown, kept.
  bool discards(double clock_hz) {
    if (clock_hz <= 0 || clock_hz >= threshold_ * reference_hz_) {
      low_.clear();
      pause_ = std::max(pause_ / 2, kShortestPause);
      return false;
    }
    low_.push_back(clock_hz);
    if (low_.size() > kSteadyReadings) low_.pop_front();
    const auto [least, most] = std::minmax_element(low_.begin(), low_.end());
    if (low_.size() == kSteadyReadings && *most <= *least * (1 + kSteadiness)) {
      capped_hz_ = reference_hz_ = *most;
      low_.clear();
      pause_ = kShortestPause;
    }
    return true;
  }

  /// Seconds to wait after a sample was thrown away: longer each time, shorter again with each that is kept.
  double take_pause() {
    const double now = pause_;
    pause_ = std::min(pause_ * 2, kLongestPause);
    return now;
  }

  /// The steady clock that samples are judged against; 0: the device's default.
  double capped_hz() const { return capped_hz_; }

 private:
  static constexpr std::size_t kSteadyReadings = 8;
  static constexpr double kSteadiness = 0.03;
  static constexpr double kShortestPause = 0.05, kLongestPause = 1;
  double threshold_, reference_hz_;
  double capped_hz_ = 0;
  double pause_ = kShortestPause;
  std::deque<double> low_;
};

/// Runs back to back, of which kHeldRuns at most were queued while the stream was held.
struct HotBatch {
  std::int64_t runs = 0;
  double device_seconds = 0;
  double launch_seconds = 0;  ///< of the host, for those that were queued while the stream was held
};

/// How hot runs are measured.
struct HotPlan {
  std::int64_t runs_per_batch = 0;
  int batches = 0;
  double launch_share = 0;       ///< host time of queueing a run over the device's time for it
  bool is_launch_bound = false;  ///< the device would wait for the host: batches are queued beforehand
};

/// A stream's queue is finite (1,024 kernels on an H200), and a run may queue several.
inline constexpr std::int64_t kHeldRuns = 64;

/// `seconds` of device time are wanted in all. `held` has no more than kHeldRuns: once the queue of a running device is
/// full, launching waits for the device, and its host time says nothing. Above half, a host that is interrupted
/// would leave gaps between runs.
inline HotPlan plan_hot_batches(double seconds, const HotBatch& held) {
  constexpr double kMostLaunchShare = 0.5;
  constexpr int kBatches = 5, kMostBatches = 200;
  const double run_seconds = std::max(held.device_seconds / static_cast<double>(held.runs), 1e-7);
  HotPlan plan;
  plan.launch_share = held.device_seconds > 0 ? held.launch_seconds / held.device_seconds : 0;
  plan.is_launch_bound = plan.launch_share > kMostLaunchShare;
  const double runs = seconds / run_seconds;
  plan.batches =
      plan.is_launch_bound ? std::clamp(static_cast<int>(runs / kHeldRuns), kBatches, kMostBatches) : kBatches;
  plan.runs_per_batch =
      plan.is_launch_bound ? kHeldRuns : static_cast<std::int64_t>(std::clamp(runs / kBatches, 4.0, 1e6));
  return plan;
}

}  // namespace icount
