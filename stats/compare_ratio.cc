#include "icount/stats/compare_ratio.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "icount/base/error.h"

namespace icount {
namespace {

constexpr size_t kLeastBlocks = 6;
// Above this the rank of a resampled median is drawn from its normal limit instead of resampling every block.
constexpr size_t kMostResampled = 400;

class MedianSampler {
 public:
  MedianSampler(std::vector<double> times, std::mt19937_64& random) : times_(std::move(times)), random_(random) {
    std::sort(times_.begin(), times_.end());
  }

  double draw() { return times_.size() <= kMostResampled ? resampled() : by_rank(); }

 private:
  // Uniform in [0, 1), the same with every standard library.
  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  // Counts how often each rank is drawn and reads off the middle, which spares sorting.
  double resampled() {
    size_t n = times_.size();
    drawn_.assign(n, 0);
    for (size_t i = 0; i < n; ++i) ++drawn_[static_cast<size_t>(uniform() * static_cast<double>(n))];
    return (at_rank((n - 1) / 2) + at_rank(n / 2)) / 2;
  }

  double at_rank(size_t rank) const {
    size_t seen = 0, i = 0;
    while ((seen += drawn_[i]) <= rank) ++i;
    return times_[i];
  }

  double by_rank() {
    double n = static_cast<double>(times_.size());
    double normal = std::sqrt(-2 * std::log(1 - uniform())) * std::cos(2 * std::numbers::pi * uniform());
    double rank = n / 2 + normal * std::sqrt(n) / 2;
    return times_[static_cast<size_t>(std::clamp(rank, 0.0, n - 1))];
  }

  std::vector<double> times_;
  std::vector<size_t> drawn_;
  std::mt19937_64& random_;
};

bool can_be_judged(const Measurement& measurement) {
  return measurement.raw_times().size() >= kLeastBlocks && measurement.median() > 0;
}

Interval bootstrap(const Measurement& base, const Measurement& head, const RatioOptions& options) {
  std::mt19937_64 random(options.seed);
  MedianSampler base_sampler(base.times(), random), head_sampler(head.times(), random);
  std::vector<double> ratios;
  for (int i = 0; i < options.resamples; ++i) {
    double below = base_sampler.draw();
    ratios.push_back(head_sampler.draw() / below);
  }
  std::sort(ratios.begin(), ratios.end());
  return {quantile(ratios, 0.025), quantile(ratios, 0.975)};
}

RatioVerdict judge(const Interval& interval, double tolerance) {
  if (interval.low >= 1 - tolerance && interval.high <= 1 + tolerance) return RatioVerdict::kSame;
  if (interval.high < 1) return RatioVerdict::kFaster;
  if (interval.low > 1) return RatioVerdict::kSlower;
  return RatioVerdict::kCannotTell;
}

}  // namespace

std::string_view to_text(RatioVerdict verdict) {
  switch (verdict) {
    case RatioVerdict::kFaster:
      return "faster";
    case RatioVerdict::kSlower:
      return "slower";
    case RatioVerdict::kSame:
      return "same";
    case RatioVerdict::kCannotTell:
      return "can't tell";
  }
  return "";
}

Ratio median_ratio(const Measurement& base, const Measurement& head, const RatioOptions& options) {
  ICOUNT_CHECK(options.resamples > 0, "at least one resample");
  Ratio result;
  if (base.median() != 0) result.ratio = head.median() / base.median();
  if (!can_be_judged(base) || !can_be_judged(head)) return result;
  Interval interval = bootstrap(base, head, options);
  if (!std::isfinite(interval.low) || !std::isfinite(interval.high)) return result;
  result.interval = interval;
  result.verdict = judge(interval, options.tolerance);
  return result;
}

RatioTable make_ratios(const CompareTable& table, size_t base_column, const RatioOptions& options) {
  ICOUNT_CHECK(base_column < table.columns.size(), "base column");
  RatioTable ratios{.base_column = base_column};
  for (size_t row = 0; row < table.rows.size(); ++row) {
    auto& cells = ratios.cells.emplace_back(table.columns.size());
    const Measurement* base = table.cell(row, base_column);
    for (size_t column = 0; column < table.columns.size(); ++column)
      if (const Measurement* head = table.cell(row, column); base && head && column != base_column)
        cells[column] = median_ratio(*base, *head, options);
  }
  return ratios;
}

}  // namespace icount
