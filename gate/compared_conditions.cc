#include "icount/gate/compared_conditions.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/stats/fingerprint.h"

namespace icount {
std::optional<MarginalPair> judged_marginal(const GateSides& sides, const Result& base, const Result& head) {
  const auto has_version = [](const ResultFile& file, const Result& result) {
    const Fingerprint facts = full_fingerprint(file, result);
    return facts.find(kStubFact) || facts.find("standard");
  };
  if (!has_version(*sides.base, base) || !has_version(*sides.head, head)) return std::nullopt;
  return marginal_pair(base, head);
}

std::optional<SlopePair> judged_slopes(const GateSides& sides, const Result& base, const Result& head) {
  return slope_pair({base, full_fingerprint(*sides.base, base)}, {head, full_fingerprint(*sides.head, head)});
}

Comparability comparable_to_accepted(const Fingerprint& accepted, const Fingerprint& now) {
  return comparable(accepted, accepted_facts(now));
}

void add_differences(const Comparability& alike, std::vector<std::string>& notes) {
  notes.insert(notes.end(), alike.differences.begin(), alike.differences.end());
}

void add_neighbours(const Comparability& alike, GateBenchmark& benchmark) {
  const bool moved = std::any_of(benchmark.values.begin(), benchmark.values.end(), [](const GateValue& value) {
    return value.base && value.head && *value.base != *value.head;
  });
  if (!alike.neighbours.empty() && moved) benchmark.notes.push_back(alike.neighbours);
}

std::string slope_note(const Result& head, const std::string& difference, int64_t iterations) {
  return fmt::format("{}: {}, so what one further iteration costs (the slope, times {}) is judged", result_key(head),
                     difference, iterations);
}

std::string marginal_note(const Result& head) {
  return fmt::format(
      "{}: the cost per run depends on the number of runs, so the marginal cost per run (the slope, times {} runs) is "
      "judged, not the count",
      result_key(head), head.number_per_run);
}

}  // namespace icount
