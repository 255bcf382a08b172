// The inside of an opened function as a flow graph: what belongs to the body, to a loop's entries and to its
// iterations, and which calls are placed where.
#include "icount/explain/inside/inside_graph.h"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

#include "icount/explain/inside/loop_matching.h"
#include "written_code.h"

namespace icount {
namespace {

/// Function 0 of either side is node 7 of the whole graph; the others are unknown.
const CalleeNodes kCallees = {std::vector<uint32_t>{7, kNoFunction}, std::vector<uint32_t>{7, kNoFunction}};

/// A body on line 9 and a loop on lines 10 and 11, which calls function 0 from line 11.
class InsideGraphTest : public testing::Test {
 protected:
  InsideGraphTest() : function_(side(100), side(90)) {
    match_loops(function_.opened, WrittenFunction::callees());
    function_.opened.regions[1].entries = {2, 3};
    function_.opened.regions[1].iterations = {100, 90};
  }
  static WrittenSide side(int64_t body) { return {{{9, 5}, {10, 100, 0}, {11, body, 0, {0, 1}}}, {{1, body}}}; }

  InsideGraph make(const BothSides& self, const std::vector<InsideCallee>& callees,
                   const std::set<uint32_t>& told = {}) {
    return make_inside_graph(function_.opened, kCallees, self, callees, told);
  }
  static const InsideNode& node(const InsideGraph& graph, InsideKind kind) {
    for (const InsideNode& one : graph.nodes)
      if (one.kind == kind) return one;
    throw std::runtime_error("no such node");
  }
  static BothSides times(const InsideGraph& graph, InsideKind from, InsideKind to) {
    BothSides sum{};
    for (const InsideEdge& edge : graph.edges)
      if (graph.nodes[edge.from].kind == from && graph.nodes[edge.to].kind == to)
        for (size_t s = 0; s < 2; ++s) sum[s] += edge.times[s];
    return sum;
  }

  WrittenFunction function_;
};

constexpr auto kBody = InsideKind::kBody, kEntry = InsideKind::kEntry, kIteration = InsideKind::kIteration,
               kBlock = InsideKind::kBlock, kCallee = InsideKind::kCallee;

TEST_F(InsideGraphTest, ALoopIsEnteredByTheBodyAndIteratesByItsEntry) {
  const InsideGraph graph = make({205, 195}, {});
  EXPECT_EQ(times(graph, kBody, kEntry), (BothSides{2, 3}));
  EXPECT_EQ(times(graph, kEntry, kIteration), (BothSides{100, 90}));
  EXPECT_EQ(graph.nodes[0].self, (BothSides{5, 5}));
  EXPECT_EQ(node(graph, kEntry).self, (BothSides{0, 0}));
  EXPECT_EQ(node(graph, kIteration).self, (BothSides{200, 190}));
}

TEST_F(InsideGraphTest, WhatTheShapesLackIsTheBodys) {
  EXPECT_EQ(make({215, 195}, {}).nodes[0].self, (BothSides{15, 5}));
  EXPECT_EQ(make({205, 190}, {}).nodes[0].self, (BothSides{5, 0}));
}

TEST_F(InsideGraphTest, TheLastTestsAreTheEntrys) {
  ShapeLoop& loop = function_.opened.shapes[1].loops[0];
  loop.heads = 100;
  loop.head_exits = 10;
  const InsideGraph graph = make({205, 195}, {});
  EXPECT_EQ(node(graph, kEntry).self, (BothSides{0, 10})) << "a tenth of the header's 100";
  EXPECT_EQ(node(graph, kIteration).self, (BothSides{200, 180}));
}

TEST_F(InsideGraphTest, AReshapedLoopIsItsEntry) {
  function_.opened.regions[1].reshaped = true;
  const InsideGraph graph = make({205, 195}, {});
  EXPECT_EQ(times(graph, kBody, kEntry), (BothSides{2, 3}));
  EXPECT_EQ(times(graph, kEntry, kIteration), (BothSides{0, 0}));
  EXPECT_EQ(node(graph, kEntry).self, (BothSides{200, 190}));
}

TEST_F(InsideGraphTest, CallsThatAreNotPlacedAreTheBodys) {
  const InsideGraph graph = make({205, 195}, {{7, {3, 1}, {10, 10}}});
  EXPECT_EQ(times(graph, kIteration, kCallee), (BothSides{1, 1}));
  EXPECT_EQ(times(graph, kBody, kCallee), (BothSides{2, 0}));
  EXPECT_EQ(node(graph, kCallee).number, 7u);
}

TEST_F(InsideGraphTest, WhereMoreIsPlacedThanThereIsCallsAreTheBodys) {
  const InsideGraph graph = make({205, 195}, {{7, {0, 4}, {10, 10}}});
  EXPECT_EQ(times(graph, kIteration, kCallee), (BothSides{0, 0}));
  EXPECT_EQ(times(graph, kBody, kCallee), (BothSides{0, 4}));
}

TEST_F(InsideGraphTest, ACalleeThatTheWholeGraphDoesNotTellOfIsNone) {
  const InsideGraph graph = make({205, 195}, {});
  EXPECT_EQ(times(graph, kIteration, kCallee), (BothSides{0, 0}));
  EXPECT_EQ(times(graph, kBody, kCallee), (BothSides{0, 0}));
}

TEST(InsideBranchesTest, ABlockGoesOnToItsSuccessors) {
  const WrittenSide side{{{9, 10}, {10, 7}, {11, 3}, {12, 40}}};
  WrittenFunction function(side, side);
  OpenedFunction& opened = function.opened;
  opened.regions.resize(1);
  opened.shapes[0].blocks[0].entered = 10;
  opened.shapes[0].edges = {{0, 1, 7}, {0, 2, 3}};
  opened.shapes[1].blocks[0].entered = 10;
  opened.shapes[1].edges = {{0, 1, 2}, {0, 2, 8}};
  const InsideGraph graph = make_inside_graph(opened, kCallees, {60, 60}, {}, {0});
  std::map<std::pair<uint32_t, uint32_t>, BothSides> found;  // blocks by number, 9 for the body
  const auto number = [&](uint32_t n) { return graph.nodes[n].kind == kBlock ? graph.nodes[n].number : 9; };
  for (const InsideEdge& edge : graph.edges) found[{number(edge.from), number(edge.to)}] = edge.times;
  EXPECT_EQ(found, (std::map<std::pair<uint32_t, uint32_t>, BothSides>{
                       {{9, 0}, {10, 10}}, {{0, 1}, {7, 2}}, {{0, 2}, {3, 8}}, {{9, 3}, {1, 1}}}))
      << "nothing leads to block 3, whose cost is told once";
  EXPECT_EQ(graph.nodes[0].self, (BothSides{0, 0}));
  for (const InsideNode& one : graph.nodes)
    if (one.kind == kBlock) {
      EXPECT_EQ(one.self[0], side.lines[one.number].self);
    }
}

}  // namespace
}  // namespace icount
