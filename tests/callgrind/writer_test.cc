#include "icount/callgrind/writer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "callgrind/canonical_tables.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/callgrind/cost_graph_builder.h"
#include "icount/callgrind/parser.h"
#include "support/error_of.h"
#include "support/golden.h"

namespace icount {
namespace {

CostGraph read(std::string_view text, bool keep_lines = false, PositionRule rule = PositionRule::kByCreator) {
  ParseOptions options;
  options.keep_lines = keep_lines;
  options.rule = rule;
  return make_cost_graph(parse_profile(text, "p", options));
}

void expect_same(const CostGraph& a, const CostGraph& b) {
  EXPECT_EQ(a.events, b.events);
  EXPECT_EQ(a.totals, b.totals);
  EXPECT_EQ(functions_table(a), functions_table(b));
  EXPECT_EQ(rows_table(a), rows_table(b));
  EXPECT_EQ(edges_table(a), edges_table(b));
  EXPECT_EQ(lines_table(a), lines_table(b));
}

TEST(WriterTest, GoldenProfilesComeBackEqualByBothRules) {
  for (const char* name :
       {"containers.default", "jumpy.instr-jumps", "phases.combined", "requests.toggle", "weirdnames.default"})
    for (const bool lines : {false, true}) {
      const FileBytes bytes = load_file(unpacked(std::string("profiles/callgrind/") + name));
      const CostGraph graph = read(bytes.view(), lines);
      const std::string text = render_callgrind(graph, "./prog");
      for (const PositionRule rule : {PositionRule::kByCreator, PositionRule::kManual, PositionRule::kEmitter}) {
        const CostGraph again = read(text, lines, rule);
        expect_same(graph, again);
      }
      EXPECT_TRUE(parse_profile(text, "p").warnings.empty());
    }
}

TEST(WriterTest, AGraphIsWrittenFunctionByFunctionWithItsCallsFirst) {
  const std::string text =
      "events: Ir Dr\nob=o\nfl=a.c\nfn=f\n1 5 2\nfi=h.h\n3 1 0\nfe=a.c\ncob=p\ncfi=b.c\ncfn=g\ncalls=2 1\n4 10 "
      "20\nob=p\nfl=b.c\nfn=g\n7 10 20\n";
  const std::string head =
      "# callgrind format\nversion: 1\ncreator: icount\ncmd: ./x \\x1b\npart: 1\n\npositions: line\nevents: Ir "
      "Dr\nsummary: 16 22\n\n\nob=(2) o\nfl=(3) a.c\nfn=(4) f\ncob=(6) p\ncfi=(7) b.c\ncfn=(8) g\ncalls=2 0\n0 "
      "10 20\n";
  EXPECT_EQ(render_callgrind(read(text), "./x \x1b"),
            head + "0 5 2\nfi=(5) h.h\n0 1 0\n\nob=(6)\nfl=(7)\nfn=(8)\n0 10 20\n\ntotals: 16 22\n");
  EXPECT_EQ(render_callgrind(read(text, true), "./x \x1b"),
            head + "1 5 2\nfi=(5) h.h\n3 1 0\n\nob=(6)\nfl=(7)\nfn=(8)\n7 10 20\n\ntotals: 16 22\n");
}

TEST(WriterTest, LinesThatComeBackToAFileAreInThatFile) {
  const CostGraph graph = read("events: Ir\nfl=a.c\nfn=f\n1 5\nfi=h.h\n3 1\n4 1\nfe=a.c\n9 2\n", true);
  EXPECT_EQ(lines_table(read(render_callgrind(graph), true)),
            "\ta.c\tf\ta.c\t1\t5\n\ta.c\tf\ta.c\t9\t2\n\ta.c\tf\th.h\t3\t1\n\ta.c\tf\th.h\t4\t1\n");
}

TEST(WriterTest, AnIdInsideANameIsGivenToNobody) {
  std::string text = "events: Ir\n";
  for (const char* name : {"a", "b", "c", "d", "e", "(3)'2", "(4)'(12)", "(5)'2"})
    text += fmt::format("fn=({}) {}\n1 1\n", 100 + text.size(), name);
  const CostGraph graph = read(text);
  EXPECT_NE(functions_table(graph).find("(4)'(12)"), std::string::npos);
  EXPECT_EQ(functions_table(read(render_callgrind(graph))), functions_table(graph));
}

TEST(WriterTest, AFunctionThatCallsNothingIsWritten) {
  for (const bool lines : {false, true}) {
    const std::string text = render_callgrind(read("events: Ir\nfn=f\n4 1\n", lines));
    EXPECT_TRUE(text.ends_with(lines ? "fn=(2) f\n4 1\n\ntotals: 1\n" : "fn=(2) f\n0 1\n\ntotals: 1\n")) << text;
  }
}

TEST(WriterTest, OddNamesComeBackEqual) {
  const CostGraph graph = read(
      "creator: x\nevents: A(MB) B\nob=(1) o\nfl=(1) a\r\r\nfn=(2) (7)\n1 -5 2\nfn=(3) (2)'2'(1)x\n1 1\nfn=(9) "
      "(44)'2\n1 1\nfn=\n1 1\nfl=\nfn=f\n1 1\n"
      "cfn=only called\ncalls=3 1\n1 8 9\n");
  expect_same(graph, read(render_callgrind(graph)));
}

TEST(WriterTest, WhatTheFormatCannotHoldIsRefused) {
  CostGraph graph = read("events: Ir\nfn=f\n1 1\n");
  for (const char* name : {" f", "\tf"}) {
    graph.functions[0].name = graph.strings.intern(name);
    EXPECT_NE(error_of([&] { render_callgrind(graph); }).find("as callgrind.out: it begins with a space"),
              std::string::npos);
  }
  graph.functions[0].name = graph.strings.intern("two\nlines");
  try {
    render_callgrind(graph);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "cannot write the name 'two\\x0alines' as callgrind.out: it contains a line feed");
  }
}

}  // namespace
}  // namespace icount
