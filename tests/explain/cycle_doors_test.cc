// Cycles that are entered by several functions: explain/flow/flow_table.h. A call is worth what was recorded where it
// enters.
#include <gtest/gtest.h>

#include <algorithm>

#include "icount/explain/flow/decompose.h"
#include "icount/explain/flow/flow_table.h"

namespace icount {
namespace {

constexpr uint32_t kMain = 0, kAsk = 1, kPrepare = 2;

/// main enters a cycle by `ask`, cheap calls, and by `prepare`, dear ones, of which head makes more.
FlowGraph engine() {
  FlowGraph graph;
  graph.nodes = {{{50, 50}, {1, 1}}, {{100, 100}, {}}, {{2000, 6000}, {}}};
  graph.edges = {{kMain, kAsk, {10, 10}, {100, 100}},
                 {kMain, kPrepare, {2, 6}, {2000, 6000}},
                 {kAsk, kPrepare, {3, 3}, {0, 0}},
                 {kPrepare, kAsk, {3, 3}, {0, 0}}};
  index_edges(graph);
  return graph;
}

CondensedFlow closed(const FlowGraph& graph) {
  const Components components = flow_components(graph);
  return condense(graph, components, std::vector<bool>(components.count(), false));
}

const FlowEdge& edge_to(const CondensedFlow& flow, uint32_t caller, uint32_t callee) {
  const auto edges = flow.graph.edges_of(caller);
  return *std::find_if(edges.begin(), edges.end(), [&](const FlowEdge& edge) { return edge.callee == callee; });
}

TEST(CycleDoorsTest, EachFunctionThatIsCalledFromOutsideIsADoor) {
  const CondensedFlow flow = closed(engine());
  ASSERT_EQ(flow.members.size(), 4u);
  const uint32_t door = flow.entered_by[kPrepare], cycle = flow.node_of[kPrepare];
  EXPECT_TRUE(flow.is_door(door));
  EXPECT_FALSE(flow.is_door(cycle));
  EXPECT_EQ(flow.entered_by[kMain], flow.node_of[kMain]);
  EXPECT_EQ(flow.graph.nodes[door].self, (BothSides{0, 0}));
  EXPECT_EQ(edge_to(flow, flow.node_of[kMain], door).calls, (BothSides{2, 6}));
  EXPECT_EQ(edge_to(flow, door, cycle).calls, (BothSides{2, 6}));
  EXPECT_EQ(calls_of(flow.graph)[cycle], (BothSides{12, 16}));
}

TEST(CycleDoorsTest, ACycleWithOneEntryHasNone) {
  FlowGraph graph = engine();
  graph.edges.erase(graph.edges.begin());
  index_edges(graph);
  EXPECT_EQ(closed(graph).members.size(), 2u);
}

TEST(CycleDoorsTest, ACallIsWorthWhatItCostsWhereItEnters) {
  const CondensedFlow flow = closed(engine());
  ClusterFactors factors;
  const Decomposition found = decompose_by_callers(flow.graph, decompose_on_average(flow.graph, factors), factors);
  const auto first = std::max_element(found.terms.begin(), found.terms.end(),
                                      [](const Term& a, const Term& b) { return a.value < b.value; });
  ASSERT_NE(first, found.terms.end());
  ASSERT_EQ(first->kind, TermKind::kCalls);
  EXPECT_EQ(flow.graph.edges[first->index].callee, flow.entered_by[kPrepare]);
  EXPECT_NEAR(static_cast<double>(first->value), 4000, 1e-6);
}

}  // namespace
}  // namespace icount
