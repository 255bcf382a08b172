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

/// One hot batch as it ran.
struct HotBatch {
  std::int64_t runs = 0;
  double device_seconds = 0;
  double launch_seconds = 0;  ///< of the host, for the runs that were queued while the device worked
};

/// How many runs a hot batch has. It grows until launching takes at most kMostLaunchShare of the device's time. Where
/// the host queues runs more slowly than the device does them, growing does not help: then a batch has as many runs as
/// can be queued beforehand, and the measurement says so.
class HotBatchRule {
 public:
  static constexpr double kMostLaunchShare = 0.5;
  static constexpr std::int64_t kHeldRuns = 64;  ///< a stream's queue is finite, and a run may queue several kernels

  /// `seconds` of device time are wanted for a batch; one run takes about `guess`.
  HotBatchRule(double seconds, double guess)
      : runs_(static_cast<std::int64_t>(std::clamp(seconds / guess, 4.0, 1e6))), longest_(4 * seconds) {}

  std::int64_t runs() const { return runs_; }
  /// True when batches of runs() are what is to be measured; otherwise runs() has changed, and another one is to be
  /// tried.
  bool settles(const HotBatch& batch) {
    share_ = batch.device_seconds > 0 ? batch.launch_seconds / batch.device_seconds : 0;
    if (share_ <= kMostLaunchShare) return true;
    if (growths_ < kMostGrowths && runs_ < 1'000'000 && batch.device_seconds < longest_) {
      ++growths_;
      runs_ *= 2;
      return false;
    }
    is_launch_bound_ = true;
    runs_ = kHeldRuns;
    return true;
  }

  /// Host time over device time of the last batch that was tried.
  double launch_share() const { return share_; }
  bool is_launch_bound() const { return is_launch_bound_; }

 private:
  static constexpr int kMostGrowths = 3;
  std::int64_t runs_;
  double longest_;
  int growths_ = 0;
  double share_ = 0;
  bool is_launch_bound_ = false;
};

}  // namespace icount
