// The lines that carry a change of self cost, and where causes lie.
#include <gtest/gtest.h>

#include "icount/explain/explain.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

using Lines = std::vector<std::pair<uint64_t, int64_t>>;

/// main calls run, whose lines cost what is said.
CostGraph program(const Lines& lines, int64_t calls = 10) {
  GraphBuilder graph;
  graph.in("src/main.c").line("main", "src/main.c", 3, 100).in("src/run.c");
  for (const auto& [line, cost] : lines) graph.line("run", "src/run.c", line, cost);
  return graph.calls("main", "run", calls).graph();
}

std::string first_text(const Lines& base, const Lines& head) {
  return explain(program(base), program(head)).causes.at(0).text;
}

TEST(CausePlacesTest, TheLineThatCarriesTheChangeIsNamed) {
  const Explanation explanation = explain(program({{10, 50}, {11, 400}, {12, 70}, {14, 200}}),
                                          program({{10, 50}, {11, 400}, {12, 1070}, {14, 220}}));
  const Cause& first = explanation.causes.at(0);
  EXPECT_EQ(first.text, "self cost of `run`: 72 -> 174 per call (10 calls); +1,000 of it on line run.c:12");
  EXPECT_EQ(first.file, "src/run.c");
  EXPECT_EQ(first.line, 12u);
}

TEST(CausePlacesTest, LinesAreFoundWhereTheyMovedTo) {
  EXPECT_EQ(first_text({{10, 50}, {11, 400}, {12, 70}, {14, 200}}, {{30, 50}, {31, 400}, {32, 1070}, {34, 200}}),
            "self cost of `run`: 72 -> 172 per call (10 calls); all on line run.c:32");
  EXPECT_EQ(
      first_text({{10, 50}, {11, 400}, {12, 70}, {14, 200}}, {{10, 50}, {11, 400}, {12, 900}, {13, 70}, {15, 200}}),
      "self cost of `run`: 72 -> 162 per call (10 calls); all on line run.c:12")
      << "a line was written between";
  EXPECT_EQ(first_text({{10, 50}, {12, 900}, {13, 70}, {15, 200}}, {{10, 50}, {12, 70}, {14, 200}}),
            "self cost of `run`: 122 -> 32 per call (10 calls); all on line run.c:12")
      << "a line is gone: its number is that of the base";
}

TEST(CausePlacesTest, AFewLinesAreNamedTogetherManyAreNot) {
  EXPECT_EQ(first_text({{10, 50}, {11, 400}, {12, 70}}, {{10, 50}, {11, 900}, {12, 370}}),
            "self cost of `run`: 52 -> 132 per call (10 calls); 100 % of it on lines run.c:11 and 12");
  EXPECT_EQ(first_text({{10, 50}, {11, 50}, {12, 50}, {13, 50}, {14, 50}},
                       {{10, 150}, {11, 150}, {12, 150}, {13, 150}, {14, 150}}),
            "self cost of `run`: 25 -> 75 per call (10 calls)");
  EXPECT_EQ(first_text({{10, 1000}, {11, 50}}, {{10, 100}, {11, 2000}}),
            "self cost of `run`: 105 -> 210 per call (10 calls)")
      << "what one line takes back is more than the whole";
}

TEST(CausePlacesTest, ACallLiesWhereItsCallerBegins) {
  const Cause first = explain(program({{10, 500}, {11, 500}}, 10), program({{10, 1000}, {11, 1000}}, 20)).causes.at(0);
  EXPECT_EQ(first.text, "`main` calls `run` 20 times instead of 10");
  EXPECT_EQ(first.file, "src/main.c");
  EXPECT_EQ(first.line, 3u);
}

TEST(CausePlacesTest, WithoutLinesTheFileIsKnown) {
  GraphBuilder base, head;
  base.in("src/run.c").function("run", 100);
  head.in("src/run.c").function("run", 300);
  const Cause first = explain(base.graph(), head.graph()).causes.at(0);
  EXPECT_EQ(first.file, "src/run.c");
  EXPECT_EQ(first.line, 0u);
}

/// What is said about lines of a function that is called once on each side.
std::string lines_told(const Lines& base, const Lines& head) {
  const std::string text = explain(program(base, 1), program(head, 1)).causes.at(0).text;
  const size_t at = text.find("; ");
  return at == std::string::npos ? "" : text.substr(at + 2);
}

TEST(CausePlacesTest, FourFifthsOfTheChangeAreEnough) {
  const Lines base = {{10, 100}, {11, 100}, {12, 100}, {13, 100}, {14, 100}, {15, 100}};
  EXPECT_EQ(lines_told(base, {{10, 100}, {11, 900}, {12, 150}, {13, 150}, {14, 150}, {15, 150}}),
            "+800 of it on line run.c:11");
  EXPECT_EQ(lines_told(base, {{10, 100}, {11, 899}, {12, 151}, {13, 150}, {14, 150}, {15, 150}}), "");
}

TEST(CausePlacesTest, ALineIsNamedFromATenthOn) {
  const Lines base = {{10, 100}, {11, 100}, {12, 100}, {13, 100}, {14, 100}};
  EXPECT_EQ(lines_told(base, {{10, 100}, {11, 850}, {12, 200}, {13, 175}, {14, 175}}),
            "85 % of it on lines run.c:11 and 12");
  EXPECT_EQ(lines_told(base, {{10, 100}, {11, 850}, {12, 199}, {13, 176}, {14, 175}}), "");
  EXPECT_EQ(lines_told(base, {{10, 100}, {11, 1000}, {12, 200}, {13, 100}, {14, 100}}), "+900 of it on line run.c:11")
      << "when less than a tenth is left to name";
}

TEST(CausePlacesTest, ThreeLinesAtMostAreNamed) {
  const Lines base = {{10, 100}, {11, 100}, {12, 100}, {13, 100}, {14, 100}};
  EXPECT_EQ(lines_told(base, {{10, 100}, {11, 400}, {12, 380}, {13, 360}, {14, 260}}),
            "84 % of it on lines run.c:11, 12 and 13");
  EXPECT_EQ(lines_told(base, {{10, 100}, {11, 350}, {12, 350}, {13, 350}, {14, 350}}), "") << "four of equal size";
}

TEST(CausePlacesTest, OtherLinesMayTakeBackAFifth) {
  const Lines base = {{10, 1000}, {11, 100}, {12, 100}};
  EXPECT_EQ(lines_told(base, {{10, 810}, {11, 1290}, {12, 100}}), "+1,190 of it on line run.c:11");
  EXPECT_EQ(lines_told(base, {{10, 790}, {11, 1310}, {12, 100}}), "");
}

TEST(CausePlacesTest, AFunctionOfOneLineSaysItItself) { EXPECT_EQ(lines_told({{10, 100}}, {{10, 900}}), ""); }

}  // namespace
}  // namespace icount
