// Inlining that the caller's own cost tells of: the callee's source lines inside the caller, or rows under its file.
#include <gtest/gtest.h>

#include <algorithm>

#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

bool says_inlined(const Explanation& explanation) {
  return std::any_of(explanation.causes.begin(), explanation.causes.end(),
                     [](const Cause& cause) { return cause.kind == CauseKind::kInlined; });
}

/// format calls escape, by lines 10 to 12 of text.cc; format itself is on lines 20 to 22.
GraphBuilder separate() {
  GraphBuilder graph;
  graph.in("/src/text.cc")
      .line("main", "/src/text.cc", 40, 100)
      .line("format", "/src/text.cc", 20, 1000)
      .line("format", "/src/text.cc", 22, 500);
  graph.line("escape", "/src/text.cc", 10, 3000).line("escape", "/src/text.cc", 12, 200);
  return graph.calls("main", "format", 10).calls("format", "escape", 100);
}

/// The same with a sixth of escape's cost inside format, which only lines can tell; main and format begin so many lines
/// further down.
GraphBuilder joined(uint64_t main_shift, uint64_t format_shift, uint64_t escape_line) {
  GraphBuilder graph;
  graph.in("/src/text.cc")
      .line("main", "/src/text.cc", 40 + main_shift, 100)
      .line("format", "/src/text.cc", 20 + format_shift, 1000);
  graph.line("format", "/src/text.cc", 22 + format_shift, 500).line("format", "/src/text.cc", escape_line, 500);
  return graph.calls("main", "format", 10);
}

/// escape's line 10 is inside format, which calls `slow` so many times; such a call costs so much.
GraphBuilder joined_but_for(int64_t calls, int64_t cost, const char* object = "prog") {
  GraphBuilder graph = joined(0, 0, 10);
  return graph.in("/src/text.cc", object).line("slow", "/src/text.cc", 14, calls * cost).calls("format", "slow", calls);
}

TEST(InliningTraceTest, WhatWasNotInlinedIsInAFunctionOfItsOwn) {
  const Explanation there = explain(separate().graph(), joined_but_for(100, 25).graph()),
                    back = explain(joined_but_for(100, 25).graph(), separate().graph());
  ASSERT_EQ(there.causes.size(), 1u);
  EXPECT_EQ(there.causes[0].delta, -200);
  EXPECT_EQ(cause_sentence(there.causes[0]),
            "`escape` is now inlined into `format`, which now calls `slow` for the rest (100 calls, -2 each)");
  ASSERT_EQ(back.causes.size(), 1u);
  EXPECT_EQ(back.causes[0].delta, 200);
  EXPECT_EQ(cause_sentence(back.causes[0]),
            "`escape` is no longer inlined into `format`, which called `slow` for the rest (100 calls, +2 each)");
  const auto is_one = [](const GraphBuilder& head) {
    return explain(separate().graph(), head.graph()).causes.size() == 1;
  };
  EXPECT_TRUE(is_one(joined_but_for(110, 25)));
  EXPECT_FALSE(is_one(joined_but_for(111, 25))) << "called more often";
  EXPECT_TRUE(is_one(joined_but_for(100, 23)));
  EXPECT_FALSE(is_one(joined_but_for(100, 22))) << "less than seven tenths";
  EXPECT_FALSE(is_one(joined_but_for(100, 42)));
  EXPECT_FALSE(is_one(joined_but_for(100, 25, "libother.so")));
}

TEST(InliningTraceTest, LinesOfTheCalleeInsideTheCallerProveIt) {
  GraphBuilder head;
  head.in("/src/text.cc")
      .line("main", "/src/text.cc", 40, 100)
      .line("format", "/src/text.cc", 20, 1000)
      .line("format", "/src/text.cc", 22, 500);
  head.line("format", "/src/text.cc", 10, 2000).calls("main", "format", 10);
  const Explanation explanation = explain(separate().graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  const Cause& cause = explanation.causes[0];
  EXPECT_EQ(cause.kind, CauseKind::kInlined);
  EXPECT_EQ(cause.caller, "format");
  EXPECT_EQ(cause.callee, "escape");
  EXPECT_EQ(cause.delta, -1200);
  EXPECT_EQ(cause_sentence(cause), "`escape` is now inlined into `format` (100 calls, -12 each)");
  EXPECT_EQ(cause.inside.size(), 2u);
  const Explanation back = explain(head.graph(), separate().graph());
  ASSERT_EQ(back.causes.size(), 1u);
  EXPECT_EQ(back.causes[0].delta, 1200);
  EXPECT_EQ(cause_sentence(back.causes[0]), "`escape` is no longer inlined into `format` (100 calls, +12 each)");
}

TEST(InliningTraceTest, LinesShiftAsTheNearestFunctionDoes) {
  EXPECT_TRUE(says_inlined(explain(separate().graph(), joined(0, 0, 10).graph())));
  EXPECT_FALSE(says_inlined(explain(separate().graph(), joined(0, 0, 14).graph()))) << "that is a new line";
  EXPECT_TRUE(says_inlined(explain(separate().graph(), joined(3, 3, 13).graph())))
      << "three lines were added above everything";
  GraphBuilder base = separate(), head = joined(3, 3, 10);
  base.line("near", "/src/text.cc", 15, 9);
  head.line("near", "/src/text.cc", 15, 9);
  EXPECT_TRUE(says_inlined(explain(base.graph(), head.graph()))) << "three lines were added below the next function";
  EXPECT_TRUE(says_inlined(explain(joined(3, 3, 13).graph(), separate().graph()))) << "the other way round";
}

TEST(InliningTraceTest, TheFunctionAboveTellsTheShift) {
  GraphBuilder base = separate(), head = joined(5, 5, 13);
  base.line("start", "/src/text.cc", 4, 9).line("near", "/src/text.cc", 8, 9);
  head.line("start", "/src/text.cc", 4, 9).line("near", "/src/text.cc", 11, 9);
  EXPECT_TRUE(says_inlined(explain(base.graph(), head.graph())));
}

TEST(InliningTraceTest, AnEndOfAnEditedFunctionTellsTheShiftOfWhatIsNearIt) {
  GraphBuilder base = separate(), head = joined(0, 0, 15);
  EXPECT_FALSE(says_inlined(explain(base.graph(), head.graph())));
  base.line("edited", "/src/text.cc", 2, 5).line("edited", "/src/text.cc", 9, 5);
  head.line("edited", "/src/text.cc", 2, 5).line("edited", "/src/text.cc", 14, 5);
  EXPECT_TRUE(says_inlined(explain(base.graph(), head.graph())));
  EXPECT_TRUE(says_inlined(explain(head.graph(), base.graph())));
}

TEST(InliningTraceTest, ACalleeThatIsStillCalledElsewhereTellsItsOwnShift) {
  GraphBuilder base = separate(), head = joined(3, 3, 13);
  base.line("start", "/src/text.cc", 4, 9)
      .calls("main", "escape", 100)
      .line("escape", "/src/text.cc", 10, 3000)
      .line("escape", "/src/text.cc", 12, 200);
  head.line("start", "/src/text.cc", 4, 9)
      .calls("main", "escape", 100)
      .line("escape", "/src/text.cc", 13, 3000)
      .line("escape", "/src/text.cc", 15, 200);
  EXPECT_TRUE(says_inlined(explain(base.graph(), head.graph())));
}

TEST(InliningTraceTest, AFunctionThatWasEditedOrMovedOrHasNoLinesTellsNoShift) {
  const auto inlined_with = [](auto&& add) {
    GraphBuilder base = separate(), head = joined(3, 3, 13);
    add(base, head);
    return says_inlined(explain(base.graph(), head.graph()));
  };
  EXPECT_TRUE(inlined_with([](GraphBuilder& base, GraphBuilder& head) {
    base.line("edited", "/src/text.cc", 4, 5).line("edited", "/src/text.cc", 6, 5);
    head.line("edited", "/src/text.cc", 2, 5).line("edited", "/src/text.cc", 9, 5);
  }));
  EXPECT_TRUE(inlined_with([](GraphBuilder& base, GraphBuilder& head) {
    base.line("ns::moved(int)", "/src/text.cc", 5, 10);
    head.in("/src/other.cc").line("ns::moved(int)", "/src/other.cc", 105, 10);
  }));
  EXPECT_TRUE(inlined_with([](GraphBuilder& base, GraphBuilder& head) {
    base.line("stub", "/src/text.cc", 0, 10);
    head.line("stub", "/src/text.cc", 0, 10);
  }));
}

TEST(InliningTraceTest, ACallThatWasTakenOutIsNotInlined) {
  GraphBuilder head;
  head.in("/src/text.cc")
      .line("main", "/src/text.cc", 40, 100)
      .line("format", "/src/text.cc", 20, 900)
      .line("format", "/src/text.cc", 22, 500);
  head.calls("main", "format", 10);
  const Explanation explanation = explain(separate().graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 2u);
  EXPECT_EQ(explanation.causes[0].kind, CauseKind::kCalls);
  EXPECT_EQ(cause_sentence(explanation.causes[0]), "`format` no longer calls `escape` (100 calls at 32 each)");
}

TEST(InliningTraceTest, AHeadersLineThatManyUseIsNoProof) {
  GraphBuilder base,
      head;  // a tree walked inside `count` gives way to a table that is called; both compare strings by one header
  base.in("/src/a.cc")
      .line("main", "/src/a.cc", 40, 100)
      .line("count", "/src/a.cc", 10, 500)
      .line("count", "/usr/string.h", 7, 60000)
      .line("count", "/usr/tree.h", 30, 40000);
  base.calls("main", "count", 1);
  head.in("/src/a.cc").line("main", "/src/a.cc", 40, 100).line("count", "/src/a.cc", 10, 500);
  head.in("/usr/table.h")
      .line("find", "/usr/table.h", 5, 80000)
      .line("find", "/usr/string.h", 7, 10000)
      .in("/src/a.cc");
  EXPECT_FALSE(
      says_inlined(explain(base.graph(), head.calls("main", "count", 1).calls("count", "find", 3000).graph())));
}

TEST(InliningTraceTest, FewerCallsAreNoInlining) {
  GraphBuilder head;  // a fifth of the calls is gone, and a line of the callee's is in the caller
  head.in("/src/text.cc")
      .line("main", "/src/text.cc", 40, 100)
      .line("format", "/src/text.cc", 20, 1000)
      .line("format", "/src/text.cc", 22, 500);
  head.line("format", "/src/text.cc", 10, 300)
      .line("escape", "/src/text.cc", 10, 2400)
      .line("escape", "/src/text.cc", 12, 160);
  EXPECT_FALSE(says_inlined(
      explain(separate().graph(), head.calls("main", "format", 10).calls("format", "escape", 80).graph())));
}

struct Line {
  const char* file;
  uint64_t line;
  int64_t cost;
};

/// main calls format 10 times, and escape 100 times, which has code of a header; format calls escape as often where it
/// does.
CostGraph text_program(const std::vector<Line>& format, int64_t calls_of_escape) {
  GraphBuilder graph;
  graph.in("text.cc").line("main", "text.cc", 40, 100).calls("main", "format", 10).calls("main", "escape", 100);
  for (const Line& line : format) graph.line("format", line.file, line.line, line.cost);
  const int64_t hundreds = 1 + calls_of_escape / 100;
  graph.line("escape", "text.cc", 10, 2000 * hundreds)
      .line("escape", "text.cc", 12, 200 * hundreds)
      .line("escape", "header.h", 7, 1000 * hundreds);
  if (calls_of_escape > 0) graph.calls("format", "escape", calls_of_escape);
  return graph.graph();
}

TEST(InliningTraceTest, HowMuchOfTheCalleeMustBeSeenAtItsLines) {
  // A call of format made calls worth 320, all of which are gone. Escape itself is alive: nothing but lines can tell.
  const auto inlined = [](const std::vector<Line>& before, const std::vector<Line>& after) {
    return says_inlined(explain(text_program(before, 100), text_program(after, 0)));
  };
  const Line own{"text.cc", 20, 1000}, cheaper{"text.cc", 20, 500}, dearer{"text.cc", 20, 2500},
      far_dearer{"text.cc", 20, 5000};
  EXPECT_TRUE(inlined({own}, {own, {"text.cc", 10, 100}})) << "3 % on a line of its file that format had not";
  EXPECT_FALSE(inlined({own}, {own, {"text.cc", 10, 50}})) << "1.6 %";
  EXPECT_FALSE(says_inlined(explain(text_program({own}, 100), text_program({own, {"text.cc", 10, 100}}, 40))))
      << "calls remain";
  EXPECT_FALSE(inlined({own}, {own, {"header.h", 7, 900}})) << "28 % on a line of a header";
  EXPECT_TRUE(inlined({own}, {cheaper, {"header.h", 7, 1000}})) << "31 % on a line of a header";
  EXPECT_FALSE(inlined({own, {"text.cc", 10, 100}}, {own, {"text.cc", 10, 900}}))
      << "25 % more on a line that format had";
  EXPECT_TRUE(inlined({own, {"text.cc", 10, 100}}, {own, {"text.cc", 10, 1100}}))
      << "31 % more, and format costs so much more";
  EXPECT_FALSE(inlined({own, {"text.cc", 10, 100}}, {cheaper, {"text.cc", 10, 1100}})) << "format as a whole does not";
  EXPECT_FALSE(inlined({own, {"text.cc", 10, 100}}, {far_dearer, {"text.cc", 10, 1100}}))
      << "format costs far more for other reasons";
  EXPECT_FALSE(inlined({own}, {dearer})) << "format costs so much more, but on its own lines";
  EXPECT_TRUE(
      inlined({own, {"text.cc", 10, 100}, {"text.cc", 12, 1000}}, {{"text.cc", 20, 2000}, {"text.cc", 10, 1600}}))
      << "a line that got cheaper does not count";
  EXPECT_FALSE(inlined({{"format.cc", 20, 1000}}, {{"format.cc", 20, 1000}, {"zzz.h", 10, 1000}}))
      << "a line 10 of another file";
}

TEST(InliningTraceTest, RowsUnderTheCalleesFileAreEvidence) {
  GraphBuilder base, head;
  base.in("a.cc").function("main", 100).function("user", 1000).in("small.h").function("tiny", 800);
  base.calls("main", "user", 10).calls("user", "tiny", 200);
  head.in("a.cc").function("main", 100).function("user", 1000).calls("main", "user", 10).row("user", "small.h", 500);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(cause_sentence(explanation.causes[0]), "`tiny` is now inlined into `user` (200 calls, -1.5 each)");
}

TEST(InliningTraceTest, HowMuchMustBeSeenUnderTheCalleesFile) {
  // A call of user made calls worth 80. The callee is alive: nothing but rows can tell.
  const auto program = [](int64_t own, int64_t in_header, int64_t calls) {
    GraphBuilder graph;
    graph.in("a.cc")
        .function("main", 100)
        .function("user", own)
        .in("small.h")
        .function("tiny", 800 + 4 * calls)
        .calls("main", "user", 10)
        .calls("main", "tiny", 200);
    if (in_header > 0) graph.row("user", "small.h", in_header);
    return calls > 0 ? graph.calls("user", "tiny", calls).graph() : graph.graph();
  };
  EXPECT_TRUE(says_inlined(explain(program(1000, 0, 200), program(1000, 20, 0))))
      << "2.5 % where the caller had nothing";
  EXPECT_FALSE(says_inlined(explain(program(1000, 0, 200), program(1000, 10, 0)))) << "1.3 %";
  EXPECT_FALSE(says_inlined(explain(program(1000, 100, 200), program(1000, 200, 0)))) << "13 % more";
  EXPECT_TRUE(says_inlined(explain(program(1000, 100, 200), program(1000, 400, 0)))) << "38 % more";
  EXPECT_FALSE(says_inlined(explain(program(1000, 100, 200), program(800, 400, 0))))
      << "38 % more, but the caller's cost as a whole did not grow so";
  EXPECT_FALSE(says_inlined(explain(program(1000, 100, 200), program(1300, 100, 0))))
      << "the caller grew, but not there";
}

TEST(InliningTraceTest, ASmallCalleeMayVanishWhereNothingIsKnownOfItsLines) {
  const auto program = [](const char* file, bool lines, bool lines_of_callee, bool calls) {
    GraphBuilder graph;
    const auto add = [&](const char* name, uint64_t line, int64_t cost) {
      graph.in(name == std::string_view("escape") ? file : "text.cc");
      lines ? graph.line(name, name == std::string_view("escape") ? file : "text.cc", line, cost)
            : graph.function(name, cost);
    };
    add("main", 40, 100);
    add("format", 20, calls ? 1010 : 1000);
    if (calls) add("escape", lines_of_callee ? 10 : 0, 500);
    graph.calls("main", "format", 10);
    return calls ? graph.calls("format", "escape", 100).graph() : graph.graph();
  };
  EXPECT_TRUE(says_inlined(explain(program("text.cc", true, false, true), program("text.cc", true, false, false))))
      << "the callee has no lines";
  EXPECT_TRUE(says_inlined(explain(program("text.cc", true, true, true), program("text.cc", false, false, false))))
      << "the head has no lines";
  EXPECT_TRUE(says_inlined(explain(program("???", false, false, true), program("???", false, false, false))))
      << "the callee's file is not known";
  EXPECT_FALSE(says_inlined(explain(program("text.cc", true, true, true), program("text.cc", true, true, false))));
  EXPECT_FALSE(says_inlined(explain(program("small.h", false, false, true), program("small.h", false, false, false))));
}

TEST(InliningTraceTest, AFewRowsUnderAFileThatTheCallerDidNotHaveAreEnough) {
  GraphBuilder base, head;
  base.in("a.cc").function("main", 100).function("user", 1000).in("small.h").function("tiny", 80000);
  head.in("a.cc").function("main", 100).function("user", 1000).calls("main", "user", 10).row("user", "small.h", 6000);
  EXPECT_TRUE(says_inlined(explain(base.calls("main", "user", 10).calls("user", "tiny", 200).graph(), head.graph())));
}

}  // namespace
}  // namespace icount
