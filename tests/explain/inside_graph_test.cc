// The graph of a function's loops, callees and branches: explain/inside/inside_graph.h.
#include "icount/explain/inside/inside_graph.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <stdexcept>
#include <string>

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

TEST_F(InsideGraphTest, WhatTheShapesLackIsTheBodys) {
  EXPECT_EQ(make({215, 195}, {}).nodes[0].self, (BothSides{15, 5}));
  EXPECT_EQ(make({205, 190}, {}).nodes[0].self, (BothSides{5, 0}));
}

TEST_F(InsideGraphTest, WhereMoreIsPlacedThanThereIsCallsAreTheBodys) {
  const InsideGraph graph = make({205, 195}, {{7, {0, 4}, {10, 10}}});
  EXPECT_EQ(times(graph, kIteration, kCallee), (BothSides{0, 0}));
  EXPECT_EQ(times(graph, kBody, kCallee), (BothSides{0, 4}));
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

/// A body of blocks 0 and 4 around a loop (region 1) of blocks 1 and 3, in which lies another one (region 2) of
/// block 2.
class NestedBranchesTest : public testing::Test {
 protected:
  NestedBranchesTest() : function_(side(), side()) {
    OpenedFunction& of = opened();
    of.regions.resize(3);
    of.regions[2].parent = {1, 1};
    for (const size_t s : {0, 1}) {
      of.region_of_loop[s] = {1, 2};
      of.regions[1].loops[s] = {0};
      of.regions[2].loops[s] = {1};
      of.shapes[s].blocks[0].entered = 1;
      of.shapes[s].edges = {{0, 1, 2}, {1, 2, 20}, {2, 2, 80}, {2, 3, 20}, {3, 1, 18}, {3, 4, 2}};
    }
    of.regions[1].entries = {2, 2};
    of.regions[1].iterations = {20, 20};
    of.regions[2].entries = {20, 20};
    of.regions[2].iterations = {100, 100};
  }
  static WrittenSide side() {
    return {{{9, 50}, {10, 400, 0}, {11, 3000, 1}, {12, 20'000, 0}, {20, 100'000}},
            {{2, 20}, {.entries = 20, .iterations = 100, .parent = 0, .depth = 2}}};
  }
  OpenedFunction& opened() { return function_.opened; }

  /// "E1 -> I1 20", of base; shares with a star. E and I are a loop's entry and iteration, B blocks, C callees.
  std::set<std::string> edges(const std::set<uint32_t>& told, const std::vector<InsideCallee>& callees = {}) {
    const CalleeNodes of_callee = {std::vector<uint32_t>{7}, std::vector<uint32_t>{7}};
    graph_ = make_inside_graph(opened(), of_callee, {123'450, 123'450}, callees, told);
    std::set<std::string> all;
    for (const InsideEdge& edge : graph_.edges) {
      EXPECT_EQ(edge.times[0], edge.times[1]);
      all.insert(fmt::format("{} -> {} {}{}", name(edge.from), name(edge.to), edge.times[0], edge.is_share ? "*" : ""));
    }
    return all;
  }
  std::string name(uint32_t node) const {
    const InsideNode& of = graph_.nodes[node];
    return of.kind == InsideKind::kBody ? "body" : fmt::format("{}{}", " EIBC"[static_cast<int>(of.kind)], of.number);
  }
  int64_t self(const std::string& of) const {
    for (uint32_t node = 0; node < graph_.nodes.size(); ++node)
      if (name(node) == of) return graph_.nodes[node].self[0];
    return -1;
  }
  using Edges = std::set<std::string>;

  WrittenFunction function_;
  InsideGraph graph_;
};

TEST_F(NestedBranchesTest, OfAllOfThem) {
  EXPECT_EQ(edges({0, 1, 2}), (Edges{"body -> B0 1*", "B0 -> E1 2*", "E1 -> B4 2*", "E1 -> I1 20", "I1 -> B1 20*",
                                     "B1 -> E2 20*", "E2 -> B3 20*", "E2 -> I2 100", "I2 -> B2 100*"}));
}

TEST_F(NestedBranchesTest, WhatIsEnteredFromOutsideBeginsAnIteration) {
  for (FunctionShape& shape : opened().shapes) {
    shape.blocks[3].entered = 5;
    shape.blocks[1].entered = 3;
    shape.edges.push_back({4, 3, 4});
  }
  EXPECT_EQ(edges({1}), (Edges{"body -> E1 2", "E1 -> I1 20", "I1 -> B1 20*", "I1 -> B3 9*", "B1 -> E2 20*",
                               "E2 -> B3 20*", "E2 -> I2 100"}))
      << "the header is the region's however it is entered";
}

TEST_F(NestedBranchesTest, ALoopOfOneSideHasNoBranchesOnTheOther) {
  opened().regions[2].loops[1].clear();
  opened().regions[2].iterations[1] = opened().regions[2].entries[1] = 0;
  const CalleeNodes none;
  graph_ = make_inside_graph(opened(), none, {123'450, 123'450}, {}, {2});
  for (const InsideEdge& edge : graph_.edges)
    EXPECT_EQ(edge.times[1] == 0,
              std::set<std::string>({"I2", "E2"}).contains(name(edge.from)) || name(edge.to) == "E2");
}

TEST_F(NestedBranchesTest, CallsOfTheLastTestAreTheEntrys) {
  for (const size_t s : {0, 1}) {
    FunctionShape& shape = opened().shapes[s];
    shape.flow.calls = {{1, 0, 100}, {3, 0, 5}};
    shape.loops[0].heads = 20;
    shape.loops[0].head_exits = 2;
  }
  const Edges loops = {"body -> E1 2", "E1 -> I1 20", "I1 -> E2 20", "E2 -> I2 100"};
  Edges expected = loops;
  expected.insert({"E1 -> C7 10", "I1 -> C7 95", "body -> C7 895"});
  EXPECT_EQ(edges({}, {{7, {1000, 1000}, {}}}), expected);
  EXPECT_EQ(self("E1"), 40) << "a tenth of the header's 400";
  EXPECT_EQ(self("I1"), 20'360);
  opened().regions[1].reshaped = true;
  const Edges reshaped = edges({}, {{7, {1000, 1000}, {}}});
  EXPECT_TRUE(reshaped.contains("E1 -> C7 105"));
  EXPECT_TRUE(reshaped.contains("E1 -> E2 20"));
  EXPECT_EQ(self("E1"), 20'400);
}

TEST_F(NestedBranchesTest, ACalleeWithoutANumberIsLeftOut) {
  for (FunctionShape& shape : opened().shapes) shape.flow.calls = {{3, 1, 5}};
  EXPECT_EQ(edges({}, {{7, {4, 4}, {}}}),
            (Edges{"body -> E1 2", "E1 -> I1 20", "I1 -> E2 20", "E2 -> I2 100", "body -> C7 4"}));
}

}  // namespace
}  // namespace icount
