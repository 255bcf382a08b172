#include "icount/stats/fuzz_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace icount {
namespace {

std::vector<size_t> sorted_by(const FuzzResult& result, const std::vector<double>& keys, std::vector<size_t> indices) {
  std::sort(indices.begin(), indices.end(), [&](size_t a, size_t b) {
    if (keys[a] != keys[b]) return keys[a] < keys[b];
    return result.points[a].sample < result.points[b].sample;
  });
  return indices;
}

}  // namespace

std::string_view to_text(FuzzUnit unit) { return unit == FuzzUnit::kInstructions ? "instructions" : "seconds"; }

std::vector<size_t> by_cost_per_element(const FuzzResult& result) {
  std::vector<double> keys(result.points.size());
  std::vector<size_t> indices;
  for (size_t i = 0; i < result.points.size(); ++i) {
    const FuzzPoint& point = result.points[i];
    if (!point.cost.per_run || point.elements <= 0) continue;
    keys[i] = *point.cost.per_run / static_cast<double>(point.elements);
    indices.push_back(i);
  }
  return sorted_by(result, keys, std::move(indices));
}

std::vector<size_t> by_difference(const FuzzResult& result) {
  std::vector<double> keys(result.points.size());
  std::vector<size_t> indices;
  for (size_t i = 0; i < result.points.size(); ++i) {
    const auto difference = relative_difference(result.points[i]);
    if (!difference) continue;
    keys[i] = -std::abs(*difference);
    indices.push_back(i);
  }
  return sorted_by(result, keys, std::move(indices));
}

std::optional<double> relative_difference(const FuzzPoint& point) {
  if (!point.cost.per_run || !point.against || !point.against->per_run) return std::nullopt;
  const double sum = *point.cost.per_run + *point.against->per_run;
  if (sum == 0) return std::nullopt;
  return 2 * (*point.against->per_run - *point.cost.per_run) / sum;
}

std::optional<PowerFit> fit_cost(const FuzzResult& result, bool second) {
  std::vector<std::pair<double, double>> points;
  for (const FuzzPoint& point : result.points) {
    if (second && !point.against) continue;
    const FuzzCost& cost = second ? *point.against : point.cost;
    if (cost.per_run) points.emplace_back(static_cast<double>(point.elements), *cost.per_run);
  }
  return fit_power(points);
}

int64_t failed_points(const FuzzResult& result) {
  return std::count_if(result.points.begin(), result.points.end(), [](const FuzzPoint& point) {
    return !point.cost.per_run || (point.against && !point.against->per_run);
  });
}

std::string unlike(const FuzzResult& there, const FuzzResult& here) {
  const auto differs = [](std::string_view what, const auto& one, const auto& other) {
    return one == other ? std::string() : fmt::format("the {} is '{}' there and '{}' here", what, one, other);
  };
  for (const std::string& difference :
       {differs("statement", there.stmt, here.stmt), differs("second statement", there.against, here.against),
        differs("source of samples", there.source, here.source), differs("seed", there.seed, here.seed),
        differs("number of runs", there.number, here.number), differs("unit", to_text(there.unit), to_text(here.unit)),
        differs("circumstance", there.circumstances, here.circumstances)})
    if (!difference.empty()) return difference;
  return {};
}

}  // namespace icount
