#include "icount/explain/flow_table.h"

#include <algorithm>

namespace icount {
namespace {

/// What calls beyond the common ones come to: head's at head's worth less base's at base's.
long double beyond_common(const std::array<long double, 2>& calls, const FlowSolution& solution, uint32_t callee) {
  const long double common = std::min(calls[0], calls[1]);
  return (calls[1] - common) * solution.worth[1][callee] - (calls[0] - common) * solution.worth[0][callee];
}

/// x_c = r_c + M_c' x_c, with the lesser of both sides for every call. What is told as a whole passes nothing on.
std::vector<long double> common_calls(const FlowTable& table, const FlowSolver& solver, const TellingPlaces& told) {
  std::vector<long double> entries(table.own[0].size(), 0), rates(table.rates[0].size());
  for (const FlowSource& source : table.sources) entries[source.node] += std::min(source.calls[0], source.calls[1]);
  for (const FlowDetour& detour : table.detours) entries[detour.node] += detour.calls;
  for (uint32_t node = 0; node < table.shape.nodes(); ++node) {
    const bool passes_on = told.empty() || told[node] == Told::kBelow;
    for (uint32_t e = table.shape.first_edge[node]; e < table.shape.first_edge[node + 1]; ++e)
      rates[e] = passes_on ? std::min(table.rates[0][e], table.rates[1][e]) : 0;
  }
  return solver.calls(entries, rates);
}

}  // namespace

void solve_common_calls(const FlowTable& table, const FlowSolver& solver, FlowSolution& solution) {
  solution.common_calls = common_calls(table, solver, {});
}

FlowSolution solve(const FlowTable& table, const FlowSolver& solver) {
  FlowSolution solution;
  for (size_t side = 0; side < 2; ++side) {
    std::vector<long double> own = table.own[side];
    for (const RecordedCalls& calls : table.recorded)
      if (calls.side == side) own[calls.caller] += calls.cost_per_call;
    solution.worth[side] = solver.worth(own, table.rates[side]);
  }
  solution.common_calls = common_calls(table, solver, {});
  return solution;
}

FlowTerms terms_of(const FlowTable& table, const FlowSolver& solver, const FlowSolution& solution,
                   const FlowGraph& graph, const TellingPlaces& told) {
  FlowTerms terms;
  terms.own.assign(table.own[0].size(), 0);
  terms.calls.assign(graph.edges.size(), 0);
  terms.entry.assign(graph.nodes.size(), 0);
  terms.common_calls = solution.common_calls;
  if (std::any_of(told.begin(), told.end(), [](Told where) { return where != Told::kBelow; }))
    terms.common_calls = common_calls(table, solver, told);
  for (const FlowSource& source : table.sources)
    (source.kind == TermKind::kCalls ? terms.calls : terms.entry)[source.index] +=
        beyond_common(source.calls, solution, source.node);
  for (const FlowDetour& detour : table.detours) {
    const auto worth = [&](size_t side) {
      return (side == 1 ? -1 : 1) * detour.calls * solution.worth[side][detour.node];
    };
    terms.calls[detour.through] += worth(detour.side);
    terms.calls[detour.direct] += worth(1 - detour.side);
  }
  for (const RecordedCalls& calls : table.recorded)
    if (told[calls.caller] == Told::kBelow)
      terms.calls[table.edge_of[calls.edge]] +=
          (calls.side == 1 ? 1 : -1) * terms.common_calls[calls.caller] * calls.cost_per_call;
  for (uint32_t i = 0; i < terms.own.size(); ++i) {
    const long double change = solution.worth[1][i] - solution.worth[0][i];
    if (told[i] == Told::kBelow) terms.own[i] = terms.common_calls[i] * (table.own[1][i] - table.own[0][i]);
    if (told[i] == Told::kWithCalls) terms.calls[table.caller_edge[i]] += terms.common_calls[i] * change;
  }
  for (uint32_t caller = 0; caller < table.shape.nodes(); ++caller) {
    if (told[caller] != Told::kBelow) continue;
    for (uint32_t e = table.shape.first_edge[caller]; e < table.shape.first_edge[caller + 1]; ++e)
      terms.calls[table.edge_of[e]] +=
          terms.common_calls[caller] *
          beyond_common({table.rates[0][e], table.rates[1][e]}, solution, table.shape.callee[e]);
  }
  return terms;
}

}  // namespace icount
