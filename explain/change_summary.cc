#include "icount/explain/change_summary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "icount/explain/match/folded_graph.h"
#include "icount/explain/weights.h"

namespace icount {
namespace {

double change_of_self(const FlowNode& node) {
  return std::abs(static_cast<double>(node.self[1]) - static_cast<double>(node.self[0]));
}

/// Whether most of the change is of the cost of a call, and not of their number.
bool costs_otherwise(const FlowNode& node, const BothSides& calls) {
  if (calls[0] <= 0 || calls[1] <= 0) return true;
  const std::array<double, 2> count = {static_cast<double>(calls[0]), static_cast<double>(calls[1])};
  const std::array<double, 2> cost = {static_cast<double>(node.self[0]) / count[0],
                                      static_cast<double>(node.self[1]) / count[1]};
  return std::abs((cost[1] - cost[0]) * (count[0] + count[1])) > std::abs((count[1] - count[0]) * (cost[0] + cost[1]));
}

}  // namespace

ChangeSummary summarize_change(const JoinedGraph& joined) {
  const std::vector<BothSides> calls = calls_of(joined.flow);
  double all = 0;
  for (const FlowNode& node : joined.flow.nodes) all += change_of_self(node);
  ChangeSummary summary;
  std::vector<double> ratios;
  for (size_t f = 0; f < joined.functions.size(); ++f) {
    const FlowNode& node = joined.flow.nodes[f];
    if (all == 0 || change_of_self(node) < kHardly * all) continue;  // smaller ones follow from others
    const auto& sides = joined.functions[f].folded;
    if (sides[0] == kNoFunction) {
      ++summary.added;
    } else if (sides[1] == kNoFunction) {
      ++summary.removed;
    } else if (costs_otherwise(node, calls[f])) {
      ++summary.changed;
    } else {
      ++summary.called;
      ratios.push_back(static_cast<double>(calls[f][1]) / static_cast<double>(calls[f][0]));
    }
  }
  const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
  summary.called_alike = !ratios.empty() && ratios.size() >= kMany && *most <= (1 + kMatters) * *least;
  return summary;
}

}  // namespace icount
