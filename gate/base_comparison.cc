#include "icount/gate/base_comparison.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "icount/base/checked.h"
#include "icount/callgraph/derived_events.h"
#include "icount/callgraph/system_calls.h"
#include "icount/gate/compared_conditions.h"
#include "icount/gate/judged_values.h"
#include "icount/stats/compare_ratio.h"
#include "icount/stats/result.h"
#include "icount/store/measurement_file.h"
#include "icount/verdict/gate.h"

namespace icount {
namespace {

using State = GateBenchmark::State;

constexpr double kNanosecondsPerSecond = 1e9;

/// Of another number of iterations only the slope is known.
void judge_slopes(const GateSides& sides, const LimitSet& limits, const Result& head, const SlopePair& slopes,
                  GateBenchmark& benchmark) {
  benchmark.history.reset();  // counts of another number
  const auto graph = unpack_graph(head, sides.head_name);
  for (const MeasuredValue& measured : values_for_limits(head, graph.get(), limits)) {
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

/// A kind of system calls that the other side has.
std::optional<int64_t> exact_calls(const Result& result, const CostGraph* graph, std::string_view event) {
  return graph && count_spread(result) == 0 ? calls_of_kind(*graph, event) : std::nullopt;
}

/// What would have measured an event.
std::string_view unmeasured(const std::string& event) {
  if (is_memory_event(event)) return "--memory measures it, for programs and benchmark binaries";
  const NeededEvents needed = needed_events(event);
  if (needed.cache || needed.branch) return "--events cache,branch measures it";
  return needed.syscalls ? "--syscalls measures it" : "no cost graph was kept?";
}

}  // namespace

Comparability comparable_to_base(const GateSides& sides, const Result& head, const Result& base) {
  Comparability alike =
      comparable_runs({base, full_fingerprint(*sides.base, base)}, {head, full_fingerprint(*sides.head, head)});
  if (base.event != head.event)
    alike.refusals.push_back(fmt::format("event differs: {} against {}", base.event, head.event));
  return alike;
}

void judge_by_base(const GateSides& sides, const LimitSet& limits, const Result& head, const Result* base,
                   const Comparability* alike, GateBenchmark& benchmark) {
  if (!base) return set_state(benchmark, State::kNew, fmt::format("{} has no such benchmark", sides.base_name));
  if (!base->ok())
    return set_state(benchmark, base->status == kNotGateable ? State::kNotGateable : State::kBaseFailed,
                     fmt::format("{} has no number for it: {}: {}", sides.base_name, base->status, base->error));
  if (!alike->comparable())
    return set_state(benchmark, State::kNotAlike,
                     fmt::format("not measured as in {}: {}", sides.base_name, fmt::join(alike->refusals, "; ")));
  benchmark.has_other_unit = !alike->neighbours.empty();
  if (const auto slopes = judged_slopes(sides, *base, head)) {
    benchmark.notes.push_back(slope_note(head, slopes->difference(), head.number_per_run));
    return judge_slopes(sides, limits, head, *slopes, benchmark);
  }
  const auto head_graph = unpack_graph(head, sides.head_name), base_graph = unpack_graph(*base, sides.base_name);
  std::map<Measure, GateValue> values;
  for (const MeasuredValue& value : values_for_limits(head, head_graph.get(), limits))
    values[value.measure] = {.measure = value.measure, .head = value.value};
  for (const MeasuredValue& value : values_for_limits(*base, base_graph.get(), limits)) {
    values[value.measure].measure = value.measure;
    values[value.measure].base = value.value;
  }
  for (auto& [measure, value] : values) {
    // With a graph, a function that is not there cost nothing; without one, nothing is known.
    const bool function = !measure.function.empty();
    if (!value.head && function && head_graph) value.head = 0;
    if (!value.base && function && base_graph) value.base = 0;
    if (!value.head) value.head = exact_calls(head, head_graph.get(), measure.event);
    if (!value.base) value.base = exact_calls(*base, base_graph.get(), measure.event);
    if (!value.base || !value.head)
      value.unknown =
          fmt::format("{} does not know it ({})", value.base ? sides.head_name : sides.base_name,
                      function || measure.event == head.event ? "no cost graph was kept?" : unmeasured(measure.event));
    if (measure == Measure{head.event, {}, false}) {
      value.spread = checked_add(count_spread(head), count_spread(*base), "both spreads");
      if (const auto marginal = judged_marginal(sides, *base, head)) {
        benchmark.notes.push_back(marginal_note(head));
        take_marginal(marginal->base_count, value.base, benchmark);
        value.head = marginal->head_count;
      }
    }
    benchmark.values.push_back(value);
  }
}

void add_wall_time(const GateSides& sides, const LimitSet& limits, const Result& head, const Result* base,
                   GateBenchmark& benchmark) {
  const Measure wall{std::string(kWallTime), {}, false};
  if (!limits.change_limit(benchmark.key, wall, benchmark.main_event)) return;
  GateValue value{.measure = wall};
  if (head.measurement.empty() || !base || base->measurement.empty()) {
    value.unknown = head.measurement.empty() ? "this result has no timing"
                                             : "there is no base with a timing (accepted values hold counts only)";
  } else {
    const Measurement before = parse_measurement(parse_json(base->measurement, sides.base_name), sides.base_name);
    const Measurement now = parse_measurement(parse_json(head.measurement, sides.head_name), sides.head_name);
    value.base = std::llround(before.median() * kNanosecondsPerSecond);
    value.head = std::llround(now.median() * kNanosecondsPerSecond);
    value.ratio = median_ratio(before, now).interval;
    if (!value.ratio) value.unknown = "a side has too few blocks for an interval (six are needed)";
  }
  benchmark.values.push_back(std::move(value));
}

}  // namespace icount
