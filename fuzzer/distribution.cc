#include "icount/fuzzer/distribution.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "icount/base/error.h"

namespace icount {
namespace {

double as_number(const Bound& bound) {
  return std::visit([](auto value) { return static_cast<double>(value); }, bound);
}

std::string bound_text(const Bound& bound) {
  return std::visit([](auto value) { return fmt::format("{}", value); }, bound);
}

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorKind::kUsage, message); }

void check_bounds(const Bound& low, const Bound& high) {
  if (!std::isfinite(as_number(low)) || !std::isfinite(as_number(high)))
    fail(fmt::format("the bounds {} and {} must be finite", bound_text(low), bound_text(high)));
  const bool both_integers = low.index() == 0 && high.index() == 0;
  const bool crossed =
      both_integers ? std::get<int64_t>(low) > std::get<int64_t>(high) : as_number(low) > as_number(high);
  if (crossed)
    fail(fmt::format("the bounds are crossed: minval {} is above maxval {}", bound_text(low), bound_text(high)));
}

// Compensated sum in numpy's order, so that the same tables pass.
double kahan_sum(const std::vector<Distribution::Entry>& entries) {
  double sum = entries.front().second, lost = 0;
  for (size_t i = 1; i < entries.size(); ++i) {
    const double term = entries[i].second - lost;
    const double next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
  return sum;
}

void check_table(const std::vector<Distribution::Entry>& entries) {
  if (entries.empty()) fail("the table has no entry; give at least one value with probability 1");
  for (size_t i = 0; i < entries.size(); ++i) {
    const auto& [value, probability] = entries[i];
    if (!(probability >= 0) || !std::isfinite(probability))
      fail(fmt::format("the probability of {} is {}; it must be a number from 0 to 1", to_text(value), probability));
    for (size_t j = 0; j < i; ++j)
      if (entries[j].first == value) fail(fmt::format("the value {} appears twice in the table", to_text(value)));
  }
  const double sum = kahan_sum(entries);
  if (!(std::abs(sum - 1.0) <= kTableTolerance)) fail(fmt::format("the probabilities add up to {}, not to 1", sum));
}

}  // namespace

std::string_view to_text(FuzzMode mode) { return mode == FuzzMode::kCompatible ? "compatible" : "corrected"; }

FuzzMode parse_fuzz_mode(std::string_view text) {
  if (text == "compatible") return FuzzMode::kCompatible;
  if (text == "corrected") return FuzzMode::kCorrected;
  throw Error(ErrorKind::kUsage, fmt::format("unknown fuzzer mode '{}'; use compatible or corrected", text));
}

Distribution::Distribution(Kind kind, Bound low, Bound high) : kind_(kind), low_(low), high_(high) {}

Distribution Distribution::uniform(Bound low, Bound high) {
  check_bounds(low, high);
  return Distribution(Kind::kUniform, low, high);
}

Distribution Distribution::log_uniform(Bound low, Bound high) {
  check_bounds(low, high);
  const double low_number = as_number(low), high_number = as_number(high);
  if (low_number <= 0)
    fail(fmt::format("minval {} has no logarithm; a loguniform bound must be above 0", bound_text(low)));
  if (high_number >= 4611686018427387904.0)
    fail(fmt::format("maxval {} is too large for loguniform; it must be below 2^62", bound_text(high)));
  Distribution made(Kind::kLogUniform, low, high);
  made.first_ = static_cast<int64_t>(std::ceil(low_number));
  made.last_ = static_cast<int64_t>(std::floor(high_number));
  if (made.first_ > made.last_)
    fail(fmt::format("no integer is between minval {} and maxval {}, and loguniform draws integers", bound_text(low),
                     bound_text(high)));
  made.log_low_ = std::log2(low_number);
  made.log_high_ = std::log2(high_number);
  made.log_first_ = std::log2(static_cast<double>(made.first_));
  made.log_past_last_ = std::log2(static_cast<double>(made.last_) + 1.0);
  return made;
}

Distribution Distribution::table(std::vector<Entry> entries) {
  check_table(entries);
  Distribution made(Kind::kTable, int64_t{0}, int64_t{0});
  std::vector<double> probabilities;
  for (const auto& [value, probability] : entries) probabilities.push_back(probability);
  made.cumulative_ = cumulative_probabilities(probabilities);
  made.entries_ = std::move(entries);
  return made;
}

ParameterValue Distribution::draw_log_uniform(RandomState& state, FuzzMode mode) const {
  if (mode == FuzzMode::kCorrected) {
    const double drawn = std::pow(2.0, state.uniform(log_first_, log_past_last_));
    return std::clamp(static_cast<int64_t>(drawn), first_, last_);
  }
  const auto drawn = static_cast<int64_t>(std::pow(2.0, state.uniform(log_low_, log_high_)));
  const auto bound_value = [](const Bound& bound) {
    return std::visit([](auto value) { return ParameterValue(value); }, bound);
  };
  if (static_cast<double>(drawn) < as_number(low_)) return bound_value(low_);
  if (static_cast<double>(drawn) > as_number(high_)) return bound_value(high_);
  return drawn;
}

void Distribution::draw(RandomState& state, FuzzMode mode, ParameterValue& value) const {
  switch (kind_) {
    case Kind::kTable:
      value = entries_[std::min(state.choice(cumulative_), entries_.size() - 1)].first;
      return;
    case Kind::kLogUniform:
      value = draw_log_uniform(state, mode);
      return;
    case Kind::kUniform:
      if (low_.index() == 0 && high_.index() == 0)
        value = state.integer(std::get<int64_t>(low_), std::get<int64_t>(high_));
      else
        value = state.uniform(as_number(low_), as_number(high_));
  }
}

}  // namespace icount
