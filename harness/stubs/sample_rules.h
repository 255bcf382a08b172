// When enough samples were taken: stopping rules over a growing series of durations. Standard library only, C++17: it
// is compiled into icount, into CUDA stubs and into users' own programs alike. Methods as nvbench names them: "stdrel"
// and "entropy"; the figures are its defaults.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <map>
#include <vector>

namespace icount {

/// Why a series of samples ended.
enum class SampleStop { kNone, kRelativeDeviation, kStableNoise, kEntropy, kSampleCount, kTimeOut };

inline const char* to_text(SampleStop reason) {
  switch (reason) {
    case SampleStop::kRelativeDeviation:
      return "the relative deviation is small enough";
    case SampleStop::kStableNoise:
      return "the noise no longer changes";
    case SampleStop::kEntropy:
      return "new samples add no information (entropy)";
    case SampleStop::kSampleCount:
      return "the number of samples asked for is reached";
    case SampleStop::kTimeOut:
      return "time-out before the samples settled";
    case SampleStop::kNone:
      break;
  }
  return "not ended";
}

/// Population deviation over mean of `values`; 0 for fewer than two or a mean of 0.
inline double relative_deviation(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  double mean = 0;
  for (const double v : values) mean += v;
  mean /= static_cast<double>(values.size());
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return mean == 0 ? 0 : std::sqrt(squares / static_cast<double>(values.size())) / mean;
}

/// Stops when the relative deviation of all samples is below a limit, or, since some devices are honestly noisy, when
/// the deviation itself has not moved over a window of samples. Never before `min_seconds` of measured time.
class RelativeDeviationRule {
 public:
  explicit RelativeDeviationRule(double max_noise = 0.005, double min_seconds = 0.5)
      : max_noise_(max_noise), min_seconds_(min_seconds) {}

  void add(double seconds) {
    samples_.push_back(seconds);
    total_ += seconds;
    // Welford's running moments: a series may hold a million samples.
    const auto n = static_cast<double>(samples_.size());
    const double before = seconds - mean_;
    mean_ += before / n;
    squares_ += before * (seconds - mean_);
    noise_.push_back(mean_ == 0 ? 0 : std::sqrt(squares_ / n) / mean_);
    if (noise_.size() > kWindow) noise_.pop_front();
  }

  SampleStop look() const {
    if (samples_.size() < 2 || total_ < min_seconds_) return SampleStop::kNone;
    if (noise_.back() < max_noise_) return SampleStop::kRelativeDeviation;
    if (noise_.size() < kWindow) return SampleStop::kNone;
    const std::vector<double> window(noise_.begin(), noise_.end());
    return relative_deviation(window) < kStableNoise ? SampleStop::kStableNoise : SampleStop::kNone;
  }

 private:
  static constexpr std::size_t kWindow = 512;
  static constexpr double kStableNoise = 0.05;
  double max_noise_, min_seconds_;
  double total_ = 0, mean_ = 0, squares_ = 0;
  std::vector<double> samples_;
  std::deque<double> noise_;
};

/// Stops when the entropy of the distribution of samples has become a flat line: the slope of its linear fit over a
/// window is below `max_angle` degrees and the fit explains at least `min_r2` of it (a constant line counts as flat).
class EntropyRule {
 public:
  explicit EntropyRule(double max_angle_degrees = 0.048, double min_r2 = 0.36)
      : max_angle_(max_angle_degrees), min_r2_(min_r2) {}

  void add(double seconds) {
    // Three significant digits make a bin: a clock's own steps are far finer than what tells two behaviours apart.
    const double scale = seconds > 0 ? std::pow(10.0, std::floor(std::log10(seconds)) - 2) : 1;
    const double bin = std::round(seconds / scale) * scale;
    std::size_t& hits = bins_[bin];
    const auto h = static_cast<double>(hits);
    if (hits > 0) sum_h_log_h_ -= h * std::log2(h);
    ++hits;
    sum_h_log_h_ += (h + 1) * std::log2(h + 1);
    ++count_;
    const auto n = static_cast<double>(count_);
    entropy_.push_back(std::max(0.0, std::log2(n) - sum_h_log_h_ / n));
    if (entropy_.size() > kWindow) entropy_.pop_front();
  }

  SampleStop look() const {
    if (entropy_.size() < kWindow) return SampleStop::kNone;
    const auto n = static_cast<double>(entropy_.size());
    double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0, sum_yy = 0;
    for (std::size_t i = 0; i < entropy_.size(); ++i) {
      const auto x = static_cast<double>(i);
      sum_x += x, sum_y += entropy_[i], sum_xx += x * x, sum_xy += x * entropy_[i], sum_yy += entropy_[i] * entropy_[i];
    }
    const double xx = sum_xx - sum_x * sum_x / n, xy = sum_xy - sum_x * sum_y / n, yy = sum_yy - sum_y * sum_y / n;
    if (yy <= 1e-18) return SampleStop::kEntropy;
    const double slope = xy / xx, r2 = xy * xy / (xx * yy);
    const double degrees = std::abs(std::atan(slope)) * 180 / 3.14159265358979323846;
    return degrees <= max_angle_ && r2 >= min_r2_ ? SampleStop::kEntropy : SampleStop::kNone;
  }

 private:
  static constexpr std::size_t kWindow = 299;
  double max_angle_, min_r2_;
  std::map<double, std::size_t> bins_;
  double sum_h_log_h_ = 0;
  std::size_t count_ = 0;
  std::deque<double> entropy_;
};

}  // namespace icount
