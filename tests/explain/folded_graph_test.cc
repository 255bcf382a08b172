#include "icount/explain/match/folded_graph.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <tuple>

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

/// main calls f, in all the pieces that a compiler and the profiler make of it, and g.
GraphBuilder in_pieces() {
  GraphBuilder graph;
  graph.in("a.c").function("main", 1).function("f.part.0", 20).function("f", 100).function("f'2", 300).function("g", 7);
  graph.function("f.cold", 4000).function("f.isra.0", 50'000);
  graph.calls("main", "f", 2, 22).calls("main", "f.isra.0", 3, 33).calls("f", "f.part.0", 2, 20);
  graph.calls("f", "f'2", 5, 55).calls("f'2", "f'2", 6, 66).calls("f", "f.cold", 1, 11).calls("f'2", "g", 7, 77);
  return graph.calls("f.part.0", "g", 8, 88).calls("main", "g", 9, 99).calls("f.part.0", "f.part.0", 4, 44);
}

TEST(FoldedGraphTest, PiecesOfAFunctionAreOne) {
  const CostGraph graph = in_pieces().graph();
  const FoldedGraph folded = fold_graph(graph, 0, false);
  EXPECT_EQ(folded.graph, &graph);
  EXPECT_EQ(folded.total, 54'428);
  Listed all = listed(folded);
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, (Listed{{"f", "a.c", "prog", 54'420}, {"g", "a.c", "prog", 7}, {"main", "a.c", "prog", 1}}));
  EXPECT_EQ(edges(folded),
            (std::vector<std::string>{"f -> f 15 165", "f -> g 15 165", "main -> f 5 55", "main -> g 9 99"}));
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    EXPECT_EQ(folded.functions[folded.folded_of[f]].name, graph.name(f).substr(0, 1) == "f" ? "f" : graph.name(f));
}

TEST(FoldedGraphTest, RawNamesStayApart) {
  const CostGraph graph = in_pieces().graph();
  const FoldedGraph folded = fold_graph(graph, 0, true);
  EXPECT_EQ(folded.functions.size(), 7u);
  EXPECT_EQ(folded.edges.size(), 10u);
  const std::vector<std::string> all = edges(folded);
  for (const char* edge : {"f -> f.cold 1 11", "f'2 -> f'2 6 66"})
    EXPECT_TRUE(std::binary_search(all.begin(), all.end(), edge)) << edge;
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

TEST(FoldedGraphTest, TheLevelsOfTwoFilesAreOneFunction) {
  GraphBuilder graph;
  graph.in("a.c").define("f", 1).in("b.c").define("f'2", 20);
  const CostGraph built = graph.graph();
  EXPECT_EQ(listed(fold_graph(built, 0, false)), (Listed{{"f", "a.c", "prog", 21}}));
}

TEST(FoldedGraphTest, SumsOfCallsSaturate) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  GraphBuilder graph;
  graph.function("main", 1).function("f", 1).function("f.isra.0", 1);
  const CostGraph built = graph.calls("main", "f", kMost, kMost).calls("main", "f.isra.0", 2, 3).graph();
  EXPECT_EQ(edges(fold_graph(built, 0, false)), std::vector<std::string>{fmt::format("main -> f {} {}", kMost, kMost)});
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

TEST(FoldedGraphTest, ASharedFileIsThatOfTheWholeFunction) {
  GraphBuilder graph;
  graph.in("z.c").define("f", 1).in("a.c").define("f.part.0", 20).define("f'2", 3);
  const CostGraph built = graph.graph();
  EXPECT_EQ(listed(fold_graph(built, 0, false)), (Listed{{"f", "z.c", "prog", 24}}));
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

}  // namespace
}  // namespace icount
