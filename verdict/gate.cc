#include "icount/verdict/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "icount/base/checked.h"
#include "icount/base/text.h"
#include "icount/callgraph/system_calls.h"

namespace icount {
namespace {

using Values = std::map<Measure, int64_t>;

void add_functions(const GateLimit& limit, const CostGraph& graph, size_t event, const LimitSet& limits,
                   Values& values) {
  std::optional<InclusiveCosts> inclusive;
  if (limit.inclusive) inclusive = make_inclusive_costs(graph);
  Values found;  // of this limit alone: two limits on one function must not add it up twice
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) {
    const std::string name(graph.name(f));
    if (!limits.matches_function(limit, name)) continue;
    int64_t& value = found[{graph.events[event], name, limit.inclusive}];
    value = saturating_add(value, inclusive ? inclusive->of(f, event) : graph.self_of(f, event));
  }
  for (const auto& [measure, value] : found) values[measure] = value;
}

}  // namespace

std::vector<MeasuredValue> values_for_limits(const Result& result, const CostGraph* graph, const LimitSet& limits) {
  std::vector<MeasuredValue> all;
  const Measure main{result.event, {}, false};
  if (const auto median = median_count(result)) all.push_back({main, *median});
  Values values;
  for (const GateLimit* limit : limits.beyond_totals(result_key(result))) {
    const std::string& name = limit->event.empty() ? result.event : limit->event;
    if (limit->function.empty()) {
      if (const auto total = event_total(result, graph, name)) values[{name, {}, false}] = *total;
    } else if (const auto event = graph ? graph->event_index(name) : std::nullopt) {
      add_functions(*limit, *graph, *event, limits, values);
    }
  }
  // Of repeats that differ the figures of one say too little.
  if (is_test(result) && count_spread(result) == 0)
    for (const std::string_view name : {"allocations", "bytes", "peak_bytes"})
      if (const auto total = find_figure(result, name)) values[{std::string(name), {}, false}] = *total;
  if (const auto calls = graph ? graph->event_index(kSystemCallCount) : std::nullopt;
      calls && is_test(result) && count_spread(result) == 0) {
    values[{std::string(kSystemCallCount), {}, false}] = graph->totals[*calls];
    for (const SystemCall& call : system_calls(*graph))
      values[{std::string(kCallsOf) + call.name, {}, false}] = call.calls;
  }
  values.erase(main);
  for (const auto& [measure, value] : values) all.push_back({measure, value});
  return all;
}

std::string step_text(const GateValue& value, int64_t from) {
  const int64_t delta = checked_sub(*value.head, from, "change");
  const std::string share =
      from == 0 ? "from 0" : fmt::format("{:+.2f} %", 100.0 * static_cast<double>(delta) / static_cast<double>(from));
  std::string text = fmt::format("{} {} -> {}, {} ({})", to_text(value.measure), with_thousands(from),
                                 with_thousands(*value.head), with_sign(delta), share);
  if (value.spread > 0) text += fmt::format(", repeats of both sides differ by {}", with_thousands(value.spread));
  return text;
}

namespace {

// One benchmark's numbers against the limits: what changed, crept or cannot be judged.

Allowance doubled(const Allowance& allowance) {
  Allowance twice = allowance;
  if (twice.percent) twice.percent = twice.percent->doubled();
  if (twice.absolute) twice.absolute = checked_mul(2, *twice.absolute, "creep allowance");
  return twice;
}

std::string limit_words(const GateLimit& limit, const Allowance& allowance) {
  return fmt::format("{} of {} ({})", allowance.demands_improvement() ? "the demanded improvement" : "the limit",
                     to_text(allowance), limit.place);
}

/// Everything that is said about one benchmark's numbers.
class BenchmarkJudge {
 public:
  BenchmarkJudge(const GateBenchmark& benchmark, const LimitSet& limits, Verdict& verdict)
      : benchmark_(benchmark), limits_(limits), verdict_(verdict) {}

  void judge() {
    for (const GateValue& value : benchmark_.values) {
      if (value.measure.event == kWallTime) {
        judge_wall(value);
      } else {
        judge_change(value);
        judge_creep(value);
      }
    }
  }

 private:
  void add(FindingKind kind, Severity severity, const GateValue& value, const GateLimit& limit,
           const Allowance& allowance, std::string text) {
    if (benchmark_.has_other_unit && kind != FindingKind::kUnjudged) text += fmt::format("; but {}", kOtherUnit);
    verdict_.findings.push_back({kind, severity, benchmark_.key, value.measure, value.base, value.head,
                                 to_text(allowance), limit.place, std::move(text)});
  }

  void unjudged(const GateValue& value, const GateLimit& limit, const Allowance& allowance, std::string_view why) {
    if (limit.source == LimitSource::kDefault) return;
    add(FindingKind::kUnjudged, Severity::kCannotJudge, value, limit, allowance,
        fmt::format("{} has {}, but {}", to_text(value.measure), limit_words(limit, allowance), why));
  }

  /// `to` exceeds the allowance even when it is taken as much smaller as the repeats differ.
  static bool surely_exceeds(const Allowance& allowance, int64_t from, int64_t to, int64_t spread) {
    return exceeds(allowance, from, checked_sub(to, spread, "value less its spread"));
  }

  /// Of a test's figures without one it is that of its count.
  const GateLimit* change_limit(const GateValue& value) const {
    const GateLimit* limit = limits_.change_limit(benchmark_.key, value.measure, benchmark_.main_event);
    if (limit || !benchmark_.is_test || !value.measure.function.empty() || !value.base || !value.head) return limit;
    return limits_.change_limit(benchmark_.key, {benchmark_.main_event, {}, false}, benchmark_.main_event);
  }

  void judge_change(const GateValue& value) {
    const GateLimit* limit = change_limit(value);
    if (!limit || limit->change.unlimited) return;
    const Allowance& allowance = limit->change;
    if (!value.base || !value.head) return unjudged(value, *limit, allowance, value.unknown);
    if (surely_exceeds(allowance, *value.base, *value.head, value.spread)) {
      const std::string_view how = allowance.demands_improvement() ? "short of" : "over";
      add(FindingKind::kRegressed, Severity::kRefusal, value, *limit, allowance,
          fmt::format("{}, {} {}", step_text(value, *value.base), how, limit_words(*limit, allowance)));
    } else if (!allowance.demands_improvement() && surely_exceeds(allowance, *value.head, *value.base, value.spread)) {
      add(FindingKind::kImproved, Severity::kNote, value, *limit, allowance, step_text(value, *value.base));
    }
  }

  void judge_creep(const GateValue& value) {
    const GateLimit* limit = limits_.creep_limit(benchmark_.key, value.measure, benchmark_.main_event);
    if (!limit) return judge_creep_by_default(value);
    if (limit->creep.unlimited) return;
    if (limit->creep_runs) return judge_creep_of_runs(value, *limit);
    if (!value.reference || !value.head)
      return unjudged(value, *limit, limit->creep,
                      "unknown when it was last accepted on purpose (the file of accepted values records that)");
    judge_creep_since(value, *limit, limit->creep);
  }

  /// Nobody wrote a limit for creep: twice what one change may be.
  void judge_creep_by_default(const GateValue& value) {
    const GateLimit* limit = change_limit(value);
    if (!limit || limit->change.unlimited || limit->change.demands_improvement() || !value.reference || !value.head)
      return;
    judge_creep_since(value, *limit, doubled(limit->change));
  }

  void judge_creep_since(const GateValue& value, const GateLimit& limit, const Allowance& allowance) {
    // A change over its own limit is said once, as that.
    if (already_regressed(value.measure) || !surely_exceeds(allowance, *value.reference, *value.head, value.spread))
      return;
    add_creep(value, limit, allowance, *value.reference,
              fmt::format("{} since it was last accepted on purpose, in steps each within its own limit: over {}",
                          step_text(value, *value.reference), limit_words(limit, allowance)));
  }

  void judge_creep_of_runs(const GateValue& value, const GateLimit& limit) {
    if (!benchmark_.history || !value.head || !value.measure.function.empty() ||
        value.measure.event != benchmark_.main_event)
      return unjudged(value, limit, limit.creep,
                      "there is no history of earlier runs for it (--against STORE:NAME has one)");
    const std::vector<int64_t>& all = *benchmark_.history;
    if (all.empty() || already_regressed(value.measure)) return;
    const auto runs = std::min(all.size(), static_cast<size_t>(*limit.creep_runs));
    std::vector<int64_t> window(all.end() - static_cast<std::ptrdiff_t>(runs), all.end());
    window.push_back(*value.head);
    const GateLimit* change = limits_.change_limit(benchmark_.key, value.measure, benchmark_.main_event);
    int64_t sum = 0;
    for (size_t i = 1; i < window.size(); ++i) {
      const bool judged_alone = change && (exceeds(change->change, window[i - 1], window[i]) ||
                                           exceeds(change->change, window[i], window[i - 1]));
      if (!judged_alone) sum = checked_add(sum, checked_sub(window[i], window[i - 1], "step"), "sum of steps");
    }
    const int64_t from = checked_sub(*value.head, sum, "start of the window");
    if (!surely_exceeds(limit.creep, from, *value.head, value.spread)) return;
    add_creep(value, limit, limit.creep, from,
              fmt::format("{} over the last {} runs, in steps each within its own limit: over {}",
                          step_text(value, from), runs, limit_words(limit, limit.creep)));
  }

  void add_creep(const GateValue& value, const GateLimit& limit, const Allowance& allowance, int64_t from,
                 std::string text) {
    add(FindingKind::kCreep, Severity::kRefusal, value, limit, allowance, std::move(text));
    verdict_.findings.back().base = from;
  }

  bool already_regressed(const Measure& measure) const {
    return std::any_of(verdict_.findings.begin(), verdict_.findings.end(), [&](const Finding& finding) {
      return finding.kind == FindingKind::kRegressed && finding.benchmark == benchmark_.key &&
             finding.measure == measure;
    });
  }

  void judge_wall(const GateValue& value) {
    const GateLimit* limit = limits_.change_limit(benchmark_.key, value.measure, benchmark_.main_event);
    if (!limit || limit->change.unlimited) return;
    const Allowance& allowance = limit->change;
    if (!value.base || !value.head || !value.ratio) return unjudged(value, *limit, allowance, value.unknown);
    // The end of the interval that speaks for the change: what is asked for must be sure, what is refused must be sure.
    const double ratio = allowance.demands_improvement() ? value.ratio->high : value.ratio->low;
    const auto head = static_cast<int64_t>(std::llround(static_cast<double>(*value.base) * ratio));
    const std::string text =
        fmt::format("wall time {} -> {} ns, {:+.1f} % to {:+.1f} % (95 % interval)", with_thousands(*value.base),
                    with_thousands(*value.head), 100 * (value.ratio->low - 1), 100 * (value.ratio->high - 1));
    if (exceeds(allowance, *value.base, head))
      add(FindingKind::kRegressed, Severity::kRefusal, value, *limit, allowance,
          fmt::format("{}, {} {}", text, allowance.demands_improvement() ? "not surely within" : "surely over",
                      limit_words(*limit, allowance)));
    else if (!allowance.demands_improvement() && value.ratio->high < 1)
      add(FindingKind::kImproved, Severity::kNote, value, *limit, allowance, text);
  }

  const GateBenchmark& benchmark_;
  const LimitSet& limits_;
  Verdict& verdict_;
};

/// Appends what there is to say about each of the benchmark's values to `verdict.findings`, in no order of weight. A
/// value over its own limit is not reported as creep, too. Throws Error{kMalformed} where figures leave int64.
void judge_numbers(const GateBenchmark& benchmark, const LimitSet& limits, Verdict& verdict) {
  BenchmarkJudge(benchmark, limits, verdict).judge();
}

void judge_state(const GateBenchmark& benchmark, const GatePolicy& policy, Verdict& verdict) {
  using State = GateBenchmark::State;
  const auto add = [&](FindingKind kind, Severity severity) {
    verdict.findings.push_back(
        {.kind = kind, .severity = severity, .benchmark = benchmark.key, .text = benchmark.reason});
  };
  switch (benchmark.state) {
    case State::kCompared:
      return;
    case State::kNew:
      return add(FindingKind::kNew, policy.new_benchmark);
    case State::kVanished:
      return add(FindingKind::kVanished, policy.vanished);
    case State::kFailed:
      return add(FindingKind::kFailed, Severity::kFailure);
    case State::kDead:
      return add(FindingKind::kDead, Severity::kFailure);
    case State::kBaseFailed:
    case State::kNotAlike:
      return add(FindingKind::kUnjudged, Severity::kCannotJudge);
    case State::kNotGateable:
      return add(FindingKind::kUnjudged, Severity::kNote);
  }
}

void judge_growth(const GateGrowth& growth, const GatePolicy& policy, Verdict& verdict) {
  const auto add = [&](FindingKind kind, std::string text, Severity severity = Severity::kRefusal) {
    verdict.findings.push_back({.kind = kind,
                                .severity = severity,
                                .benchmark = growth.head.label,
                                .limit_place = growth.limit.place,
                                .text = std::move(text)});
  };
  if (std::string text = flat_text(growth.head, growth.limit); !text.empty())
    return add(FindingKind::kFlat, std::move(text));
  for (std::string& text : find_excesses(growth.head, growth.limit)) add(FindingKind::kGrowth, std::move(text));
  if (!growth.base) return;
  for (std::string& text : find_rises(growth.head, *growth.base))
    add(FindingKind::kGrowth, std::move(text), policy.growth);
}

void judge_kernels(const GateKernels& table, Verdict& verdict) {
  Finding finding{.kind = FindingKind::kKernels,
                  .benchmark = table.key,
                  .limit = table.limit,
                  .limit_place = table.place,
                  .text = table.text};
  if (!table.compared) {
    finding.kind = table.is_new ? FindingKind::kNew : FindingKind::kUnjudged;
    finding.severity = table.is_new || table.limit.empty() ? Severity::kNote : Severity::kCannotJudge;
  } else if (!table.excesses.empty()) {
    finding.severity = Severity::kRefusal;
    finding.text += "; " + table.excesses.front();
    if (table.excesses.size() > 1) finding.text += fmt::format("; and {} more", table.excesses.size() - 1);
  }
  verdict.findings.push_back(std::move(finding));
}

/// Whether a limit has something to guard: a benchmark, and in one of its benchmarks the event and a function.
bool is_used(const GateLimit& limit, const LimitSet& limits, const Comparison& comparison) {
  bool any_benchmark = false, unsure = false;
  for (const GateBenchmark& benchmark : comparison.benchmarks) {
    if (!limits.matches_benchmark(limit, benchmark.key)) continue;
    any_benchmark = true;
    // Without numbers it can't be known; that it has none is a finding of its own.
    unsure = unsure || benchmark.values.empty();
    for (const GateValue& value : benchmark.values) {
      const std::string& event = limit.event.empty() ? benchmark.main_event : limit.event;
      if (value.measure.event == event && value.measure.function.empty() == limit.function.empty() &&
          (limit.function.empty() || limits.matches_function(limit, value.measure.function)))
        return true;
    }
  }
  return any_benchmark && unsure;
}

void find_unused(const Comparison& comparison, const LimitSet& limits, Verdict& verdict) {
  for (const GateLimit& limit : limits.limits()) {
    if (limit.source == LimitSource::kDefault || is_used(limit, limits, comparison)) continue;
    std::string what;
    if (!limit.section.empty()) what += fmt::format(" below `{}`", limit.section);
    if (!limit.benchmark.empty()) what += fmt::format(", benchmark `{}`", limit.benchmark);
    if (!limit.event.empty()) what += fmt::format(", event `{}`", limit.event);
    if (!limit.function.empty()) what += fmt::format(", function `{}`", limit.function);
    const Allowance& allowance = limit.change.given() ? limit.change : limit.creep;
    verdict.findings.push_back(
        {.kind = FindingKind::kUnusedLimit,
         .severity = Severity::kCannotJudge,
         .limit = to_text(allowance),
         .limit_place = limit.place,
         .text =
             fmt::format("the limit at {} matches nothing that was measured{}; it has no effect", limit.place, what)});
  }
}

long double weight(const Finding& finding) {
  if (!finding.base || !finding.head) return 0;
  const auto change = std::abs(static_cast<long double>(*finding.head) - static_cast<long double>(*finding.base));
  return *finding.base == 0 ? change : change / std::abs(static_cast<long double>(*finding.base));
}

bool comes_before(const Finding& a, const Finding& b) {
  if (a.severity != b.severity) return a.severity > b.severity;
  if (a.kind != b.kind) return a.kind < b.kind;
  if (weight(a) != weight(b)) return weight(a) > weight(b);
  if (a.benchmark != b.benchmark) return a.benchmark < b.benchmark;
  if (a.measure != b.measure) return a.measure < b.measure;
  return a.text < b.text;
}

bool total_changed(const GateBenchmark& benchmark) {
  return std::any_of(benchmark.values.begin(), benchmark.values.end(), [&](const GateValue& value) {
    return value.measure.function.empty() && value.measure.event == benchmark.main_event && value.base != value.head;
  });
}

}  // namespace

std::string_view to_text(FindingKind kind) {
  switch (kind) {
    case FindingKind::kRegressed:
      return "regressed";
    case FindingKind::kCreep:
      return "creep";
    case FindingKind::kGrowth:
      return "growth";
    case FindingKind::kFlat:
      return "flat";
    case FindingKind::kKernels:
      return "kernels";
    case FindingKind::kVanished:
      return "vanished";
    case FindingKind::kFailed:
      return "failed";
    case FindingKind::kDead:
      return "dead";
    case FindingKind::kNew:
      return "new";
    case FindingKind::kUnjudged:
      return "unjudged";
    case FindingKind::kUnusedLimit:
      return "unused-limit";
    case FindingKind::kImproved:
      return "improved";
  }
  return {};
}

std::string_view to_text(Severity severity) {
  switch (severity) {
    case Severity::kNote:
      return "note";
    case Severity::kCannotJudge:
      return "cannot-judge";
    case Severity::kFailure:
      return "failure";
    case Severity::kRefusal:
      return "refusal";
  }
  return {};
}

Verdict judge(const Comparison& comparison, const LimitSet& limits, const GatePolicy& policy) {
  Verdict verdict;
  for (const GateBenchmark& benchmark : comparison.benchmarks) {
    judge_state(benchmark, policy, verdict);
    if (benchmark.state != GateBenchmark::State::kCompared) continue;
    ++verdict.judged;
    verdict.changed += total_changed(benchmark);
    judge_numbers(benchmark, limits, verdict);
  }
  for (const GateGrowth& growth : comparison.growths) judge_growth(growth, policy, verdict);
  for (const GateKernels& table : comparison.kernels) judge_kernels(table, verdict);
  if (!comparison.unjudged.empty())
    verdict.findings.push_back(
        {.kind = FindingKind::kUnjudged, .severity = Severity::kCannotJudge, .text = comparison.unjudged});
  if (!comparison.partial) find_unused(comparison, limits, verdict);
  std::sort(verdict.findings.begin(), verdict.findings.end(), comes_before);
  for (const Finding& finding : verdict.findings) verdict.worst = std::max(verdict.worst, finding.severity);
  return verdict;
}

}  // namespace icount
