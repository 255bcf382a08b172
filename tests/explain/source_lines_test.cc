// Self cost by file and line, of one side and of two side by side.
#include "icount/explain/match/folded_graph.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "icount/explain/compared_tables.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

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

TEST_F(SourceLinesTest, TheSpanIsOfTheFunctionsOwnFile) {
  const SourceLines found(folded_);
  EXPECT_TRUE(found.has_lines());
  EXPECT_EQ(found.span(function("f")).first, 10u);
  EXPECT_EQ(found.span(function("f")).last, 12u);
  EXPECT_EQ(found.span(function("g")).first, 90u);
  EXPECT_EQ(found.span(function("g")).last, 90u);
}

TEST_F(SourceLinesTest, CostInAFile) {
  const SourceLines found(folded_);
  EXPECT_EQ(found.cost_in_file(function("f"), "a.c"), 15);
  EXPECT_EQ(found.cost_in_file(function("f"), "b.h"), 51);
  EXPECT_EQ(found.cost_in_file(function("g"), "b.h"), 0);
}

TEST(SourceLinesOfNothingTest, WithoutLinesThereIsNoSpan) {
  const CostGraph graph = GraphBuilder().in("a.c").function("f", 5).graph();
  const FoldedGraph folded = fold_graph(graph, 0, false);
  const SourceLines found(folded);
  EXPECT_FALSE(found.has_lines());
  EXPECT_EQ(found.span(0).first, 0u);
  EXPECT_TRUE(found.lines_of(0).empty());
  EXPECT_EQ(found.cost_in_file(0, "a.c"), 5);
}

/// "src/a.c:10 f 5 -> 7;"
std::string compared(const GraphBuilder& base, const GraphBuilder& head, std::string_view event = "Ir") {
  std::string all;
  for (const ComparedLine& line : compare_lines(base.graph(), head.graph(), event))
    all += fmt::format("{}:{} {} {} -> {};", line.file, line.line, line.function, line.self[0], line.self[1]);
  return all;
}

TEST(ComparedLinesTest, LinesOfOneFolderAndFileAreOne) {
  EXPECT_EQ(compared(GraphBuilder().line("f", "/build/1/src/a.c", 10, 5),
                     GraphBuilder().line("f", "/build/2/src/a.c", 10, 7)),
            "/build/2/src/a.c:10 f 5 -> 7;");
  EXPECT_EQ(compared(GraphBuilder().line("f", "/x/one/a.c", 10, 5), GraphBuilder().line("f", "/x/two/a.c", 10, 7)),
            "/x/two/a.c:10 f 0 -> 7;/x/one/a.c:10 f 5 -> 0;");
  EXPECT_EQ(compared(GraphBuilder().line("f", "a.c", 10, 5), GraphBuilder().line("f", "a.c", 10, 7)),
            "a.c:10 f 5 -> 7;");
  EXPECT_EQ(compared(GraphBuilder().line("f", "/a.c", 10, 5), GraphBuilder().line("f", "/a.c", 10, 7)),
            "/a.c:10 f 5 -> 7;");
  EXPECT_EQ(compared(GraphBuilder().line("f", "src/a.c", 10, 5), GraphBuilder().line("f", "/x/src/a.c", 10, 7)),
            "/x/src/a.c:10 f 5 -> 7;");
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

TEST(ComparedLinesTest, AnEventThatASideLacksIsNothingThere) {
  EXPECT_EQ(compared(GraphBuilder("Dr").line("f", "a.c", 1, 5), GraphBuilder().line("f", "a.c", 1, 8)),
            "a.c:1 f 0 -> 8;");
  EXPECT_EQ(compared(GraphBuilder().line("f", "a.c", 1, 5), GraphBuilder().line("f", "a.c", 1, 8), "Dw"), "");
}

}  // namespace
}  // namespace icount
