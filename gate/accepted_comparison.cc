#include "icount/gate/accepted_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "icount/base/checked.h"
#include "icount/callgraph/system_calls.h"
#include "icount/gate/accepted_slope.h"
#include "icount/gate/base_comparison.h"
#include "icount/gate/compared_conditions.h"
#include "icount/gate/judged_values.h"
#include "icount/verdict/gate.h"

namespace icount {
namespace {

using State = GateBenchmark::State;

class AcceptedComparer {
 public:
  AcceptedComparer(const GateSides& sides, const LimitSet& limits, const AcceptedLines& lines)
      : sides_(sides), limits_(limits), lines_(lines) {}

  void judge(const Result& head, const Result* base, const Comparability* alike_base, GateBenchmark& benchmark) const {
    const ExpectedValue* total = find_expected(lines_, {head.event, {}, false});
    if (!total)
      return set_state(benchmark, State::kNew,
                       fmt::format("no accepted value for {} in {}, only for {}", head.event, sides_.expected_name,
                                   to_text(lines_[0]->first.second)));
    const Fingerprint& conditions = sides_.expected->conditions.at(total->conditions);
    const Fingerprint now = full_fingerprint(*sides_.head, head);
    const auto slope = accepted_slope(*total, conditions, head);
    const Comparability alike = slope ? comparable_to_accepted(without_iterations(conditions), without_iterations(now))
                                      : comparable_to_accepted(conditions, now);
    add_differences(alike, benchmark.notes);
    if (std::string why = refusal(head, *total, alike, slope.has_value()); !why.empty())
      return set_state(benchmark, State::kNotAlike, std::move(why));
    if (total->marginal && !head.slope)
      return set_state(
          benchmark, State::kNotAlike,
          fmt::format("{} has what a further run costs, and this result has no slope; measure it with this "
                      "icount, or accept it anew",
                      sides_.expected_name));
    benchmark.has_other_unit = !alike.neighbours.empty();
    if (slope) {
      benchmark.notes.push_back(slope_note(head, slope->difference(), slope->judged_iterations()));
      judge_slope(head, *total, *slope, benchmark);
    } else {
      judge_counts(head, *total, conditions, base, alike_base, benchmark);
    }
    add_neighbours(alike, benchmark);
  }

 private:
  void judge_counts(const Result& head, const ExpectedValue& total, const Fingerprint& conditions, const Result* base,
                    const Comparability* alike_base, GateBenchmark& benchmark) const {
    const auto graph = unpack_graph(head, sides_.head_name);
    std::set<Measure> measured;
    for (const MeasuredValue& value : values_for_limits(head, graph.get(), limits_)) {
      measured.insert(value.measure);
      benchmark.values.push_back(expected_side(value, lines_));
    }
    add_gone_functions(lines_, measured, benchmark);
    fill_from_base(base, alike_base, benchmark);
    if (benchmark.values.empty()) return;
    benchmark.values[0].spread = checked_add(count_spread(head), total.spread, "both spreads");
    if (!total.marginal) return;
    if (!is_bench_case(conditions)) benchmark.notes.push_back(marginal_note(head));
    take_marginal(*marginal_count(head), benchmark.values[0].head, benchmark);
  }

  /// Of another number of iterations only the slope is known.
  void judge_slope(const Result& head, const ExpectedValue& total, const AcceptedSlope& slope,
                   GateBenchmark& benchmark) const {
    benchmark.history.reset();  // counts of another number
    benchmark.number_per_run = slope.judged_iterations();
    const auto graph = unpack_graph(head, sides_.head_name);
    for (const MeasuredValue& measured : values_for_limits(head, graph.get(), limits_)) {
      GateValue value{.measure = measured.measure, .head = measured.value};
      if (measured.measure == Measure{head.event, {}, false}) {
        value.base = slope.scaled(total.accepted);
        value.reference = slope.scaled(total.reference);
        value.head = slope.head;
        value.spread = checked_add(count_spread(head), total.spread, "both spreads");
      } else {
        value.unknown = slope.difference() + "; count it with the same --number, or accept it anew";
      }
      benchmark.values.push_back(value);
    }
  }

  static const ExpectedValue* find_expected(const AcceptedLines& lines, const Measure& measure) {
    for (const auto* line : lines)
      if (line->first.second == measure) return &line->second;
    return nullptr;
  }

  std::string refusal(const Result& head, const ExpectedValue& total, const Comparability& alike, bool by_slope) const {
    std::vector<std::string> refusals = alike.refusals;
    if (!by_slope && total.number_per_run != head.number_per_run)
      refusals.push_back(fmt::format("number of runs differs: {} against {}{}", total.number_per_run,
                                     head.number_per_run,
                                     is_bench_case(sides_.expected->conditions.at(total.conditions)) && head.slope
                                         ? "; accept it anew: what one iteration costs is kept now"
                                         : ""));
    if (!refusals.empty())
      return fmt::format("measured differently from its accepted value: {}", fmt::join(refusals, "; "));
    if (alike.differences.empty() || sides_.allow_other_build) return {};
    return fmt::format("built differently from its accepted value: {}; --allow compiler compares anyway",
                       fmt::join(alike.differences, "; "));
  }

  /// A function without a line had no cost when others of its benchmark were accepted, a kind of system calls none when
  /// all calls were; without any such line it is not known.
  GateValue expected_side(const MeasuredValue& value, const AcceptedLines& lines) const {
    GateValue made{.measure = value.measure, .head = value.value};
    if (const ExpectedValue* line = find_expected(lines, value.measure)) {
      made.base = line->accepted;
      made.reference = line->reference;
    } else if (value.measure.function.empty() ? value.measure.event.starts_with(kCallsOf) &&
                                                    find_expected(lines, {std::string(kSystemCallCount), {}, false})
                                              : has_functions(lines)) {
      made.base = made.reference = 0;
    } else {
      made.unknown = fmt::format("{} has no accepted value for it; `icount accept` adds it", sides_.expected_name);
    }
    return made;
  }

  static bool has_functions(const AcceptedLines& lines) {
    return std::any_of(lines.begin(), lines.end(),
                       [](const auto* line) { return !line->first.second.function.empty(); });
  }

  void add_gone_functions(const AcceptedLines& lines, const std::set<Measure>& measured,
                          GateBenchmark& benchmark) const {
    for (const auto* line : lines) {
      const Measure& measure = line->first.second;
      if (measure.function.empty() || measured.contains(measure)) continue;
      benchmark.values.push_back(
          {.measure = measure, .base = line->second.accepted, .head = 0, .reference = line->second.reference});
    }
  }

  /// What was never accepted may still be known from the base.
  void fill_from_base(const Result* base, const Comparability* alike, GateBenchmark& benchmark) const {
    const bool lacking = std::any_of(benchmark.values.begin(), benchmark.values.end(),
                                     [](const GateValue& value) { return !value.base; });
    if (!lacking || !base || !base->ok() || !alike->comparable()) return;
    const auto graph = unpack_graph(*base, sides_.base_name);
    for (const MeasuredValue& value : values_for_limits(*base, graph.get(), limits_))
      for (GateValue& wanted : benchmark.values)
        if (!wanted.base && wanted.measure == value.measure) wanted.base = value.value;
  }

  const GateSides& sides_;
  const LimitSet& limits_;
  const AcceptedLines& lines_;
};

}  // namespace

std::map<std::string, AcceptedLines> lines_by_key(const ExpectedFile* expected) {
  std::map<std::string, AcceptedLines> lines;
  if (expected)
    for (const auto& entry : expected->values) lines[entry.first.first].push_back(&entry);
  return lines;
}

std::vector<NewlyAccepted> newly_accepted(const GateSides& sides) {
  std::vector<NewlyAccepted> found;
  if (!sides.expected || !sides.expected_before) return found;
  for (const auto& [key, now] : sides.expected->values) {
    if (!key.second.function.empty() || (sides.selected && !sides.selected(key.first))) continue;
    const auto before = sides.expected_before->values.find(key);
    if (before == sides.expected_before->values.end()) {
      if (!now.why.empty()) found.push_back({key.first, key.second, 0, now.accepted, now.why});
      continue;
    }
    const ExpectedValue& was = before->second;
    const bool by_refresh =
        now.accepted != now.reference || (now.accepted < was.accepted && now.why == was.why && !now.why.empty());
    if (now.accepted != was.accepted && !by_refresh && now.number_per_run == was.number_per_run)
      found.push_back({key.first, key.second, was.accepted, now.accepted, now.why});
  }
  std::stable_sort(found.begin(), found.end(), [](const NewlyAccepted& a, const NewlyAccepted& b) {
    const auto share = [](const NewlyAccepted& one) {
      return std::abs(std::log((static_cast<double>(one.now) + 1) / (static_cast<double>(one.before) + 1)));
    };
    return share(a) > share(b);
  });
  return found;
}

void judge_by_accepted(const GateSides& sides, const LimitSet& limits, const AcceptedLines& lines, const Result& head,
                       const Result* base, const Comparability* alike_base, GateBenchmark& benchmark) {
  AcceptedComparer(sides, limits, lines).judge(head, base, alike_base, benchmark);
}

}  // namespace icount
