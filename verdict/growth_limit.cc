#include "icount/verdict/growth_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "icount/base/text.h"

namespace icount {
namespace {

// Functions with less of the cost have no limit; nor has a loop that runs less often than this share of its function's
// instructions: few iterations depend on chance, not on the size.
constexpr double kLimited = 0.01;
// What grew as n^1.0 and grows as n^1.2 got a logarithm at most.
constexpr double kRise = 0.3;
// A loop with fewer iterations has no part in a rise.
constexpr int64_t kIterations = 100;

double power_of(const GrowthFit& fit) { return fit.is_constant ? 0 : fit.exponent; }
bool exceeds(const GrowthFit& whole, double most) { return !whole.is_constant && whole.least_exponent > most; }
bool part_exceeds(const GrowthFit& part, double most) { return !part.is_constant && part.least_part_exponent > most; }

bool runs_often(const GrowingLoop& loop, const GrowingFunction& function) {
  return static_cast<double>(loop.iterations.back()) >= kLimited * static_cast<double>(function.costs.back());
}

/// A function or a loop that surely grows faster: what bends the whole is then no block or threshold.
bool has_faster_part(const Growth& growth, double most) {
  const auto is_faster = [&](const GrowthFit& fit) { return fit.holds && part_exceeds(fit, most); };
  for (const GrowingFunction& function : growth.functions) {
    if (growth.share(function) < kLimited) continue;
    if (is_faster(function.fit)) return true;
    for (const GrowingLoop& loop : function.loops)
      if (runs_often(loop, function) && is_faster(loop.fit)) return true;
  }
  return false;
}

std::string loop_text(const GrowingLoop& loop, const GrowingFunction& function) {
  return fmt::format("iterations of the loop at {} in `{}` grow as {}", loop_place(loop), function.name,
                     growth_text(loop.fit));
}

/// What functions of the head may grow by, from the base.
class Bounds {
 public:
  Bounds(const Growth& head, const Growth& base) : base_(base) {
    std::set<std::string> names;
    for (const GrowingFunction& function : head.functions) names.insert(function.name);
    for (const GrowingFunction& function : base.functions) {
      fastest_ = std::max(fastest_, fastest_power(function));
      if (!names.contains(function.name)) gone_ = std::max(gone_, fastest_power(function));
    }
    fastest_ = std::max(fastest_, power_of(base.whole));
  }

  double of(const GrowingFunction& function) const {
    // What is linear as a whole may have another linear part.
    double bound = std::max(gone_, std::min(1.0, power_of(base_.whole)));
    bool is_known = false;
    for (const GrowingFunction& one : base_.functions)
      if (one.name == function.name) {
        bound = std::max(bound, fastest_power(one));
        is_known = true;
      }
    return is_known ? bound : std::max(bound, fastest_);
  }

 private:
  const Growth& base_;
  double fastest_ = 0, gone_ = 0;
};

}  // namespace

double fastest_power(const GrowingFunction& function) {
  double most = power_of(function.fit);
  for (const GrowingLoop& loop : function.loops)
    if (loop.iterations.back() >= kIterations) most = std::max(most, power_of(loop.fit));
  return most;
}

std::vector<std::string> find_excesses(const Growth& growth, const GrowthLimit& limit) {
  std::vector<std::string> said;
  if (limit.max_exponent &&
      (exceeds(growth.whole, *limit.max_exponent) ||
       (growth.whole.exponent > *limit.max_exponent && has_faster_part(growth, *limit.max_exponent))))
    said.push_back(fmt::format("{} grows as {}, more than n^{}{}", growth.event, growth_text(growth.whole),
                               *limit.max_exponent,
                               growth.leader() ? ": " + grower_text(*growth.leader()) : std::string()));
  for (size_t i = 1; limit.max_ratio && i < growth.costs.size(); ++i) {
    const double ratio = static_cast<double>(growth.costs[i]) / static_cast<double>(growth.costs[i - 1]);
    if (ratio > *limit.max_ratio)
      said.push_back(fmt::format("{} at n = {} is {:.4g} times that at n = {}, more than {}", growth.event,
                                 growth.sizes[i], ratio, growth.sizes[i - 1], *limit.max_ratio));
  }
  if (!limit.max_function_exponent) return said;
  for (const GrowingFunction& function : growth.functions) {
    if (growth.share(function) < kLimited) continue;
    if (part_exceeds(function.fit, *limit.max_function_exponent))
      said.push_back(fmt::format("`{}` grows as {}, more than n^{}", function.name, growth_text(function.fit),
                                 *limit.max_function_exponent));
    for (const GrowingLoop& loop : function.loops)
      if (runs_often(loop, function) && part_exceeds(loop.fit, *limit.max_function_exponent))
        said.push_back(fmt::format("{}, more than n^{}", loop_text(loop, function), *limit.max_function_exponent));
  }
  return said;
}

std::vector<std::string> find_rises(const Growth& head, const Growth& base) {
  std::vector<std::string> said;
  if (exceeds(head.whole, power_of(base.whole) + kRise))
    said.push_back(fmt::format("{} grows as {}, and as {} in the base", head.event, growth_text(head.whole),
                               growth_text(base.whole)));
  if (base.functions.empty()) return said;
  const Bounds bounds(head, base);
  for (const GrowingFunction& function : head.functions) {
    const double bound = bounds.of(function);
    const auto add = [&](const std::string& what) {
      said.push_back(fmt::format("{}; in the base nothing there grows faster than n^{:.1f}", what, bound));
    };
    if (part_exceeds(function.fit, bound + kRise)) {
      add(fmt::format("`{}` grows as {}", function.name, growth_text(function.fit)));
      continue;
    }
    for (const GrowingLoop& loop : function.loops)
      if (loop.iterations.back() >= kIterations && part_exceeds(loop.fit, bound + kRise))
        add(loop_text(loop, function));
  }
  return said;
}

std::string flat_text(const Growth& growth, const GrowthLimit& limit) {
  constexpr double kRoot = 0.5;
  if (!growth.whole.is_constant || limit.max_exponent.value_or(1) < kRoot) return {};
  const auto [least, most] = std::minmax_element(growth.costs.begin(), growth.costs.end());
  if (*least == *most) return "costs the same at every size: nothing in it depends on n, so it measures nothing";
  return fmt::format("hardly depends on n ({} to {} {}): choose larger sizes, or count less beside it",
                     with_thousands(*least), with_thousands(*most), growth.event);
}

}  // namespace icount
