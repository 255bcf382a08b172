// A profile folded by function, its lines, and how far lines of a file moved.
#include "icount/explain/match/folded_graph.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <tuple>

#include "icount/explain/compared_tables.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

/// One function of each of six objects, all of one name, listed from the first object or from the last.
CostGraph namesakes(bool backwards) {
  constexpr std::array<const char*, 6> kObjects = {"liba.so", "libb.so", "libc.so", "libd.so", "libe.so", "libf.so"};
  GraphBuilder graph;
  for (size_t i = 0; i < kObjects.size(); ++i) {
    const size_t object = backwards ? kObjects.size() - 1 - i : i;
    graph.in("a.c", kObjects[object]).define("f(int)", static_cast<int64_t>(object) + 1);
    graph.in("b.c", kObjects[object]).define("f(int)", static_cast<int64_t>(object) + 10);
  }
  return graph.graph();
}

using Listed = std::vector<std::tuple<std::string, std::string, std::string, int64_t>>;
Listed listed(const FoldedGraph& folded) {
  Listed all;
  for (const FoldedFunction& function : folded.functions)
    all.emplace_back(function.name, function.file, function.object, function.self);
  return all;
}

/// Whatever comes behind prefers the first of equals: the order must not be that of the profile's records.
TEST(FoldedGraphTest, TheOrderOfRecordsIsNotSeen) {
  const CostGraph there = namesakes(false), back = namesakes(true);
  for (const bool raw_names : {false, true})
    EXPECT_EQ(listed(fold_graph(there, 0, raw_names)), listed(fold_graph(back, 0, raw_names))) << raw_names;
}

TEST(BeginsInvocationTest, StepsWithinACallAreNone) {
  EXPECT_TRUE(begins_invocation("", ""));
  EXPECT_TRUE(begins_invocation("", ".isra.0"));
  EXPECT_TRUE(begins_invocation(".part.0", ".isra.0"));
  EXPECT_FALSE(begins_invocation("", ".part.0"));
  EXPECT_FALSE(begins_invocation(".part.0", ".part.1"));
  EXPECT_TRUE(begins_invocation(".part.0", ".part.0")) << "a part that calls itself";
  EXPECT_FALSE(begins_invocation("", ".cold"));
  EXPECT_FALSE(begins_invocation(".cold", ".cold")) << "it is never called";
  EXPECT_FALSE(begins_invocation(".isra.0", ".isra.0.cold"));
  EXPECT_TRUE(begins_invocation(".cold", ""));
}

/// "main -> f 7 70": callers, callees, calls and what they cost.
std::vector<std::string> edges(const FoldedGraph& folded) {
  std::vector<std::string> all;
  EXPECT_EQ(folded.first_edge.size(), folded.functions.size() + 1);
  for (uint32_t f = 0; f < folded.functions.size(); ++f)
    for (uint32_t e = folded.first_edge[f]; e < folded.first_edge[f + 1]; ++e) {
      const FoldedEdge& edge = folded.edges[e];
      EXPECT_EQ(edge.caller, f);
      EXPECT_TRUE(e == folded.first_edge[f] || folded.edges[e - 1].callee < edge.callee) << "sorted, each once";
      all.push_back(fmt::format("{} -> {} {} {}", folded.functions[f].name, folded.functions[edge.callee].name,
                                edge.calls, edge.inclusive));
    }
  EXPECT_EQ(folded.first_edge.back(), folded.edges.size());
  std::sort(all.begin(), all.end());
  return all;
}

TEST(FoldedGraphTest, StaticsOfTwoFilesAreTwoFunctionsWithTheirPieces) {
  GraphBuilder graph;
  graph.in("a.c").define("f", 1).define("f.part.0", 20).in("b.c").define("f", 300).define("f.part.0", 4000);
  graph.in("a.c").define("g", 5).in("b.h").define("g.part.0", 60);
  const CostGraph built = graph.graph();
  Listed all = listed(fold_graph(built, 0, false));
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, (Listed{{"f", "a.c", "prog", 21}, {"f", "b.c", "prog", 4300}, {"g", "a.c", "prog", 65}}))
      << "a piece may lie in another file than its function";
}

TEST(FoldedGraphTest, AJumpThroughATableIsTheBeginningOfWhatItJumpsTo) {
  GraphBuilder graph;
  graph.function("main", 1).function("f", 100).in("???", "???").function("0x0000000005081c78", 8);
  graph.calls("main", "0x0000000005081c78", 4, 408).calls("0x0000000005081c78", "f", 4, 400).calls("main", "f", 1, 25);
  const CostGraph built = graph.graph();
  const FoldedGraph folded = fold_graph(built, 0, false);
  EXPECT_EQ(folded.functions.size(), 2u);
  EXPECT_EQ(edges(folded), std::vector<std::string>{"main -> f 5 433"});
  EXPECT_EQ(folded.functions[folded.folded_of[1]].self, 108);
  EXPECT_EQ(folded.folded_of[2], folded.folded_of[1]);
  EXPECT_EQ(fold_graph(built, 0, true).functions.size(), 3u) << "with raw names it is a function";
}

TEST(FoldedGraphTest, AnEndThatLiesInAnotherFunctionIsAPieceOfIt) {
  const auto functions = [](int64_t inclusive, const std::string& file, int64_t called) {
    GraphBuilder graph;
    graph.function("main", 1)
        .in("move.S", "libc.so.6")
        .define("move", 50)
        .in(file, "libc.so.6")
        .define("move_erms", 900);
    graph.calls("main", "move", 10, inclusive);
    if (called > 0) graph.calls("main", "move_erms", called, 900);
    const CostGraph built = graph.graph();
    const FoldedGraph folded = fold_graph(built, 0, false);
    return std::pair(folded.functions.size(), folded.functions[folded.folded_of[1]].self);
  };
  EXPECT_EQ(functions(950, "move.S", 0), std::pair(size_t{2}, int64_t{950}));
  EXPECT_EQ(functions(941, "move.S", 0), std::pair(size_t{2}, int64_t{950})) << "some calls are not recorded";
  EXPECT_EQ(functions(940, "move.S", 0), std::pair(size_t{3}, int64_t{50}));
  EXPECT_EQ(functions(951, "move.S", 0), std::pair(size_t{3}, int64_t{50})) << "more than the other costs";
  EXPECT_EQ(functions(50, "move.S", 0), std::pair(size_t{3}, int64_t{50})) << "it jumps nowhere";
  EXPECT_EQ(functions(950, "other.S", 0), std::pair(size_t{3}, int64_t{50}));
  EXPECT_EQ(functions(950, "move.S", 1), std::pair(size_t{3}, int64_t{50})) << "it is called";
}

TEST(FoldedGraphTest, AnEndThatTwoJumpIntoCostsEachWhatItsCallsSay) {
  GraphBuilder graph;
  graph.function("main", 1).in("move.S", "libc.so.6").define("copy", 50).define("move", 20).define("end", 900);
  graph.calls("main", "copy", 10, 950 - 80).calls("main", "move", 5, 20 + 80);
  const CostGraph built = graph.graph();
  const FoldedGraph folded = fold_graph(built, 0, false);
  const auto self_of = [&](size_t f) { return folded.functions[folded.folded_of[f]].self; };
  EXPECT_EQ(folded.functions.size(), 3u);
  EXPECT_EQ(folded.folded_of[3], folded.folded_of[1]) << "a piece of the one that costs most there";
  EXPECT_EQ(self_of(1), 870);
  EXPECT_EQ(self_of(2), 100);
}

TEST(FoldedGraphTest, OfTheEventThatIsAskedFor) {
  const CostGraph graph = small_graph();
  const FoldedGraph folded = fold_graph(graph, 1, false);
  EXPECT_EQ(folded.event, 1u);
  EXPECT_EQ(folded.total, 100);
  EXPECT_EQ(folded.functions[folded.folded_of[2]].self, 60);
  EXPECT_EQ(edges(folded),
            (std::vector<std::string>{"lex(char const*) -> hash 600 60", "lex(char const*) -> lex(char const*) 1 45",
                                      "main -> lex(char const*) 2 90"}));
}

/// Comparing each piece with each other one would take many minutes.
TEST(FoldedGraphTest, AFunctionInVeryManyPiecesIsFoldedSoon) {
  constexpr int kPieces = 400'000;
  CostGraph graph;
  graph.events = {"Ir"};
  graph.totals = {kPieces};
  const StringId file = graph.strings.intern("a.c"), other = graph.strings.intern("b.c"),
                 object = graph.strings.intern("prog");
  for (int i = 0; i < kPieces; ++i) {
    graph.functions.push_back({graph.strings.intern(fmt::format("f.part.{}", i)), i % 2 == 0 ? file : other, object});
    graph.self.push_back(1);
  }
  EXPECT_EQ(listed(fold_graph(graph, 0, false)), (Listed{{"f", "a.c", "prog", kPieces}}));
  graph.functions.push_back({graph.strings.intern("f.part.0"), other, object});
  graph.self.push_back(1);
  EXPECT_EQ(fold_graph(graph, 0, false).functions.size(), 2u) << "one symbol in two files tells all pieces apart";
}

using Place = LineShifts::Place;

/// Two functions of a.c: one stays on lines 10 to 20, the other moves from 100 to 110.
LineShifts two_functions() {
  LineShifts shifts;
  shifts.add("a.c", {10, 20}, "a.c", {10, 20});
  shifts.add("a.c", {100, 120}, "a.c", {110, 130});
  return shifts;
}

TEST(LineShiftsTest, ALineMovesAsTheNearestFunctionAboveIt) {
  const LineShifts shifts = two_functions();
  EXPECT_EQ(shifts.of("a.c", 10, 0), 0);
  EXPECT_EQ(shifts.of("a.c", 99, 0), 0);
  EXPECT_EQ(shifts.of("a.c", 100, 0), 10) << "its own first line";
  EXPECT_EQ(shifts.of("a.c", 500, 0), 10);
  EXPECT_EQ(shifts.of("a.c", 109, 1), 0) << "from the head's side";
  EXPECT_EQ(shifts.of("a.c", 110, 1), -10);
  EXPECT_EQ(shifts.of("b.c", 100, 0), 0);
  LineShifts one;
  one.add("a.c", {100, 120}, "a.c", {110, 130});
  EXPECT_EQ(one.of("a.c", 5, 0), 10) << "above the first known one, as the one below";
}

TEST(LineShiftsTest, WhatWasEditedOrIsInAnotherFileSaysNothing) {
  LineShifts shifts;
  shifts.add("a.c", {100, 120}, "a.c", {110, 131});
  shifts.add("a.c", {200, 220}, "b.c", {210, 230});
  shifts.add("a.c", {0, 0}, "a.c", {10, 10});
  shifts.add("a.c", {10, 10}, "a.c", {0, 0});
  EXPECT_EQ(shifts.of("a.c", 100, 0), 0);
  EXPECT_EQ(shifts.of("a.c", 200, 0), 0);
  EXPECT_EQ(shifts.of("b.c", 210, 1), 0);
  EXPECT_EQ(shifts.compare("a.c", 100, 105), Place::kPossible) << "nothing is known of the file";
}

TEST(LineShiftsTest, AFunctionLiesBetweenItsNeighbours) {
  const LineShifts shifts = two_functions();
  EXPECT_EQ(shifts.compare("a.c", 50, 50), Place::kSame) << "as the one above";
  EXPECT_EQ(shifts.compare("a.c", 50, 60), Place::kSame) << "as the one below";
  EXPECT_EQ(shifts.compare("a.c", 50, 55), Place::kPossible);
  EXPECT_EQ(shifts.compare("a.c", 50, 47), Place::kPossible) << "three lines edited in its head";
  EXPECT_EQ(shifts.compare("a.c", 50, 46), Place::kAnother);
  EXPECT_EQ(shifts.compare("a.c", 50, 63), Place::kPossible);
  EXPECT_EQ(shifts.compare("a.c", 50, 64), Place::kAnother);
}

TEST(LineShiftsTest, AboveTheFirstKnownFunctionLinesStayOrMoveAsIt) {
  LineShifts shifts;
  shifts.add("a.c", {100, 120}, "a.c", {110, 130});
  EXPECT_EQ(shifts.compare("a.c", 50, 50), Place::kSame);
  EXPECT_EQ(shifts.compare("a.c", 50, 60), Place::kSame);
  EXPECT_EQ(shifts.compare("a.c", 50, 47), Place::kPossible);
  EXPECT_EQ(shifts.compare("a.c", 50, 46), Place::kAnother);
  EXPECT_EQ(shifts.compare("a.c", 50, 64), Place::kAnother);
}

/// f in src/a.c with lines of its own file, of a header of two folders, and one that is not known; g has line 90 of it.
CostGraph lines_of_two() {
  GraphBuilder graph;
  graph.in("src/a.c").line("f", "src/a.c", 12, 5).line("f", "src/a.c", 10, 7).line("f", "src/a.c", 0, 3);
  graph.line("f", "one/b.h", 3, 20).line("f", "two/b.h", 3, 30).line("f", "one/b.h", 99, 1);
  graph.line("g", "src/a.c", 90, 11);
  return graph.graph();
}

class SourceLinesTest : public testing::Test {
 protected:
  SourceLinesTest() : graph_(lines_of_two()), folded_(fold_graph(graph_, 0, false)) {}
  uint32_t function(std::string_view name) const {
    for (uint32_t f = 0; f < folded_.functions.size(); ++f)
      if (folded_.functions[f].name == name) return f;
    return kNoFunction;
  }
  std::string lines(std::string_view name) const {
    std::string all;
    for (const LineCost& line : SourceLines(folded_).lines_of(function(name)))
      all += fmt::format("{}:{} {};", line.file, line.line, line.cost);
    return all;
  }

  CostGraph graph_;
  FoldedGraph folded_;
};

TEST_F(SourceLinesTest, LineByLineByTheNamesOfFiles) {
  EXPECT_EQ(lines("f"), "a.c:10 7;a.c:12 5;b.h:3 50;b.h:99 1;");
  EXPECT_EQ(lines("g"), "a.c:90 11;");
}

/// "src/a.c:10 f 5 -> 7;"
std::string compared(const GraphBuilder& base, const GraphBuilder& head) {
  std::string all;
  for (const ComparedLine& line : compare_lines(base.graph(), head.graph(), "Ir"))
    all += fmt::format("{}:{} {} {} -> {};", line.file, line.line, line.function, line.self[0], line.self[1]);
  return all;
}

TEST(ComparedLinesTest, TheFunctionThatSpentMostOnItIsNamed) {
  EXPECT_EQ(compared(GraphBuilder().line("f", "a.h", 3, 5).line("g", "a.h", 3, 9).line("h", "a.h", 3, 9),
                     GraphBuilder().line("k", "a.h", 3, 8)),
            "a.h:3 g 23 -> 8;");
  EXPECT_EQ(compared(GraphBuilder().line("f", "a.h", 3, 5), GraphBuilder().line("k", "a.h", 3, 8)), "a.h:3 k 5 -> 8;");
}

TEST(ComparedLinesTest, ByTheChangeThenTheCostThenThePlace) {
  EXPECT_EQ(
      compared(
          GraphBuilder().line("f", "a.c", 1, 5).line("f", "a.c", 2, 50).line("f", "a.c", 3, 9).line("f", "a.c", 4, 50),
          GraphBuilder().line("f", "a.c", 1, 8).line("f", "a.c", 2, 47).line("f", "a.c", 3, 1).line("f", "a.c", 4, 53)),
      "a.c:3 f 9 -> 1;a.c:4 f 50 -> 53;a.c:2 f 50 -> 47;a.c:1 f 5 -> 8;");
  EXPECT_EQ(
      compared(GraphBuilder().line("f", "b.c", 1, 5).line("f", "a.c", 1, 5), GraphBuilder().line("f", "a.c", 0, 1)),
      "a.c:1 f 5 -> 0;b.c:1 f 5 -> 0;")
      << "equal ones by file; a line that is not known is none";
}

}  // namespace
}  // namespace icount
