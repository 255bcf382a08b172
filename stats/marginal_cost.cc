#include "icount/stats/marginal_cost.h"

#include <algorithm>
#include <cmath>

namespace icount {
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
