#include "icount/explain/explain_processes.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "icount/base/checked.h"
#include "icount/callgraph/graph_sum.h"
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

}  // namespace icount
