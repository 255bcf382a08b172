#include "icount/verdict/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "icount/verdict/gate_numbers.h"

namespace icount {
namespace {

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
  }
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
  if (!comparison.partial) find_unused(comparison, limits, verdict);
  std::sort(verdict.findings.begin(), verdict.findings.end(), comes_before);
  for (const Finding& finding : verdict.findings) verdict.worst = std::max(verdict.worst, finding.severity);
  return verdict;
}

}  // namespace icount
