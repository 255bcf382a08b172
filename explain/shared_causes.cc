#include "icount/explain/shared_causes.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "icount/base/checked.h"
#include "icount/callgraph/graph_sum.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/claims/noise_fold.h"

namespace icount {
namespace {

bool has_key(std::span<const ProcessGraph> side, const std::string& key) {
  return std::any_of(side.begin(), side.end(), [&](const ProcessGraph& process) { return process.key == key; });
}

struct Split {
  std::vector<const CostGraph*> common;
  std::vector<ProcessGraph> alone;
};

Split split(std::span<const ProcessGraph> side, std::span<const ProcessGraph> other) {
  Split result;
  for (const ProcessGraph& process : side) {
    if (has_key(other, process.key))
      result.common.push_back(process.graph);
    else
      result.alone.push_back(process);
  }
  return result;
}

/// Adds what one process cost on the only side that ran it.
void add_process(Explanation& explanation, const ProcessGraph& process, bool in_head) {
  const auto event = process.graph->event_index(explanation.event);
  const int64_t cost = event ? process.graph->totals[*event] : 0;
  int64_t& total = in_head ? explanation.head_total : explanation.base_total;
  total = checked_add(total, cost, "the sum of all processes");
  const int64_t delta = in_head ? cost : -cost;
  explanation.delta = checked_add(explanation.delta, delta, "the change");
  explanation.causes.push_back({.kind = CauseKind::kProcess,
                                .function = process.key,
                                .delta = delta,
                                .facts = fact::Process{process.key, in_head}});
  FunctionChange row{.name = "process " + process.key};
  row.base = in_head ? 0 : cost;
  row.head = in_head ? cost : 0;
  row.delta = delta;
  explanation.functions.push_back(std::move(row));
}

}  // namespace

Explanation explain_processes(std::span<const ProcessGraph> base, std::span<const ProcessGraph> head,
                              const ExplainOptions& options) {
  const Split of_base = split(base, head), of_head = split(head, base);
  Explanation explanation = explain(sum_graphs(of_base.common), sum_graphs(of_head.common), options);
  for (const ProcessGraph& process : of_base.alone) add_process(explanation, process, false);
  for (const ProcessGraph& process : of_head.alone) add_process(explanation, process, true);
  sort_causes(explanation.causes);
  std::stable_sort(
      explanation.functions.begin(), explanation.functions.end(),
      [](const FunctionChange& a, const FunctionChange& b) { return std::abs(a.delta) > std::abs(b.delta); });
  check_invariants(explanation);
  return explanation;
}

namespace {

using CauseKey = std::tuple<CauseKind, std::string, std::string, std::string>;

/// Addresses differ between builds and mean nothing to a reader: all code without symbols is one function here.
std::string shared_name(const std::string& name) { return is_address_name(name) ? std::string(kNoSymbols) : name; }

CauseKey key_of(const Cause& cause) {
  return {cause.kind, shared_name(cause.function), shared_name(cause.caller), shared_name(cause.callee)};
}

bool is_fold(const CauseKey& key) {
  return std::get<1>(key) == kNoSymbols || std::get<2>(key) == kNoSymbols || std::get<3>(key) == kNoSymbols;
}

/// "Code without symbols calling code without symbols" is nowhere in particular.
bool is_nowhere(const SharedCause& cause) { return cause.caller == kNoSymbols && cause.callee == kNoSymbols; }

int64_t magnitude(int64_t value) { return value == INT64_MIN ? INT64_MAX : std::abs(value); }

/// What one cause does in one benchmark; two lines of one name (functions of two objects) are one.
struct Effect {
  int64_t delta = 0;
  std::optional<double> change_per_call;
  bool seen = false;
};

bool nearly_equal(double a, double b) {
  constexpr double kTolerance = 0.005;  // figures are shown to half a percent
  return std::abs(a - b) <= kTolerance * std::max({std::abs(a), std::abs(b), 1.0});
}

/// What others share is in the causes below a place, which is another one in each benchmark.
void add_effects(const std::vector<Cause>& causes, std::map<CauseKey, Effect>& effects) {
  for (const Cause& cause : causes) {
    if (cause.kind == CauseKind::kRest || cause.within_noise) continue;
    if (cause.function == kStatementFunction && cause.object == kStubObject) continue;  // each has its own
    if (cause.kind == CauseKind::kPlace) {
      add_effects(cause.inside, effects);
      continue;
    }
    const CauseKey key = key_of(cause);
    Effect& effect = effects[key];
    effect.delta = saturating_add(effect.delta, cause.delta);
    // Calls of different functions are not one figure.
    effect.change_per_call = effect.seen || is_fold(key) ? std::nullopt : cause.change_per_call;
    effect.seen = true;
  }
}

std::map<CauseKey, Effect> effects_of(const Explanation& explanation) {
  std::map<CauseKey, Effect> effects;
  add_effects(explanation.causes, effects);
  return effects;
}

/// Adds up one cause over the benchmarks.
struct Sum {
  SharedCause cause;
  double aligned = 0;  ///< contribution in the direction of each benchmark's change
  bool per_call_agrees = true;

  void add(size_t benchmark, const Effect& effect, int64_t change) {
    if (cause.benchmarks.empty()) {
      cause.change_per_call = effect.change_per_call;
    } else if (!cause.change_per_call || !effect.change_per_call ||
               !nearly_equal(*cause.change_per_call, *effect.change_per_call)) {
      per_call_agrees = false;
    }
    cause.benchmarks.push_back(benchmark);
    cause.delta = saturating_add(cause.delta, effect.delta);
    int64_t& part = effect.delta > 0 ? cause.raised : cause.lowered;
    part = saturating_add(part, effect.delta);
    ++(effect.delta > 0 ? cause.raised_in : cause.lowered_in);
    const bool same_direction = (effect.delta > 0) == (change > 0) && change != 0;
    const double size = std::abs(static_cast<double>(effect.delta));
    if (change != 0) aligned += same_direction ? size : -size;
    cause.opposes = cause.opposes || (change != 0 && !same_direction);
    if (same_direction && 2 * size >= std::abs(static_cast<double>(change))) ++cause.explains;
  }
};

}  // namespace

SharedCauses find_shared_causes(std::span<const Explanation* const> explanations) {
  SharedCauses result;
  result.compared = explanations.size();
  std::map<CauseKey, Sum> sums;
  for (size_t i = 0; i < explanations.size(); ++i) {
    const int64_t change = explanations[i]->delta;
    if (change != 0) ++result.changed;
    result.net = saturating_add(result.net, change);
    result.gross = saturating_add(result.gross, magnitude(change));
    for (const auto& [key, effect] : effects_of(*explanations[i])) {
      if (effect.delta == 0) continue;
      Sum& sum = sums[key];
      std::tie(sum.cause.kind, sum.cause.function, sum.cause.caller, sum.cause.callee) = key;
      sum.add(i, effect, change);
    }
  }
  for (auto& [key, sum] : sums) {
    if (sum.cause.benchmarks.size() < 2 || is_nowhere(sum.cause)) continue;
    if (!sum.per_call_agrees) sum.cause.change_per_call = std::nullopt;
    sum.cause.share = result.gross == 0 ? 0 : sum.aligned / static_cast<double>(result.gross);
    result.causes.push_back(std::move(sum.cause));
  }
  // `sums` is ordered by key, so that the stable sort is a total order.
  std::stable_sort(result.causes.begin(), result.causes.end(), [](const SharedCause& a, const SharedCause& b) {
    if ((a.explains > 0) != (b.explains > 0)) return a.explains > 0;
    if (a.share != b.share) return a.share > b.share;
    return a.benchmarks.size() > b.benchmarks.size();
  });
  return result;
}

}  // namespace icount
