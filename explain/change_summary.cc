#include "icount/explain/change_summary.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "icount/explain/folded_graph.h"

namespace icount {
namespace {

// A function counts when it has this part of all changes of own cost: smaller ones follow from others.
constexpr double kCounts = 0.01;
// Costs per call within this part are the same: an average over calls that do a little more or less.
constexpr double kSameCost = 0.02;

double change_of_self(const FlowNode& node) {
  return std::abs(static_cast<double>(node.self[1]) - static_cast<double>(node.self[0]));
}

bool costs_the_same(const FlowNode& node, const BothSides& calls) {
  if (calls[0] <= 0 || calls[1] <= 0) return false;
  const double base = static_cast<double>(node.self[0]) / static_cast<double>(calls[0]),
               head = static_cast<double>(node.self[1]) / static_cast<double>(calls[1]);
  return std::abs(head - base) <= kSameCost * std::max(base, head);
}

}  // namespace

ChangeSummary summarize_change(const JoinedGraph& joined) {
  const std::vector<BothSides> calls = calls_of(joined.flow);
  double all = 0;
  for (const FlowNode& node : joined.flow.nodes) all += change_of_self(node);
  ChangeSummary summary;
  for (size_t f = 0; f < joined.functions.size(); ++f) {
    const FlowNode& node = joined.flow.nodes[f];
    if (all == 0 || change_of_self(node) < kCounts * all) continue;
    const auto& sides = joined.functions[f].folded;
    ++(sides[0] == kNoFunction          ? summary.added
       : sides[1] == kNoFunction        ? summary.removed
       : costs_the_same(node, calls[f]) ? summary.called
                                        : summary.changed);
  }
  return summary;
}

}  // namespace icount
