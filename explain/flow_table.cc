#include "icount/explain/flow_table.h"

#include <algorithm>

#include "icount/explain/flow_solver.h"

namespace icount {
namespace {

/// What calls beyond the common ones come to: head's at head's worth less base's at base's.
long double beyond_common(const std::array<long double, 2>& calls, const FlowSolution& solution, uint32_t callee) {
  const long double common = std::min(calls[0], calls[1]);
  return (calls[1] - common) * solution.worth[1][callee] - (calls[0] - common) * solution.worth[0][callee];
}

}  // namespace

FlowSolution solve(const FlowTable& table) {
  const Components components = flow_components(table.shape);
  const FlowSolver solver(table.shape, components);
  FlowSolution solution;
  for (size_t side = 0; side < 2; ++side) solution.worth[side] = solver.worth(table.own[side], table.rates[side]);
  // x_c = r_c + M_c' x_c, with the lesser of both sides for every call.
  std::vector<long double> entries(table.own[0].size(), 0), rates(table.rates[0].size());
  for (const FlowSource& source : table.sources) entries[source.node] += std::min(source.calls[0], source.calls[1]);
  for (size_t e = 0; e < rates.size(); ++e) rates[e] = std::min(table.rates[0][e], table.rates[1][e]);
  solution.common_calls = solver.calls(entries, rates);
  return solution;
}

FlowTerms terms_of(const FlowTable& table, const FlowSolution& solution, const FlowGraph& graph) {
  FlowTerms terms;
  terms.own.resize(table.own[0].size());
  terms.calls.assign(graph.edges.size(), 0);
  terms.entry.assign(graph.nodes.size(), 0);
  for (const FlowSource& source : table.sources)
    (source.kind == TermKind::kCalls ? terms.calls : terms.entry)[source.index] +=
        beyond_common(source.calls, solution, source.node);
  for (uint32_t i = 0; i < terms.own.size(); ++i)
    terms.own[i] = solution.common_calls[i] * (table.own[1][i] - table.own[0][i]);
  for (uint32_t e = 0; e < table.edge_of.size(); ++e)
    terms.calls[table.edge_of[e]] +=
        solution.common_calls[table.shape.edges[e].caller] *
        beyond_common({table.rates[0][e], table.rates[1][e]}, solution, table.shape.edges[e].callee);
  return terms;
}

}  // namespace icount
