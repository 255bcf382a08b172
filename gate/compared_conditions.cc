#include "icount/gate/compared_conditions.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/gate/accepted_slope.h"
#include "icount/stats/fingerprint.h"

namespace icount {
namespace {

std::string slope_note(const Result& head, const std::string& difference, int64_t iterations) {
  return fmt::format("{}: {}, so what one further iteration costs (the slope, times {}) is judged", result_key(head),
                     difference, iterations);
}

}  // namespace

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

std::vector<std::string> differences_of(const GateSides& sides) {
  std::vector<std::string> notes;
  const auto add = [&](const std::vector<std::string>& differences) {
    for (const std::string& difference : differences)
      if (std::find(notes.begin(), notes.end(), difference) == notes.end()) notes.push_back(difference);
  };
  const auto add_all = [&](const Comparability& alike) {
    add(alike.differences);
    if (!alike.neighbours.empty()) add({alike.neighbours});
  };
  const auto base = results_by_key(sides.base);
  for (const Result& head : sides.head->results) {
    if (!head.ok()) continue;
    const Fingerprint now = full_fingerprint(*sides.head, head);
    const auto note_marginal = [&] {
      add(
          {fmt::format("{}: the cost per run depends on the number of runs, so the marginal cost per run (the slope, "
                       "times {} runs) is judged, not the count",
                       result_key(head), head.number_per_run)});
    };
    if (sides.expected) {
      const auto accepted = sides.expected->values.find({result_key(head), {head.event, {}, false}});
      if (accepted != sides.expected->values.end()) {
        const Fingerprint& conditions = sides.expected->conditions.at(accepted->second.conditions);
        add_all(comparable_to_accepted(conditions, now));
        if (const auto slope = accepted_slope(accepted->second, conditions, head))
          add({slope_note(head, slope->difference(), slope->judged_iterations())});
        else if (accepted->second.marginal && !is_bench_case(conditions))
          note_marginal();
      }
    }
    const auto found = base.find(result_key(head));
    if (found == base.end()) continue;
    if (found->second->ok() && !sides.expected && judged_marginal(sides, *found->second, head)) note_marginal();
    if (const auto slopes = judged_slopes(sides, *found->second, head); slopes && !sides.expected)
      add({slope_note(head, slopes->difference(), head.number_per_run)});
    add_all(comparable(full_fingerprint(*sides.base, *found->second), now));
  }
  return notes;
}

}  // namespace icount
