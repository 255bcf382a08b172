// Inlining as whole explanations tell it: by figures alone, and by the lines of the callee.
#include "icount/explain/explain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "icount/report/cause_sentence.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

bool says_inlined(const Explanation& explanation) {
  return std::any_of(explanation.causes.begin(), explanation.causes.end(),
                     [](const Cause& cause) { return cause.kind == CauseKind::kInlined; });
}

bool says_inlined(const GraphBuilder& base, const GraphBuilder& head) {
  return says_inlined(explain(base.graph(), head.graph()));
}

std::string first_text(const GraphBuilder& base, const GraphBuilder& head) {
  const Explanation explanation = explain(base.graph(), head.graph());
  return explanation.causes.empty() ? "" : cause_sentence(explanation.causes[0]);
}

/// main calls outer ten times.
GraphBuilder program(int64_t cost_of_outer) {
  return GraphBuilder().function("main", 100).function("outer", cost_of_outer).calls("main", "outer", 10);
}

TEST(ExplainInliningTest, TheCallerTakesOverTheCalleesCalls) {
  GraphBuilder base = program(1000), head = program(1400);
  base.function("inner", 500).function("work", 90000).calls("outer", "inner", 50).calls("inner", "work", 100);
  head.function("work", 90000).calls("outer", "work", 100);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(explanation.causes[0].kind, CauseKind::kInlined);
  EXPECT_EQ(explanation.causes[0].delta, -100);
  EXPECT_EQ(explanation.causes[0].inside.size(), 2u) << "the calls of work only moved";
}

TEST(ExplainInliningTest, ACalleeThatIsAliveIsInlinedWhenSomeOfItsCallsAreTakenOverAndTheCallerGrowsByItsCost) {
  const auto pair = [](bool takes) {
    GraphBuilder base = program(1000), head = program(2500);
    for (auto* graph : {&base, &head})
      graph->function("log", 1000)
          .function("deep", 4000)
          .calls("main", "log", 50)
          .calls("main", "deep", 100)
          .calls("main", "inner", 50);
    base.function("inner", 3000).calls("outer", "inner", 50).calls("inner", "log", 50).calls("inner", "deep", 100);
    head.function("inner", 1500).calls("inner", "log", takes ? 25 : 50).calls("inner", "deep", 50);
    return takes ? says_inlined(base, head.calls("outer", "log", 25)) : says_inlined(base, head);
  };
  EXPECT_TRUE(pair(true));
  EXPECT_FALSE(pair(false)) << "that the caller grew proves nothing";
}

TEST(ExplainInliningTest, ARecursionThatBecameALoopInItsCallerIsMerged) {
  GraphBuilder base = program(1000), head = program(3000);
  base.function("inner", 2000).calls("outer", "inner", 10).calls("inner", "inner", 10);
  EXPECT_EQ(first_text(base, head),
            "`outer` now does the work of `inner` itself, inlined or merged (10 calls, 0 each)");
}

/// outer called `find` and `make` ten times each, of which its own code has lines of `make`, and now does `more`.
Explanation inlined_with_more(int64_t more, bool find_is_gone = true) {
  GraphBuilder base, head;
  for (GraphBuilder* graph : {&base, &head}) graph->line("main", "main.cc", 1, 100).calls("main", "outer", 10);
  base.line("outer", "main.cc", 5, 1000).line("find", "main.cc", 20, 4000).line("make", "main.cc", 40, 1000);
  base.calls("outer", "find", 10, 4000).calls("outer", "make", 10, 1000);
  head.line("outer", "main.cc", 5, 1000).line("outer", "main.cc", 40, 1000).line("outer", "main.cc", 60, more);
  head.line("other", "main.cc", 80, 500).calls("outer", "other", 10, 500);
  if (!find_is_gone) {
    base.calls("main", "find", 1, 400);
    head.line("find", "main.cc", 20, 400).calls("main", "find", 1, 400);
  }
  return explain(base.graph(), head.graph());
}

TEST(ExplainInliningTest, WhatElseIsGoneWentAlongWhereTheInlinedCodeDoesMore) {
  const Explanation more = inlined_with_more(20'000);
  ASSERT_FALSE(more.causes.empty());
  EXPECT_EQ(more.causes[0].kind, CauseKind::kInlined);
  EXPECT_EQ(more.causes[0].delta, 21'000 - 5'000);
  EXPECT_EQ(cause_sentence(more.causes[0]),
            "`outer` costs 1,600 more per call (10 calls); it no longer calls `find` and one other function");
  const Explanation alive = inlined_with_more(20'000, false);
  ASSERT_FALSE(alive.causes.empty());
  EXPECT_EQ(alive.causes[0].delta, 21'000 - 1'000) << "what others still call may have gone for another reason";
  EXPECT_EQ(cause_sentence(alive.causes[0]),
            "`outer` costs 2,000 more per call (10 calls); `make` is now inlined into it");
}

/// outer called `find` ten times, which calls `compare` twice each; in head that is inlined, does eight times as much,
/// and `outer` makes `compares` calls of `compare`, beside `before` that it made in base.
Explanation inlined_eightfold(int64_t compares, int64_t before = 0) {
  GraphBuilder base, head;
  for (GraphBuilder* graph : {&base, &head}) graph->line("main", "main.cc", 1, 100).calls("main", "outer", 10);
  base.line("outer", "main.cc", 5, 1000).line("find", "main.cc", 20, 4000).line("compare", "main.cc", 40, 200);
  base.calls("outer", "find", 10, 4200).calls("find", "compare", 20, 200);
  head.line("outer", "main.cc", 5, 1000)
      .line("outer", "main.cc", 20, 32'000)
      .line("compare", "main.cc", 40, 10 * compares);
  head.calls("outer", "compare", compares, 10 * compares);
  if (before > 0) base.line("compare", "main.cc", 40, 10 * before).calls("outer", "compare", before, 10 * before);
  return explain(base.graph(), head.graph());
}

TEST(ExplainInliningTest, InlinedCodeThatDoesMoreMakesItsCallsMoreOften) {
  const Explanation eightfold = inlined_eightfold(160);
  ASSERT_EQ(eightfold.causes.size(), 1u);
  EXPECT_EQ(cause_sentence(eightfold.causes[0]),
            "`outer` costs 2,940 more per call (10 calls); `find` is now inlined into it");
  const auto told_apart = [](const Explanation& explanation) {
    return std::any_of(explanation.causes.begin(), explanation.causes.end(), [](const Cause& cause) {
      return cause.kind == CauseKind::kCalls && cause.caller == "outer" && cause.callee == "compare";
    });
  };
  EXPECT_FALSE(told_apart(eightfold));
  EXPECT_FALSE(told_apart(inlined_eightfold(239)));
  EXPECT_FALSE(told_apart(inlined_eightfold(107)));
  EXPECT_TRUE(told_apart(inlined_eightfold(241))) << "more than one and a half times as many times as its cost";
  EXPECT_TRUE(told_apart(inlined_eightfold(106)));
  EXPECT_TRUE(told_apart(inlined_eightfold(161, 1))) << "which of them are whose is not known";
}

TEST(ExplainInliningTest, WhatTheCallerGainsMustMakeUpForTheCalls) {
  GraphBuilder base = program(1000), head = program(1800);
  base.function("inner", 1000)
      .function("deep", 20000)
      .calls("outer", "inner", 10)
      .calls("inner", "deep", 10)
      .calls("main", "deep", 10);
  head.function("deep", 10000).calls("main", "deep", 10);
  EXPECT_FALSE(says_inlined(base, head));
}

TEST(ExplainInliningTest, ASmallCalleesCallsAreNoGainWhenTheCallerSavesAsMuch) {
  GraphBuilder base = program(1000), head = program(890);
  base.function("inner", 10).function("work", 50).calls("outer", "inner", 10).calls("inner", "work", 10);
  head.function("work", 50).calls("outer", "work", 10);
  EXPECT_FALSE(says_inlined(base, head));
}

/// `work` calls nine accessors, each once per call. Optimised, they are inlined and most of them cost nothing any more.
CostGraph accessors(bool optimised, int64_t work, int64_t step = 4000) {
  GraphBuilder graph;
  graph.in("/src/a.cc")
      .line("main", "/src/a.cc", 90, work)
      .line("work", "/src/a.cc", 80, work)
      .line("step", "/src/a.cc", 70, step);
  graph.calls("main", "work", 10).calls("work", "step", 10);
  for (int i = 0; i < 9 && !optimised; ++i) {
    const std::string name = "Box::get" + std::to_string(i);
    graph.line(name, "/src/a.cc", 10 + static_cast<uint64_t>(i), 60 + i).calls("work", name, 10);
  }
  return graph.graph();
}

TEST(ExplainInliningTest, WhereAllWasOptimisedSmallFunctionsThatAreGoneAreInlined) {
  const Explanation explanation = explain(accessors(false, 900), accessors(true, 300, 1000));
  ASSERT_GE(explanation.causes.size(), 2u);
  EXPECT_EQ(cause_sentence(explanation.causes[1]),
            "`Box::get8` and 8 other functions are now inlined into `work` (10 calls, -118 each)");
  ASSERT_EQ(explanation.notes.size(), 1u);
  EXPECT_EQ(note_sentences(explanation)[0],
            "9 of the 12 functions of prog in base are not in head, inlined or optimized away there: built with other "
            "options?");
  EXPECT_EQ(note_sentences(explain(accessors(true, 300, 1000), accessors(false, 900)))[0],
            "9 of the 12 functions of prog in head are not in base, inlined or optimized away there: built with other "
            "options?");
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

}  // namespace
}  // namespace icount
