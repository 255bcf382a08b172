#include "icount/callgrind/writer.h"

#include <gtest/gtest.h>

#include "callgrind/canonical_tables.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/callgrind/cost_graph_builder.h"
#include "icount/callgrind/parser.h"
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
      const FileBytes bytes = load_file(testdata(std::string("callgrind/") + name + ".xz"));
      const CostGraph graph = read(bytes.view(), lines);
      const std::string text = render_callgrind(graph, "./prog");
      for (const PositionRule rule : {PositionRule::kByCreator, PositionRule::kManual, PositionRule::kEmitter}) {
        const CostGraph again = read(text, lines, rule);
        expect_same(graph, again);
      }
      EXPECT_TRUE(parse_profile(text, "p").warnings.empty());
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
