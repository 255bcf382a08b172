#include "icount/stats/iteration_slopes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace icount {

int64_t SlopePair::base_count() const { return std::llround(base * static_cast<double>(head_iterations)); }
int64_t SlopePair::head_count() const { return std::llround(head * static_cast<double>(head_iterations)); }

std::string SlopePair::difference() const {
  return fmt::format("the numbers of iterations differ ({} against {})", base_iterations, head_iterations);
}

std::optional<SlopePair> slope_pair(const MeasuredUnder& base, const MeasuredUnder& head) {
  for (const MeasuredUnder* side : {&base, &head})
    if (!side->result.slope || !side->facts.find(kIterationsFact)) return std::nullopt;
  if (base.result.number_per_run == head.result.number_per_run) return std::nullopt;
  return SlopePair{*base.result.slope, *head.result.slope, base.result.number_per_run, head.result.number_per_run};
}

Fingerprint without_iterations(Fingerprint facts) {
  std::erase_if(facts.facts, [](const Fact& fact) { return fact.name == kIterationsFact; });
  return facts;
}

Comparability comparable_runs(const MeasuredUnder& base, const MeasuredUnder& head) {
  if (!slope_pair(base, head)) {
    Comparability alike = comparable(base.facts, head.facts);
    if (base.result.number_per_run != head.result.number_per_run)
      alike.refusals.push_back(
          fmt::format("number of runs differs: {} against {}", base.result.number_per_run, head.result.number_per_run));
    return alike;
  }
  return comparable(without_iterations(base.facts), without_iterations(head.facts));
}

namespace {

constexpr double kShare = 0.01;
constexpr double kMostOfMarkers = 2000;

}  // namespace

bool depends_on_number(const Result& result) {
  const auto count = median_count(result);
  if (!count || !result.fixed || !result.slope || result.number_per_run < 2) return false;
  return std::abs(*result.fixed) > std::max(kMostOfMarkers, kShare * static_cast<double>(*count));
}

std::optional<int64_t> marginal_count(const Result& result) {
  if (!result.slope) return std::nullopt;
  return std::llround(*result.slope * static_cast<double>(result.number_per_run));
}

std::optional<MarginalPair> marginal_pair(const Result& base, const Result& head) {
  const bool depends = depends_on_number(base) || depends_on_number(head);
  if (!depends || !base.slope || !head.slope || base.number_per_run != head.number_per_run) return std::nullopt;
  return MarginalPair{*base.slope, *head.slope, *marginal_count(base), *marginal_count(head)};
}

}  // namespace icount
