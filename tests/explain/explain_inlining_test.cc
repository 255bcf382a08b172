// Inlining told by figures alone: calls that the caller takes over, and its own cost that grows by the callee's.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "icount/explain/explain.h"
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

/// outer calls inner 50 times, which calls work 100 times; main calls inner and work, too. `taken`: calls of work that
/// outer makes instead.
struct Taken {
  int64_t lost = 50, taken = 100, own = 1000, had = 0, inner = 500;
  const char* inner_object = "prog";
};

GraphBuilder before_taking(const Taken& of) {
  GraphBuilder graph = program(1000);
  graph.function("work", 90000).in("main.cc", of.inner_object).function("inner", 2 * of.inner).in("main.cc");
  graph.calls("outer", "inner", 50).calls("main", "inner", 50).calls("inner", "work", 200).calls("main", "work", 700);
  return of.had > 0 ? graph.calls("outer", "work", of.had) : graph;
}

GraphBuilder after_taking(const Taken& of) {
  GraphBuilder graph = program(of.own);
  const int64_t left = 100 - of.lost;
  graph.function("work", 90000).in("main.cc", of.inner_object).function("inner", left * of.inner / 50).in("main.cc");
  graph.calls("outer", "work", of.had + of.taken)
      .calls("main", "inner", 50)
      .calls("inner", "work", 2 * left)
      .calls("main", "work", 700);
  return of.lost < 50 ? graph.calls("outer", "inner", 50 - of.lost) : graph;
}

TEST(ExplainInliningTest, WhatTakingOverTheCallsProves) {
  const auto inlined = [](const Taken& of) { return says_inlined(before_taking(of), after_taking(of)); };
  EXPECT_TRUE(inlined({}));
  const std::string text = first_text(before_taking({}), after_taking({}));
  EXPECT_TRUE(text.starts_with("`inner` is now inlined into `outer` (50 calls, -10 each)"))
      << "inner is called elsewhere, too: " << text;
  EXPECT_TRUE(inlined({.had = 100})) << "to the calls that outer made itself";
  EXPECT_TRUE(inlined({.own = 750})) << "outer saves the overhead of its calls";
  EXPECT_FALSE(inlined({.taken = 60})) << "three of five calls";
  EXPECT_FALSE(inlined({.taken = 500})) << "five times as many";
  EXPECT_FALSE(inlined({.lost = 30, .taken = 60, .own = 1300})) << "outer calls inner still";
  EXPECT_FALSE(inlined({.own = 100, .inner = 100})) << "outer saves more than the overhead of a call";
  EXPECT_FALSE(inlined({.own = 300000})) << "outer costs far more for other reasons";
  EXPECT_FALSE(inlined({.inner_object = "/lib/libinner.so"})) << "code of another library";
}

TEST(ExplainInliningTest, ACallerThatAlsoCallsSomethingNewIsRewritten) {
  GraphBuilder head = after_taking({});
  head.function("fresh", 5000).calls("outer", "fresh", 10);
  EXPECT_FALSE(says_inlined(before_taking({}), head));
  GraphBuilder base = before_taking({}), steady = after_taking({});
  for (auto* graph : {&base, &steady}) graph->function("other", 5000).calls("outer", "other", 10);
  EXPECT_TRUE(says_inlined(base, steady)) << "what it called before is not new";
  GraphBuilder rarely = after_taking({});
  rarely.function("fresh", 5).calls("outer", "fresh", 1);
  EXPECT_TRUE(says_inlined(before_taking({}), rarely)) << "an error path does not count";
}

TEST(ExplainInliningTest, MostOfWhatTheCalleeDidMustBeTakenOver) {
  // inner costs 100 and calls log and deep, for 45 each of that; outer takes over the calls of log only.
  GraphBuilder base = program(1000), head = program(1000);
  for (auto* graph : {&base, &head})
    graph->calls("main", "log", 50).calls("main", "deep", 50).calls("main", "inner", 50);
  base.function("inner", 1000)
      .function("log", 6750)
      .function("deep", 6750)
      .calls("outer", "inner", 50)
      .calls("inner", "log", 100)
      .calls("inner", "deep", 100);
  head.function("inner", 500)
      .function("log", 6750)
      .function("deep", 4500)
      .calls("inner", "log", 50)
      .calls("inner", "deep", 50)
      .calls("outer", "log", 50);
  EXPECT_FALSE(says_inlined(base, head));
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

TEST(ExplainInliningTest, ATakenOverCallMayCostNothingAndOneMayBeNewInTheCallee) {
  GraphBuilder base = before_taking({}), head = after_taking({});
  base.function("nop", 0).calls("inner", "nop", 100);
  head.function("nop", 0)
      .calls("outer", "nop", 50)
      .calls("inner", "nop", 50)
      .function("late", 300)
      .calls("inner", "late", 3)
      .calls("main", "late", 3);
  EXPECT_TRUE(says_inlined(base, head));
}

TEST(ExplainInliningTest, ACallOfNothingThatIsGoneIsNoInlining) {
  GraphBuilder base = program(1010), head = program(1000);
  base.function("nop", 0).calls("outer", "nop", 10);
  EXPECT_EQ(first_text(base, head), "`outer` itself costs 100 per call, was 101 (10 calls)");
  base.function("inner", 300).calls("outer", "inner", 10);
  EXPECT_EQ(first_text(base, head),
            "`outer` now does the work of `inner` itself, inlined or merged (10 calls, -31 each)");
}

TEST(ExplainInliningTest, TwoCalleesThatMadeTheSameCallsAreOneCause) {
  GraphBuilder base = program(1000), head = program(1300);
  base.function("left", 200).function("right", 100).function("work", 4000);
  base.calls("outer", "left", 10).calls("outer", "right", 10).calls("left", "work", 20).calls("right", "work", 20);
  head.function("work", 2000).calls("outer", "work", 20);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(explanation.causes[0].delta, -2000);
  EXPECT_EQ(cause_sentence(explanation.causes[0]),
            "`outer` with `left` and one other function, no longer called, costs 200 less per call (10 calls)");
  EXPECT_EQ(explanation.causes[0].inside.size(), 3u);
}

TEST(ExplainInliningTest, TheLargestCalleeIsNamed) {
  for (const auto& [large, small] : {std::pair("left", "right"), std::pair("right", "left")}) {
    GraphBuilder base = program(1000), head = program(1700);
    base.function(large, 500).function(small, 200).calls("outer", large, 10).calls("outer", small, 10);
    const std::string text = first_text(base, head);
    EXPECT_TRUE(
        text.starts_with("`outer` now does the work of `" + std::string(large) + "` and one other function itself"))
        << text;
  }
}

TEST(ExplainInliningTest, CodeIsInlinedWithWhatItCalledWhenThatIsGoneToo) {
  const auto told = [](int64_t own, bool alive) {
    GraphBuilder base = program(1000), head = program(own);
    base.function("a", 1000)
        .function("b", 1000)
        .function("c", 2000)
        .calls("outer", "a", 10)
        .calls("a", "b", 10)
        .calls("b", "c", 10);
    if (alive) {
      base.function("c", 2000).calls("main", "c", 10);
      head.function("c", 2000).calls("main", "c", 10);
    }
    return says_inlined(base, head);
  };
  EXPECT_TRUE(told(5000, false));
  EXPECT_FALSE(told(6500, false)) << "more than inlining adds";
  EXPECT_FALSE(told(5000, true)) << "c is called by others: nothing says that its code is here";
}

TEST(ExplainInliningTest, ARecursionThatBecameALoopInItsCallerIsMerged) {
  GraphBuilder base = program(1000), head = program(3000);
  base.function("inner", 2000).calls("outer", "inner", 10).calls("inner", "inner", 10);
  EXPECT_EQ(first_text(base, head),
            "`outer` now does the work of `inner` itself, inlined or merged (10 calls, 0 each)");
}

TEST(ExplainInliningTest, ARecursionThatEndsIsNotInlinedInItself) {
  GraphBuilder base, head;
  base.function("main", 100)
      .function("f", 1000)
      .function("g", 7500)
      .calls("main", "f", 80)
      .calls("f", "f", 20)
      .calls("f", "g", 100);
  head.function("main", 100).function("f", 800).function("g", 7200).calls("main", "f", 80).calls("f", "g", 96);
  EXPECT_FALSE(says_inlined(base, head));
}

TEST(ExplainInliningTest, CallsOfSomethingElseAreNotTakenOver) {
  const auto inlined = [](const char* before, const char* after) {
    GraphBuilder base = program(1000), head = program(1000);
    for (auto* graph : {&base, &head})
      graph->function(before, 9000).function(after, 9000).calls("main", before, 50).calls("main", after, 50);
    base.function("inner", 500).calls("outer", "inner", 50).calls("inner", before, 50);
    return says_inlined(base, head.calls("outer", after, 50));
  };
  const std::vector<const char*> names = {"ask", "tell", "say", "hear", "write"};
  for (const char* before : names)
    for (const char* after : names) EXPECT_EQ(inlined(before, after), before == after) << before << ", " << after;
}

TEST(ExplainInliningTest, AnotherLibrarysFunctionIsNotInlined) {
  GraphBuilder base, head;
  base.in("a.cc", "/bin/a")
      .function("main", 100)
      .function("outer", 1000)
      .in("b.cc", "/lib/b.so")
      .function("inner", 5000)
      .in("a.cc", "/bin/a");
  head.in("a.cc", "/bin/a").function("main", 100).function("outer", 5000).calls("main", "outer", 10);
  EXPECT_FALSE(says_inlined(base.calls("main", "outer", 10).calls("outer", "inner", 50), head));
}

TEST(ExplainInliningTest, ARewrittenCallerProvesNothing) {
  GraphBuilder base = program(1000), head = program(5000);
  base.function("inner", 5000).function("other", 9000).calls("outer", "inner", 50).calls("main", "other", 10);
  head.function("other", 18000).calls("main", "other", 10).calls("outer", "other", 10);
  EXPECT_FALSE(says_inlined(base, head));
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
            "`outer` with `find` and one other function, no longer called, costs 1,600 more per call (10 calls)");
  const Explanation alive = inlined_with_more(20'000, false);
  ASSERT_FALSE(alive.causes.empty());
  EXPECT_EQ(alive.causes[0].delta, 21'000 - 1'000) << "what others still call may have gone for another reason";
  EXPECT_EQ(cause_sentence(alive.causes[0]), "`outer` with `make`, now inlined, costs 2,000 more per call (10 calls)");
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
            "`outer` with `find`, now inlined, costs 2,940 more per call (10 calls)");
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

TEST(ExplainInliningTest, OnlyASmallCalleeMayVanish) {
  const auto vanished = [](int64_t cost_of_inner, int64_t cost_below, int64_t own) {
    GraphBuilder base = program(1000), head = program(own);
    base.function("inner", cost_of_inner).calls("outer", "inner", 10);
    if (cost_below > 0) {
      base.function("deep", 2 * cost_below).calls("inner", "deep", 10).calls("main", "deep", 10);
      head.function("deep", cost_below).calls("main", "deep", 10);
    }
    return says_inlined(base, head);
  };
  EXPECT_TRUE(vanished(300, 0, 990));
  EXPECT_FALSE(vanished(500, 0, 990)) << "50 instructions are more than a call's overhead: a part of them must show";
  EXPECT_TRUE(vanished(500, 0, 1100));
  EXPECT_FALSE(vanished(700, 0, 990)) << "70 instructions are not small";
  EXPECT_TRUE(vanished(100, 500, 990));
  EXPECT_FALSE(vanished(100, 5000, 990)) << "nor is what calls 500";
  EXPECT_FALSE(vanished(500, 0, 200)) << "half of the caller is gone as well";
  EXPECT_FALSE(vanished(500, 0, 5000)) << "the caller costs far more";
}

TEST(ExplainInliningTest, ACallersCostInAllIsItsGainWhereItDoesNotScale) {
  const auto inlined = [](int64_t calls_before, int64_t before, int64_t calls_after, int64_t after,
                          int64_t cost_of_inner) {
    GraphBuilder base, head;
    base.function("main", 100)
        .function("outer", before)
        .function("inner", cost_of_inner * calls_before)
        .calls("main", "outer", calls_before)
        .calls("outer", "inner", calls_before);
    head.function("main", 100).function("outer", after).calls("main", "outer", calls_after);
    return says_inlined(base, head);
  };
  EXPECT_TRUE(inlined(40, 100000, 10, 101100, 100))
      << "about the same in all, and 44 more for each of 25 calls on average";
  EXPECT_FALSE(inlined(40, 100000, 10, 100000, 100));
  EXPECT_FALSE(inlined(40, 100000, 10, 98900, 100));
  EXPECT_TRUE(inlined(10, 1000, 20, 2800, 40)) << "this one scales: 40 more per call";
}

TEST(ExplainInliningTest, WhatOneCalleeBroughtIsNotCountedForAnother) {
  for (const bool lines_of_other : {true, false}) {
    GraphBuilder base, head;
    for (auto* graph : {&base, &head})
      graph->line("main", "main.cc", 60, 100).line("outer", "main.cc", 50, 1000).calls("main", "outer", 10);
    base.line("seen", "main.cc", 10, 9000).calls("outer", "seen", 10).calls("outer", "other", 10);
    base.line("other", "main.cc", lines_of_other ? 30 : 0, 8000);
    head.line("outer", "main.cc", 10, 9000);
    const Explanation explanation = explain(base.graph(), head.graph());
    ASSERT_EQ(explanation.causes.size(), 2u);
    EXPECT_EQ(cause_sentence(explanation.causes[0]), "`outer` no longer calls `other` (10 calls at 800 each)");
    EXPECT_EQ(cause_sentence(explanation.causes[1]), "`seen` is now inlined into `outer` (10 calls, 0 each)");
  }
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

TEST(ExplainInliningTest, ARunThatDoesLessIsNoOtherBuild) {
  EXPECT_TRUE(explain(accessors(false, 900), accessors(true, 900)).notes.empty())
      << "what still runs costs what it did";
}

}  // namespace
}  // namespace icount
