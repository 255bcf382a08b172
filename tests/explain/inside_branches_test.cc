// Where control goes inside of nested loops whose branches are told, and calls that a loop's header makes.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "icount/explain/inside/inside_graph.h"
#include "written_code.h"

namespace icount {
namespace {

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

TEST_F(NestedBranchesTest, WithoutBranchesLoopsLieInEachOther) {
  EXPECT_EQ(edges({}), (Edges{"body -> E1 2", "E1 -> I1 20", "I1 -> E2 20", "E2 -> I2 100"}));
  EXPECT_EQ(self("body"), 100'050);
  EXPECT_EQ(self("I1"), 20'400);
  EXPECT_EQ(self("I2"), 3000);
}

TEST_F(NestedBranchesTest, OfALoopTheInnerOneIsAStep) {
  EXPECT_EQ(edges({1}),
            (Edges{"body -> E1 2", "E1 -> I1 20", "I1 -> B1 20*", "B1 -> E2 20*", "E2 -> B3 20*", "E2 -> I2 100"}));
  EXPECT_EQ(self("I1"), 0);
  EXPECT_EQ(self("B1"), 400);
  EXPECT_EQ(self("B3"), 20'000);
  EXPECT_EQ(self("I2"), 3000);
}

TEST_F(NestedBranchesTest, OfTheBodyTheOuterLoopIsAStep) {
  EXPECT_EQ(edges({0}),
            (Edges{"body -> B0 1*", "B0 -> E1 2*", "E1 -> B4 2*", "E1 -> I1 20", "I1 -> E2 20", "E2 -> I2 100"}));
  EXPECT_EQ(self("body"), 0);
  EXPECT_EQ(self("B4"), 100'000);
}

TEST_F(NestedBranchesTest, OfTheInnerLoopItsHeaderIsEachIteration) {
  EXPECT_EQ(edges({2}), (Edges{"body -> E1 2", "E1 -> I1 20", "I1 -> E2 20", "E2 -> I2 100", "I2 -> B2 100*"}));
}

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

TEST_F(NestedBranchesTest, TheHeaderOfAnotherPieceBeginsAnIterationToo) {
  // Block 3 is the header of a loop that belongs to the same region.
  for (const size_t s : {0, 1}) {
    ShapeLoop& piece = opened().shapes[s].loops.emplace_back();
    piece.header = 3;
    piece.blocks = {3};
    opened().shapes[s].blocks[3].loop = 2;
    opened().region_of_loop[s].push_back(1);
    opened().regions[1].loops[s].push_back(2);
  }
  EXPECT_EQ(edges({1}),
            (Edges{"body -> E1 2", "E1 -> I1 20", "I1 -> B1 20*", "I1 -> B3 20*", "B1 -> E2 20*", "E2 -> I2 100"}));
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
