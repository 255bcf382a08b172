#include "icount/gate/gate_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "icount/base/checked.h"
#include "icount/base/error.h"
#include "icount/callgraph/derived_events.h"
#include "icount/stats/compare_ratio.h"
#include "icount/stats/iteration_slopes.h"
#include "icount/stats/marginal_cost.h"
#include "icount/stats/result_figures.h"
#include "icount/stats/stub_fact.h"
#include "icount/store/measurement_file.h"
#include "icount/store/result_file.h"
#include "icount/suite/suite_record.h"
#include "icount/verdict/gate_values.h"

namespace icount {
namespace {

using State = GateBenchmark::State;
using Expected = std::pair<const ExpectedKey, ExpectedValue>;

constexpr double kNanosecondsPerSecond = 1e9;

std::map<std::string, const Result*> by_key(const ResultFile* file) {
  std::map<std::string, const Result*> all;
  if (file)
    for (const Result& result : file->results) all[result_key(result)] = &result;
  return all;
}

/// nullopt as well for results of an icount that neither gave its stubs a version nor recorded how it built them: they
/// are judged as they were then, by their counts.
std::optional<MarginalPair> judged_marginal(const GateSides& sides, const Result& base, const Result& head) {
  const auto has_version = [](const ResultFile& file, const Result& result) {
    const Fingerprint facts = full_fingerprint(file, result);
    return facts.find(kStubFact) || facts.find("standard");
  };
  if (!has_version(*sides.base, base) || !has_version(*sides.head, head)) return std::nullopt;
  return marginal_pair(base, head);
}

std::optional<SlopePair> slopes_of(const GateSides& sides, const Result& base, const Result& head) {
  return slope_pair({base, full_fingerprint(*sides.base, base)}, {head, full_fingerprint(*sides.head, head)});
}

class Comparer {
 public:
  Comparer(const GateSides& sides, const LimitSet& limits) : sides_(sides), limits_(limits), base_(by_key(sides.base)) {
    if (sides.expected)
      for (const Expected& entry : sides.expected->values) expected_[entry.first.first].push_back(&entry);
  }

  Comparison compare() {
    Comparison comparison{.base_name = sides_.expected ? sides_.expected_name : sides_.base_name,
                          .head_name = sides_.head_name,
                          .partial = bool(sides_.selected)};
    std::set<std::string> seen;
    for (const Result& result : sides_.head->results) {
      const std::string key = result_key(result);
      seen.insert(key);
      // What this machine can't run and nobody ever counted (a Python without torch) is not missing.
      if (result.status == "skipped" && !base_.contains(key) && !expected_.contains(key)) continue;
      comparison.benchmarks.push_back(compare_result(result));
    }
    add_vanished(seen, comparison);
    return comparison;
  }

 private:
  GateBenchmark compare_result(const Result& head) {
    GateBenchmark benchmark{.key = result_key(head),
                            .main_event = head.event,
                            .number_per_run = head.number_per_run,
                            .unix_time = parse_record(head.extra).unix_time};
    if (!head.ok()) {
      benchmark.state = head.status == "dead"      ? State::kDead
                        : head.status == "skipped" ? State::kNotAlike
                                                   : State::kFailed;
      benchmark.reason = fmt::format("{}: {}", head.status, head.error);
      return benchmark;
    }
    const auto found = base_.find(benchmark.key);
    const Result* base = found == base_.end() ? nullptr : found->second;
    if (sides_.history) {
      const auto runs = sides_.history->find(benchmark.key);
      benchmark.history = runs == sides_.history->end() ? std::vector<int64_t>() : runs->second;
    }
    if (sides_.expected)
      judge_by_expected(head, base, benchmark);
    else
      judge_by_base(head, base, benchmark);
    if (benchmark.state == State::kCompared) add_wall_time(head, base, benchmark);
    return benchmark;
  }

  void set(GateBenchmark& benchmark, State state, std::string reason) {
    benchmark.state = state;
    benchmark.reason = std::move(reason);
    benchmark.values.clear();
  }

  // --- against accepted values

  void judge_by_expected(const Result& head, const Result* base, GateBenchmark& benchmark) {
    const auto lines = expected_.find(benchmark.key);
    if (lines == expected_.end())
      return set(benchmark, State::kNew,
                 fmt::format("no accepted value in {}; `icount accept` adds it", sides_.expected_name));
    const ExpectedValue* total = find_expected(lines->second, {head.event, {}, false});
    if (!total)
      return set(benchmark, State::kNew,
                 fmt::format("no accepted value for {} in {}, only for {}", head.event, sides_.expected_name,
                             to_text(lines->second[0]->first.second)));
    if (std::string why = refusal(head, *total); !why.empty()) return set(benchmark, State::kNotAlike, std::move(why));
    if (total->marginal && !head.slope)
      return set(benchmark, State::kNotAlike,
                 fmt::format("{} has what a further run costs, and this result has no slope; measure it with this "
                             "icount, or accept it anew",
                             sides_.expected_name));
    const auto graph = unpack_graph(head, sides_.head_name);
    std::set<Measure> measured;
    for (const MeasuredValue& value : values_for_limits(head, graph.get(), limits_)) {
      measured.insert(value.measure);
      benchmark.values.push_back(expected_side(value, lines->second));
    }
    add_gone_functions(lines->second, measured, benchmark);
    fill_from_base(head, base, benchmark);
    if (benchmark.values.empty()) return;
    benchmark.values[0].spread = checked_add(count_spread(head), total->spread, "both spreads");
    if (total->marginal) take_marginal(*marginal_count(head), benchmark.values[0].head, benchmark);
  }

  /// Puts what a further run costs in the place of a count; the history's counts keep their steps and follow.
  static void take_marginal(int64_t marginal, std::optional<int64_t>& count, GateBenchmark& benchmark) {
    const int64_t shift = checked_sub(marginal, *count, "a marginal cost");
    count = marginal;
    if (benchmark.history)
      for (int64_t& earlier : *benchmark.history) earlier = checked_add(earlier, shift, "a marginal cost");
  }

  static const ExpectedValue* find_expected(const std::vector<const Expected*>& lines, const Measure& measure) {
    for (const Expected* line : lines)
      if (line->first.second == measure) return &line->second;
    return nullptr;
  }

  std::string refusal(const Result& head, const ExpectedValue& total) const {
    const Comparability alike =
        comparable_to_accepted(sides_.expected->conditions.at(total.conditions), full_fingerprint(*sides_.head, head));
    std::vector<std::string> refusals = alike.refusals;
    if (total.number_per_run != head.number_per_run)
      refusals.push_back(
          fmt::format("number of runs differs: {} against {}", total.number_per_run, head.number_per_run));
    if (!refusals.empty())
      return fmt::format("measured differently from its accepted value: {}", fmt::join(refusals, "; "));
    if (alike.differences.empty() || sides_.allow_other_build) return {};
    return fmt::format("built differently from its accepted value: {}; --allow compiler compares anyway",
                       fmt::join(alike.differences, "; "));
  }

  /// A function without a line had no cost when others of its benchmark were accepted; without any such line it is not
  /// known.
  GateValue expected_side(const MeasuredValue& value, const std::vector<const Expected*>& lines) const {
    GateValue made{.measure = value.measure, .head = value.value};
    if (const ExpectedValue* line = find_expected(lines, value.measure)) {
      made.base = line->accepted;
      made.reference = line->reference;
    } else if (!value.measure.function.empty() && has_functions(lines)) {
      made.base = made.reference = 0;
    } else {
      made.unknown = fmt::format("{} has no accepted value for it; `icount accept` adds it", sides_.expected_name);
    }
    return made;
  }

  static bool has_functions(const std::vector<const Expected*>& lines) {
    return std::any_of(lines.begin(), lines.end(),
                       [](const Expected* line) { return !line->first.second.function.empty(); });
  }

  void add_gone_functions(const std::vector<const Expected*>& lines, const std::set<Measure>& measured,
                          GateBenchmark& benchmark) const {
    for (const Expected* line : lines) {
      const Measure& measure = line->first.second;
      if (measure.function.empty() || measured.contains(measure)) continue;
      benchmark.values.push_back(
          {.measure = measure, .base = line->second.accepted, .head = 0, .reference = line->second.reference});
    }
  }

  /// What was never accepted may still be known from the base.
  void fill_from_base(const Result& head, const Result* base, GateBenchmark& benchmark) const {
    const bool lacking = std::any_of(benchmark.values.begin(), benchmark.values.end(),
                                     [](const GateValue& value) { return !value.base; });
    if (!lacking || !base || !base->ok() || !comparable_results(head, *base).empty()) return;
    const auto graph = unpack_graph(*base, sides_.base_name);
    for (const MeasuredValue& value : values_for_limits(*base, graph.get(), limits_))
      for (GateValue& wanted : benchmark.values)
        if (!wanted.base && wanted.measure == value.measure) wanted.base = value.value;
  }

  // --- against a base

  std::string comparable_results(const Result& head, const Result& base) const {
    std::vector<std::string> refusals =
        comparable_runs({base, full_fingerprint(*sides_.base, base)}, {head, full_fingerprint(*sides_.head, head)})
            .refusals;
    if (base.event != head.event)
      refusals.push_back(fmt::format("event differs: {} against {}", base.event, head.event));
    return refusals.empty() ? std::string()
                            : fmt::format("not measured as in {}: {}", sides_.base_name, fmt::join(refusals, "; "));
  }

  void judge_by_base(const Result& head, const Result* base, GateBenchmark& benchmark) {
    if (!base) return set(benchmark, State::kNew, fmt::format("{} has no such benchmark", sides_.base_name));
    if (!base->ok())
      return set(benchmark, State::kBaseFailed,
                 fmt::format("{} has no number for it: {}: {}", sides_.base_name, base->status, base->error));
    if (std::string why = comparable_results(head, *base); !why.empty())
      return set(benchmark, State::kNotAlike, std::move(why));
    if (const auto slopes = slopes_of(sides_, *base, head)) return judge_slopes(head, *slopes, benchmark);
    const auto head_graph = unpack_graph(head, sides_.head_name), base_graph = unpack_graph(*base, sides_.base_name);
    std::map<Measure, GateValue> values;
    for (const MeasuredValue& value : values_for_limits(head, head_graph.get(), limits_))
      values[value.measure] = {.measure = value.measure, .head = value.value};
    for (const MeasuredValue& value : values_for_limits(*base, base_graph.get(), limits_)) {
      values[value.measure].measure = value.measure;
      values[value.measure].base = value.value;
    }
    for (auto& [measure, value] : values) {
      // With a graph, a function that is not there cost nothing; without one, nothing is known.
      const bool function = !measure.function.empty();
      if (!value.head && function && head_graph) value.head = 0;
      if (!value.base && function && base_graph) value.base = 0;
      if (!value.base || !value.head)
        value.unknown = fmt::format(
            "{} does not know it ({})", value.base ? sides_.head_name : sides_.base_name,
            function || measure.event == head.event ? "no cost graph was kept?" : unmeasured(measure.event));
      if (measure == Measure{head.event, {}, false}) {
        value.spread = checked_add(count_spread(head), count_spread(*base), "both spreads");
        if (const auto marginal = judged_marginal(sides_, *base, head)) {  // said by differences_of
          take_marginal(marginal->base_count, value.base, benchmark);
          value.head = marginal->head_count;
        }
      }
      benchmark.values.push_back(value);
    }
  }

  /// Of another number of iterations only the slope is known.
  void judge_slopes(const Result& head, const SlopePair& slopes, GateBenchmark& benchmark) const {
    benchmark.history.reset();  // counts of another number
    const auto graph = unpack_graph(head, sides_.head_name);
    for (const MeasuredValue& measured : values_for_limits(head, graph.get(), limits_)) {
      GateValue value{.measure = measured.measure, .head = measured.value};
      if (measured.measure == Measure{head.event, {}, false}) {
        value.base = slopes.base_count();
        value.head = slopes.head_count();
      } else {
        value.unknown = slopes.difference() + "; count both with the same --number";
      }
      benchmark.values.push_back(value);
    }
  }

  /// What would have measured an event.
  static std::string_view unmeasured(const std::string& event) {
    if (is_memory_event(event)) return "--memory measures it, for programs";
    const NeededEvents needed = needed_events(event);
    if (needed.cache || needed.branch) return "--events cache,branch measures it";
    return needed.syscalls ? "--syscalls measures it" : "no cost graph was kept?";
  }

  void add_wall_time(const Result& head, const Result* base, GateBenchmark& benchmark) const {
    const Measure wall{std::string(kWallTime), {}, false};
    if (!limits_.change_limit(benchmark.key, wall, benchmark.main_event)) return;
    GateValue value{.measure = wall};
    if (head.measurement.empty() || !base || base->measurement.empty()) {
      value.unknown = head.measurement.empty() ? "this result has no timing"
                                               : "there is no base with a timing (accepted values hold counts only)";
    } else {
      const Measurement before = parse_measurement(parse_json(base->measurement, sides_.base_name), sides_.base_name);
      const Measurement now = parse_measurement(parse_json(head.measurement, sides_.head_name), sides_.head_name);
      value.base = std::llround(before.median() * kNanosecondsPerSecond);
      value.head = std::llround(now.median() * kNanosecondsPerSecond);
      value.ratio = median_ratio(before, now).interval;
      if (!value.ratio) value.unknown = "a side has too few blocks for an interval (six are needed)";
    }
    benchmark.values.push_back(std::move(value));
  }

  bool is_missing(const std::string& key, const std::set<std::string>& seen) const {
    return !seen.contains(key) && (!sides_.selected || sides_.selected(key));
  }

  void add_vanished(const std::set<std::string>& seen, Comparison& comparison) const {
    std::map<std::string, std::string> gone;
    for (const auto& [key, lines] : expected_)
      if (is_missing(key, seen))
        gone[key] =
            fmt::format("{} has a value for it, but it was not measured; `icount accept --drop-missing` takes it out",
                        sides_.expected_name);
    if (!sides_.expected)
      for (const auto& [key, result] : base_)
        if (is_missing(key, seen)) gone[key] = fmt::format("{} has it, but it was not measured", sides_.base_name);
    for (auto& [key, reason] : gone)
      comparison.benchmarks.push_back({.key = key, .state = State::kVanished, .reason = std::move(reason)});
  }

  const GateSides& sides_;
  const LimitSet& limits_;
  std::map<std::string, const Result*> base_;
  std::map<std::string, std::vector<const Expected*>> expected_;
};

}  // namespace

Comparison make_comparison(const GateSides& sides, const LimitSet& limits) { return Comparer(sides, limits).compare(); }

Comparability comparable_to_accepted(const Fingerprint& accepted, const Fingerprint& now) {
  return comparable(accepted, accepted_facts(now));
}

std::vector<std::string> differences_of(const GateSides& sides) {
  std::vector<std::string> notes;
  const auto add = [&](const std::vector<std::string>& differences) {
    for (const std::string& difference : differences)
      if (std::find(notes.begin(), notes.end(), difference) == notes.end()) notes.push_back(difference);
  };
  const auto base = by_key(sides.base);
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
        add(comparable_to_accepted(sides.expected->conditions.at(accepted->second.conditions), now).differences);
        if (accepted->second.marginal) note_marginal();
      }
    }
    const auto found = base.find(result_key(head));
    if (found == base.end()) continue;
    if (found->second->ok() && !sides.expected && judged_marginal(sides, *found->second, head)) note_marginal();
    if (const auto slopes = slopes_of(sides, *found->second, head); slopes && !sides.expected)
      add({fmt::format("{}: {}, so what one further iteration costs (the slope, times {}) is judged", result_key(head),
                       slopes->difference(), head.number_per_run)});
    add(comparable(full_fingerprint(*sides.base, *found->second), now).differences);
  }
  return notes;
}

}  // namespace icount
