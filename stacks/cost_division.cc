#include "icount/stacks/cost_division.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace icount {

std::vector<FunctionIndex> CostDivision::others_in_circle(uint32_t component, FunctionIndex entered) const {
  std::vector<FunctionIndex> others;
  for (FunctionIndex member : members.of(component))
    if (member != entered && own[member] > 0) others.push_back(member);
  std::stable_sort(others.begin(), others.end(), [&](uint32_t a, uint32_t b) { return own[a] > own[b]; });
  return others;
}

CostDivision make_cost_division(const CostGraph& graph, size_t event) {
  CostDivision division;
  std::vector<Arc> arcs;
  for (const Edge& edge : graph.edges) arcs.push_back({edge.caller, edge.callee});
  division.components = find_components(graph.functions.size(), arcs);
  division.members = division.components.members();
  division.leaving.resize(graph.functions.size());
  division.own.resize(graph.functions.size());
  division.whole.resize(division.components.count());
  division.entering.resize(division.components.count());
  const std::vector<uint32_t>& of = division.components.of;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    division.own[f] = static_cast<DividedCost>(graph.self_of(f, event));
  for (uint32_t e = 0; e < graph.edges.size(); ++e) {
    const Edge& edge = graph.edges[e];
    if (of[edge.caller] == of[edge.callee]) continue;
    division.leaving[edge.caller].push_back(e);
    division.own[edge.caller] += static_cast<DividedCost>(graph.inclusive_of(e, event));
    division.entering[of[edge.callee]] += static_cast<DividedCost>(graph.inclusive_of(e, event));
  }
  for (auto& edges : division.leaving)
    std::stable_sort(edges.begin(), edges.end(), [&](uint32_t a, uint32_t b) {
      return graph.inclusive_of(a, event) > graph.inclusive_of(b, event);
    });
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) division.whole[of[f]] += division.own[f];
  return division;
}

std::vector<int64_t> whole_shares(const std::vector<DividedCost>& shares, int64_t total) {
  std::vector<int64_t> whole(shares.size(), 0);
  const DividedCost sum = std::accumulate(shares.begin(), shares.end(), DividedCost(0));
  if (shares.empty() || sum <= 0) {
    if (!whole.empty()) whole[0] = total;
    return whole;
  }
  int64_t left = total;
  std::vector<std::pair<DividedCost, size_t>> remainders;
  for (size_t i = 0; i < shares.size(); ++i) {
    const DividedCost exact = shares[i] / sum * static_cast<DividedCost>(total);
    whole[i] = std::min(static_cast<int64_t>(std::floor(exact)), left);
    left -= whole[i];
    remainders.emplace_back(static_cast<DividedCost>(whole[i]) - exact, i);
  }
  std::sort(remainders.begin(), remainders.end());
  for (size_t i = 0; left > 0; i = (i + 1) % remainders.size(), --left) ++whole[remainders[i].second];
  return whole;
}

}  // namespace icount
