#include "icount/stats/growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "icount/base/error.h"
#include "icount/base/text.h"

namespace icount {
namespace {

// What a cost may move by and still be called constant: heaps and hash tables move by less.
constexpr double kConstant = 0.01;
// A law that is further from a cost than this says about how it grows.
constexpr double kHolds = 0.02;
// What three costs may be off the law, as a part of what they differ by: as much when their power is no usual one, for
// blocks, thresholds and chance bend three points as a power does.
constexpr double kSlack = 0.005, kSlackOfOdd = 0.02;
// Powers beyond are no law of programs that end.
constexpr double kLeastPower = -4, kMostPower = 8;
// Between these powers n log n may hide: 1 + 1 / ln n for n from 20 up.
constexpr double kLeastLogPower = 1.03, kMostLogPower = 1.4;
// A function with less of the cost says little about the whole.
constexpr double kLeads = 0.05;

/// A law with one shape: c + a x, and how far it is from the costs.
struct Line {
  double constant = 0, factor = 0, residual = 0;
};

/// Least squares, each distance as a part of the largest cost.
Line fit_line(std::span<const double> x, std::span<const int64_t> costs, double most) {
  const auto n = static_cast<double>(x.size());
  double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double y = static_cast<double>(costs[i]) / most;
    sum_x += x[i];
    sum_y += y;
    sum_xx += x[i] * x[i];
    sum_xy += x[i] * y;
  }
  const double determinant = n * sum_xx - sum_x * sum_x;
  Line line;
  line.factor = determinant == 0 ? 0 : (n * sum_xy - sum_x * sum_y) / determinant;
  line.constant = (sum_y - line.factor * sum_x) / n;
  for (size_t i = 0; i < x.size(); ++i)
    line.residual =
        std::max(line.residual, std::abs(line.constant + line.factor * x[i] - static_cast<double>(costs[i]) / most));
  return line;
}

/// By sizes as parts of the largest. At 0 the power is the logarithm, which is where (n^k - 1) / k goes.
std::vector<double> powers(std::span<const int64_t> sizes, double k) {
  std::vector<double> x;
  const auto most = static_cast<double>(sizes.back());
  for (const int64_t size : sizes) {
    const double part = static_cast<double>(size) / most;
    x.push_back(std::abs(k) < 1e-9 ? std::log(part) : (std::pow(part, k) - 1) / k);
  }
  return x;
}

/// Of algorithms: whole ones, and roots. A sum of n and n^2 or a threshold gives others.
bool is_usual(double power) {
  constexpr double kNear = 0.1;
  return std::abs(power - std::round(power)) <= kNear || std::abs(power - 0.5) <= kNear / 2;
}

/// Downward from `best` while the power fits almost as well.
template <typename Distance>
double least_power(double best, double slack, const Distance& distance) {
  constexpr double kStep = 0.01;
  double k = best;
  while (k - kStep >= kLeastPower && distance(k - kStep) <= slack) k -= kStep;
  return k;
}

}  // namespace

std::string with_size(std::string_view text, int64_t size) {
  std::string made;
  size_t done = 0;
  for (size_t at = text.find(kSizeWord); at != std::string_view::npos; at = text.find(kSizeWord, done)) {
    made += fmt::format("{}{}", text.substr(done, at - done), size);
    done = at + kSizeWord.size();
  }
  return made.append(text.substr(done));
}

std::optional<int64_t> size_in_name(std::string_view name, std::string_view pattern) {
  const size_t at = pattern.find(kSizeWord);
  if (at == std::string_view::npos || !name.starts_with(pattern.substr(0, at))) return std::nullopt;
  const std::string_view digits = name.substr(at, name.find_first_not_of("0123456789", at) - at);
  const std::string_view after = name.substr(at + digits.size()), asked = pattern.substr(at + kSizeWord.size());
  if (!after.starts_with(asked)) return std::nullopt;
  const std::string_view more = after.substr(asked.size());
  const bool is_setting = more.size() > 1 && more[0] == '/' && std::isalpha(static_cast<unsigned char>(more[1])) != 0;
  return more.empty() || is_setting ? parse_int64(digits) : std::nullopt;
}

GrowthFit fit_growth(std::span<const int64_t> sizes, std::span<const int64_t> costs) {
  ICOUNT_CHECK(sizes.size() == costs.size() && sizes.size() >= kLeastSizes,
               "a law needs three sizes, and a cost for each");
  const auto [least, largest] = std::minmax_element(costs.begin(), costs.end());
  const auto most = static_cast<double>(std::max<int64_t>(std::abs(*largest), std::abs(*least)));
  GrowthFit fit;
  fit.constant = static_cast<double>(costs.back());
  if (most == 0 || static_cast<double>(*largest - *least) < kConstant * most) {
    fit.is_constant = true;
    return fit;
  }
  const auto distance = [&](double k) { return fit_line(powers(sizes, k), costs, most).residual; };
  // Coarse first, for the distance has other valleys where costs do not follow one law; then by thirds.
  double best = kLeastPower;
  constexpr double kStep = 0.125;
  for (double k = kLeastPower; k <= kMostPower; k += kStep)
    if (distance(k) < distance(best)) best = k;
  double low = best - kStep, high = best + kStep;
  for (int i = 0; i < 60; ++i) {
    const double third = (high - low) / 3;
    if (distance(low + third) < distance(high - third))
      high -= third;
    else
      low += third;
  }
  fit.exponent = (low + high) / 2;
  const Line line = fit_line(powers(sizes, fit.exponent), costs, most);
  const double at_most = std::pow(static_cast<double>(sizes.back()), fit.exponent);
  fit.residual = line.residual;
  if (std::abs(fit.exponent) > 1e-9) {
    fit.factor = most * line.factor / fit.exponent / at_most;
    fit.constant = most * (line.constant - line.factor / fit.exponent);
  }
  const bool is_bare = sizes.size() == kLeastSizes;
  const double range = static_cast<double>(*largest - *least) / most;
  const bool is_odd = is_bare && !is_usual(fit.exponent);
  fit.holds = fit.residual <= kHolds && !is_odd;
  fit.least_exponent =
      least_power(fit.exponent, std::max((is_odd ? kSlackOfOdd : kSlack) * range, 2 * fit.residual), distance);
  fit.least_part_exponent = fit.least_exponent;
  if (costs.front() > 0 && costs.back() > 0)
    fit.least_part_exponent = std::min(
        fit.least_exponent, std::log(static_cast<double>(costs.back()) / static_cast<double>(costs.front())) /
                                std::log(static_cast<double>(sizes.back()) / static_cast<double>(sizes.front())));
  if (fit.exponent < kLeastLogPower || fit.exponent > kMostLogPower) return fit;
  std::vector<double> logs;
  for (const int64_t size : sizes) logs.push_back(static_cast<double>(size) * std::log2(static_cast<double>(size)));
  const Line log_line = fit_line(logs, costs, most);
  // A power with its constant has one number more to fit with.
  constexpr double kAsGood = 0.0005;
  if (log_line.residual > std::max(kAsGood, fit.residual)) return fit;
  fit.is_n_log_n = fit.holds = true;
  fit.residual = log_line.residual;
  fit.constant = most * log_line.constant;
  fit.factor = most * log_line.factor;
  return fit;
}

std::string growth_text(const GrowthFit& fit) {
  if (fit.is_constant) return "constant";
  if (fit.is_n_log_n) return "n log n";
  const std::string_view about = fit.holds ? "" : "about ";
  if (std::abs(fit.exponent) < 0.05) return fmt::format("{}log n", about);
  return fmt::format("{}n^{:.1f}", about, fit.exponent);
}

double Growth::share(const GrowingFunction& function) const {
  return costs.back() == 0 ? 0 : static_cast<double>(function.costs.back()) / static_cast<double>(costs.back());
}

const GrowingFunction* Growth::leader() const {
  const GrowingFunction* found = nullptr;
  for (const GrowingFunction& function : functions)
    if (share(function) >= kLeads && !function.fit.is_constant &&
        (!found || function.fit.exponent > found->fit.exponent))
      found = &function;
  return found;
}

GrowthFit Growth::rest_without(const GrowingFunction& function) const {
  std::vector<int64_t> rest;
  for (size_t i = 0; i < sizes.size(); ++i) rest.push_back(costs[i] - function.costs[i]);
  return fit_growth(sizes, rest);
}

std::string loop_place(const GrowingLoop& loop) {
  return fmt::format("{}:{}", std::filesystem::path(loop.file).filename().string(), loop.line);
}

std::string grower_text(const GrowingFunction& function) {
  constexpr double kAsMuch = 0.15;
  for (const GrowingLoop& loop : function.loops)
    if (!loop.fit.is_constant && loop.fit.exponent >= function.fit.exponent - kAsMuch)
      return fmt::format("the loop at {} in `{}`", loop_place(loop), function.name);
  return fmt::format("`{}`", function.name);
}

}  // namespace icount
