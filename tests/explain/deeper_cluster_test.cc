// Functions of an opened recursion that call each other more often: from which figures on they are one cause.
#include "icount/explain/claims/relations.h"

#include <gtest/gtest.h>

#include "joined_pair.h"

namespace icount {
namespace {

/// Functions 1 and 2 call each other, both 3, and 0 the first; the terms and rates of the inner calls are given.
struct Inner {
  long double there = 100, back = 50;
  std::array<long double, 2> rate = {1, 1.1L};  ///< of the calls of 2 by 1
  BothSides calls = {10, 11};
};

OpenedFlow flow_of(const Inner& inner) {
  OpenedFlow flow;
  FlowGraph& graph = flow.condensed.graph;
  graph.nodes.resize(4);
  graph.nodes[1].self = {10, 10};
  graph.nodes[2].self = {20, 1};
  graph.edges = {{0, 1, {1, 1}, {}}, {1, 2, inner.calls, {}}, {2, 1, {9, 10}, {}}, {2, 3, {5, 9}, {}}};
  index_edges(graph);
  for (const size_t side : {0, 1})
    flow.figures.sides[side].calls_per_call = {1, inner.rate[side], side == 0 ? 0.9L : 0.95L, 1};
  flow.figures.fixed_calls.assign(4, false);
  flow.figures.terms = {{TermKind::kOwnCost, 1, 1000},
                        {TermKind::kCalls, 1, inner.there},
                        {TermKind::kCalls, 2, inner.back},
                        {TermKind::kCalls, 3, 2000}};
  return flow;
}

using Terms = std::vector<uint32_t>;
Terms deeper(const Inner& inner) {
  const std::vector<DeeperCluster> found = find_deeper_clusters(flow_of(inner));
  EXPECT_LE(found.size(), 1u);
  return found.empty() ? Terms{} : found[0].terms;
}

TEST(DeeperClusterTest, CallsInsideThatAllMovedALittleAreOneCause) {
  const std::vector<DeeperCluster> found = find_deeper_clusters(flow_of({}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].terms, (Terms{1, 2})) << "neither own cost nor calls that leave it";
  EXPECT_EQ(found[0].members, (std::vector<uint32_t>{2, 1})) << "the costliest first";
  EXPECT_EQ(deeper({.there = 50, .back = 100}), (Terms{2, 1})) << "the largest first";
  EXPECT_EQ(deeper({.there = -100, .back = -50}), (Terms{1, 2}));
}

TEST(DeeperClusterTest, WhatMovedByMoreThanATenthIsAChangeOfItsOwn) {
  EXPECT_EQ(deeper({.rate = {1, 1.11L}}).size(), 2u) << "0.11 of 1.11";
  EXPECT_EQ(deeper({.rate = {1, 1.12L}}).size(), 0u);
  EXPECT_EQ(deeper({.rate = {1.12L, 1}}).size(), 0u);
  EXPECT_EQ(deeper({.calls = {0, 11}}).size(), 0u) << "that one side does not make";
  EXPECT_EQ(deeper({.calls = {10, 0}}).size(), 0u);
}

TEST(DeeperClusterTest, InOneDirection) {
  EXPECT_EQ(deeper({.there = 100, .back = -50}).size(), 0u);
  EXPECT_EQ(deeper({.there = -100, .back = 50}).size(), 0u);
}

TEST(DeeperClusterTest, TermsBelowATwentiethDoNotDecide) {
  EXPECT_EQ(deeper({.there = 100, .back = -4}), (Terms{1, 2}));
  EXPECT_EQ(deeper({.there = 100, .back = -6}), Terms{});
  EXPECT_EQ(deeper({.there = 4, .back = 100, .rate = {1, 2}}), Terms{2}) << "but what moved far is told by itself";
}

TEST(DeeperClusterTest, CallsThatDoNotScaleAreNone) {
  OpenedFlow flow = flow_of({});
  flow.figures.fixed_calls[1] = true;
  EXPECT_TRUE(find_deeper_clusters(flow).empty());
}

/// main calls a ten times; a, b and, where that is said, c call each other so often.
GraphBuilder recursion(int64_t inner, bool with_c = false) {
  GraphBuilder graph =
      GraphBuilder().function("main", 1).function("a", 50).function("b", 9).function("c", with_c ? 5 : 0);
  graph.calls("main", "a", 10).calls("a", "b", inner).calls("b", "a", inner);
  return with_c ? graph.calls("b", "c", inner).calls("c", "b", 2) : graph;
}

std::string text(int64_t base, int64_t head, bool with_c = false) {
  JoinedPair pair(recursion(base, with_c), recursion(head, with_c));
  const Components components = flow_components(pair.joined.flow);
  pair.flow.condensed = condense(pair.joined.flow, components, std::vector<bool>(components.count(), true));
  ClusterFactors factors;
  pair.flow.figures = decompose_on_average(pair.flow.condensed.graph, factors);
  pair.flow.figures.terms = {{TermKind::kCalls, pair.edge("a", "b"), 1}};
  DeeperCluster cluster{{pair.node("a"), pair.node("b")}, {0}};
  if (with_c) cluster.members.push_back(pair.node("c"));
  EXPECT_EQ(deeper_cluster_label(pair.source(), cluster), with_c ? "cycle of a and 2 more" : "cycle of a and 1 more");
  return sentence(deeper_cluster_facts(pair.source(), cluster));
}

TEST(DeeperClusterTextTest, CallsForEachFromOutside) {
  EXPECT_EQ(
      text(20, 1000),
      "`a` and `b` call each other more: 201 calls for each call from outside, was 5 (2,010 in all, was 50); mostly "
      "`a` calling `b`");
  EXPECT_EQ(
      text(1000, 20),
      "`a` and `b` call each other less: 5 calls for each call from outside, was 201 (50 in all, was 2,010); mostly "
      "`a` calling `b`");
  EXPECT_TRUE(
      text(20, 40, true)
          .starts_with("`a` and 2 other functions call each other more: 13.2 calls for each call from outside,"));
}

}  // namespace
}  // namespace icount
