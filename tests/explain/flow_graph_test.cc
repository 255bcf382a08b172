// Graphs of both sides: edges in order, where a profile is entered, recursive clusters as one node and their doors.
#include "icount/explain/flow/flow_table.h"

#include <gtest/gtest.h>

#include <limits>

namespace icount {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

FlowGraph graph_of(uint32_t nodes, std::vector<FlowEdge> edges) {
  FlowGraph graph;
  graph.nodes.resize(nodes);
  graph.edges = std::move(edges);
  index_edges(graph);
  return graph;
}

TEST(IndexEdgesTest, SortedAndEqualOnesAddedUp) {
  const FlowGraph graph = graph_of(
      3, {{2, 0, {1, 1}, {1, 1}}, {0, 2, {1, 2}, {10, 20}}, {0, 1, {3, 4}, {5, 6}}, {0, 2, {100, 200}, {1000, kMost}}});
  ASSERT_EQ(graph.edges.size(), 3u);
  EXPECT_EQ(graph.first_edge, (std::vector<uint32_t>{0, 2, 2, 3}));
  EXPECT_EQ(graph.edges[0].callee, 1u);
  EXPECT_EQ(graph.edges[1].calls, (BothSides{101, 202}));
  EXPECT_EQ(graph.edges[1].inclusive, (BothSides{1010, kMost})) << "sums saturate";
  EXPECT_EQ(graph.edges_of(0).size(), 2u);
  EXPECT_TRUE(graph.edges_of(1).empty());
  EXPECT_EQ(graph.edges_of(2).front().callee, 0u);
}

using Entries = std::vector<BothSides>;

Entries entries_of(FlowGraph graph) {
  for (FlowNode& node : graph.nodes) node.entries = {7, 7};  // what was there does not count
  find_entries(graph);
  Entries entries;
  for (const FlowNode& node : graph.nodes) entries.push_back(node.entries);
  return entries;
}

TEST(FindEntriesTest, WhatNobodyCallsIsEnteredOnce) {
  FlowGraph graph = graph_of(3, {{0, 1, {4, 0}, {}}});
  graph.nodes[0].self = {5, 5};
  graph.nodes[1].self = {9, 9};
  EXPECT_EQ(entries_of(graph), (Entries{{1, 1}, {0, 1}, {0, 0}})) << "head does not call 1; 2 costs nothing";
  graph.nodes[0].self = {0, 0};
  EXPECT_EQ(entries_of(graph), (Entries{{1, 0}, {0, 1}, {0, 0}})) << "what calls others is entered, even at no cost";
}

TEST(FindEntriesTest, OfACycleTheDearestOnBothSidesTogether) {
  FlowGraph graph = graph_of(3, {{0, 1, {1, 1}, {}}, {1, 2, {1, 1}, {}}, {2, 0, {1, 1}, {}}});
  graph.nodes[0].self = {9, 0};
  graph.nodes[1].self = {5, 6};
  graph.nodes[2].self = {0, 9};
  EXPECT_EQ(entries_of(graph), (Entries{{0, 0}, {1, 1}, {0, 0}}));
  graph.nodes[1].self = {4, 5};
  EXPECT_EQ(entries_of(graph), (Entries{{1, 1}, {0, 0}, {0, 0}})) << "the first of equals";
  graph.nodes[2].self = {kMost, kMost};
  EXPECT_EQ(entries_of(graph), (Entries{{0, 0}, {0, 0}, {1, 1}})) << "without overflow";
}

TEST(FindEntriesTest, ACallFromAnotherPartEntersNothingAnew) {
  const FlowGraph graph = graph_of(3, {{0, 1, {1, 1}, {}}, {1, 2, {1, 1}, {}}, {2, 1, {1, 1}, {}}});
  EXPECT_EQ(entries_of(graph), (Entries{{1, 1}, {0, 0}, {0, 0}}));
}

TEST(CallsOfTest, EntriesAndCalls) {
  FlowGraph graph = graph_of(2, {{0, 1, {3, kMost}, {}}, {1, 1, {4, 1}, {}}});
  graph.nodes[1].entries = {1, 0};
  EXPECT_EQ(calls_of(graph), (std::vector<BothSides>{{0, 0}, {8, kMost}}));
}

/// 0 calls 1 and, where that is said, 2; 1 and 2 call each other; 2 calls 3.
FlowGraph with_cycle(int64_t calls_of_2 = 0) {
  FlowGraph graph = graph_of(
      4, {{0, 1, {5, 6}, {50, 60}}, {1, 2, {7, 7}, {70, 70}}, {2, 1, {8, 8}, {80, 80}}, {2, 3, {9, 10}, {90, 100}}});
  if (calls_of_2 > 0) graph.edges.push_back({0, 2, {calls_of_2, calls_of_2}, {1, 2}});
  for (uint32_t i = 0; i < 4; ++i) graph.nodes[i].self = {10 + i, 20 + i};
  graph.nodes[1].entries = {1, 0};
  graph.nodes[2].entries = {0, 1};
  index_edges(graph);
  return graph;
}

CondensedFlow condensed(const FlowGraph& graph, bool opened = false) {
  const Components components = flow_components(graph);
  return condense(graph, components, std::vector<bool>(components.count(), opened));
}

TEST(CondenseTest, ACycleIsOneNode) {
  const CondensedFlow flow = condensed(with_cycle());
  EXPECT_EQ(flow.node_of, (std::vector<uint32_t>{0, 1, 1, 2}));
  EXPECT_EQ(flow.entered_by, flow.node_of) << "one function is called from outside: no door";
  ASSERT_EQ(flow.members.size(), 3u);
  EXPECT_EQ(flow.members[1], (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(flow.graph.nodes[1].self, (BothSides{23, 43}));
  EXPECT_EQ(flow.graph.nodes[1].entries, (BothSides{1, 1}));
  ASSERT_EQ(flow.graph.edges.size(), 2u) << "calls inside are gone";
  EXPECT_EQ(flow.graph.edges[0].calls, (BothSides{5, 6}));
  EXPECT_EQ(flow.graph.edges[1].inclusive, (BothSides{90, 100}));
}

TEST(CondenseTest, FunctionsThatOthersCallAreDoors) {
  const CondensedFlow flow = condensed(with_cycle(3));
  EXPECT_EQ(flow.node_of, (std::vector<uint32_t>{0, 1, 1, 2}));
  EXPECT_EQ(flow.entered_by, (std::vector<uint32_t>{0, 3, 4, 2}));
  ASSERT_EQ(flow.members.size(), 5u);
  EXPECT_EQ(flow.members[3], std::vector<uint32_t>{1});
  EXPECT_TRUE(flow.is_door(3));
  EXPECT_TRUE(flow.is_door(4));
  EXPECT_FALSE(flow.is_door(1));
  EXPECT_FALSE(flow.is_door(0));
  EXPECT_EQ(flow.graph.nodes[3].self, (BothSides{0, 0}));
  std::vector<std::array<int64_t, 4>> edges;
  for (const FlowEdge& edge : flow.graph.edges)
    edges.push_back({edge.caller, edge.callee, edge.calls[0], edge.inclusive[1]});
  EXPECT_EQ(edges, (std::vector<std::array<int64_t, 4>>{
                       {0, 3, 5, 60}, {0, 4, 3, 2}, {1, 2, 9, 100}, {3, 1, 5, 60}, {4, 1, 3, 2}}));
}

TEST(CondenseTest, AnOpenedCycleStaysAsItIs) {
  const FlowGraph graph = with_cycle(3);
  const CondensedFlow flow = condensed(graph, true);
  EXPECT_EQ(flow.node_of, (std::vector<uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(flow.entered_by, flow.node_of);
  EXPECT_EQ(flow.graph.edges.size(), graph.edges.size());
}

TEST(CondenseTest, TheSelfEdgeOfASingleFunctionStays) {
  const CondensedFlow flow = condensed(graph_of(2, {{0, 1, {1, 1}, {}}, {1, 1, {4, 4}, {}}}));
  EXPECT_EQ(flow.graph.edges.size(), 2u);
  EXPECT_EQ(flow.members.size(), 2u);
}

TEST(NodesBelowTest, WhatCallsOfEitherSideLeadTo) {
  const FlowGraph graph =
      graph_of(5, {{0, 1, {1, 0}, {}}, {1, 2, {0, 1}, {}}, {2, 1, {1, 1}, {}}, {3, 0, {1, 1}, {}}, {3, 4, {1, 1}, {}}});
  EXPECT_EQ(nodes_below(graph, 0), (std::vector<bool>{true, true, true, false, false}));
  EXPECT_EQ(nodes_below(graph, 2), (std::vector<bool>{false, true, true, false, false}));
  EXPECT_EQ(nodes_below(graph, 3), std::vector<bool>(5, true));
  EXPECT_EQ(nodes_below(graph, 4), (std::vector<bool>{false, false, false, false, true}));
}

TEST(OnlyCallOfTest, OneOtherFunctionCallsIt) {
  const FlowGraph graph =
      graph_of(4, {{0, 1, {1, 0}, {}}, {0, 2, {1, 1}, {}}, {1, 1, {3, 3}, {}}, {1, 2, {1, 1}, {}}, {2, 3, {1, 1}, {}}});
  EXPECT_EQ(only_call_of(graph, 0), nullptr);
  EXPECT_EQ(only_call_of(graph, 1), &graph.edges[0]) << "its calls of itself do not count";
  EXPECT_EQ(only_call_of(graph, 2), nullptr) << "two do";
  EXPECT_EQ(only_call_of(graph, 3), &graph.edges[4]);
}

TEST(CondenseTest, AFunctionThatIsEnteredByManyIsNoDoor) {
  // 0 and 3 call 1; 1 and 2 call each other.
  const CondensedFlow flow =
      condensed(graph_of(4, {{0, 1, {1, 1}, {}}, {1, 2, {1, 1}, {}}, {2, 1, {1, 1}, {}}, {3, 1, {1, 1}, {}}}));
  EXPECT_EQ(flow.members.size(), 3u);
  EXPECT_EQ(flow.entered_by, flow.node_of);
}

TEST(FindEntriesTest, ACostOfOneIsEntered) {
  FlowGraph graph = graph_of(3, {{1, 2, {1, 0}, {}}});
  graph.nodes[0].self = {1, 0};
  EXPECT_EQ(entries_of(graph), (Entries{{1, 0}, {1, 0}, {0, 0}}));
}

}  // namespace
}  // namespace icount
