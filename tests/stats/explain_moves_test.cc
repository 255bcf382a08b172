// Inlining moves, recursive clusters, and figures that do not scale with calls.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "stats/explain.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

/// format calls escape, by lines 10 to 12 of text.cc; format itself is on lines 20 to 22.
GraphBuilder separate() {
  GraphBuilder graph;
  graph.in("/src/text.cc").line("main", "/src/text.cc", 40, 100).line("format", "/src/text.cc", 20, 1000).line("format", "/src/text.cc", 22, 500);
  graph.line("escape", "/src/text.cc", 10, 3000).line("escape", "/src/text.cc", 12, 200);
  return graph.calls("main", "format", 10).calls("format", "escape", 100);
}

TEST(ExplainInliningTest, LinesOfTheCalleeInsideTheCallerProveIt) {
  GraphBuilder head;
  head.in("/src/text.cc").line("main", "/src/text.cc", 40, 100).line("format", "/src/text.cc", 20, 1000).line("format", "/src/text.cc", 22, 500);
  head.line("format", "/src/text.cc", 10, 2000).calls("main", "format", 10);
  const Explanation explanation = explain(separate().graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  const Cause& cause = explanation.causes[0];
  EXPECT_EQ(cause.kind, CauseKind::kInlined);
  EXPECT_EQ(cause.caller, "format");
  EXPECT_EQ(cause.callee, "escape");
  EXPECT_EQ(cause.delta, -1200);
  EXPECT_EQ(cause.text, "`escape` is now inlined in `format`: +2,000 - 3,200 = -1,200 (100 fewer calls of `escape`)");
  EXPECT_EQ(cause.inside.size(), 2u);
  const Explanation back = explain(head.graph(), separate().graph());
  ASSERT_EQ(back.causes.size(), 1u);
  EXPECT_EQ(back.causes[0].delta, 1200);
  EXPECT_EQ(back.causes[0].text, "`escape` is no longer inlined in `format`: +3,200 - 2,000 = +1,200 (100 more calls of `escape`)");
}

TEST(ExplainInliningTest, LinesMayHaveShiftedWithTheFile) {
  GraphBuilder head;  // three lines were added above everything
  head.in("/src/text.cc").line("main", "/src/text.cc", 43, 100).line("format", "/src/text.cc", 23, 1000).line("format", "/src/text.cc", 25, 500);
  head.line("format", "/src/text.cc", 13, 2000).calls("main", "format", 10);
  const Explanation explanation = explain(separate().graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(explanation.causes[0].kind, CauseKind::kInlined);
}

TEST(ExplainInliningTest, ACallThatWasTakenOutIsNotInlined) {
  GraphBuilder head;
  head.in("/src/text.cc").line("main", "/src/text.cc", 40, 100).line("format", "/src/text.cc", 20, 900).line("format", "/src/text.cc", 22, 500);
  head.calls("main", "format", 10);
  const Explanation explanation = explain(separate().graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 2u);
  EXPECT_EQ(explanation.causes[0].kind, CauseKind::kCalls);
  EXPECT_EQ(explanation.causes[0].text, "`format` no longer calls `escape`, 10 times per call before (10 calls of `format`, 100 of `escape`)");
}

TEST(ExplainInliningTest, TheCallerTakesOverTheCalleesCalls) {
  GraphBuilder base, head;
  base.function("main", 100).function("outer", 1000).function("inner", 500).function("work", 90000);
  base.calls("main", "outer", 10).calls("outer", "inner", 50).calls("inner", "work", 100);
  head.function("main", 100).function("outer", 1400).function("work", 90000).calls("main", "outer", 10).calls("outer", "work", 100);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(explanation.causes[0].kind, CauseKind::kInlined);
  EXPECT_EQ(explanation.causes[0].delta, -100);
  EXPECT_EQ(explanation.causes[0].inside.size(), 3u);
}

TEST(ExplainInliningTest, RowsUnderTheCalleesFileAreEvidence) {
  GraphBuilder base, head;
  base.in("a.cc").function("main", 100).function("user", 1000).in("small.h").function("tiny", 800);
  base.calls("main", "user", 10).calls("user", "tiny", 200);
  head.in("a.cc").function("main", 100).function("user", 1000).calls("main", "user", 10);
  CostGraph graph = head.graph();
  graph.rows.push_back({1, graph.strings.intern("small.h")});
  graph.row_self.push_back(500);
  graph.self[1] += 500;
  graph.totals[0] += 500;
  const Explanation explanation = explain(base.graph(), graph);
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(explanation.causes[0].text, "`tiny` is now inlined in `user`: +500 - 800 = -300 (200 fewer calls of `tiny`)");
}

bool says_inlined(const Explanation& explanation) {
  return std::any_of(explanation.causes.begin(), explanation.causes.end(), [](const Cause& cause) { return cause.kind == CauseKind::kInlined; });
}

TEST(ExplainInliningTest, AHeadersLineThatManyUseIsNoProof) {
  GraphBuilder base, head;  // a tree walked inside `count` gives way to a table that is called; both compare strings by one header
  base.in("/src/a.cc").line("main", "/src/a.cc", 40, 100).line("count", "/src/a.cc", 10, 500).line("count", "/usr/string.h", 7, 60000).line("count", "/usr/tree.h", 30, 40000);
  base.calls("main", "count", 1);
  head.in("/src/a.cc").line("main", "/src/a.cc", 40, 100).line("count", "/src/a.cc", 10, 500);
  head.in("/usr/table.h").line("find", "/usr/table.h", 5, 80000).line("find", "/usr/string.h", 7, 10000).in("/src/a.cc");
  EXPECT_FALSE(says_inlined(explain(base.graph(), head.calls("main", "count", 1).calls("count", "find", 3000).graph())));
}

TEST(ExplainInliningTest, FewerCallsAreNoInlining) {
  GraphBuilder head;  // a fifth of the calls is gone, and a line of the callee's is in the caller
  head.in("/src/text.cc").line("main", "/src/text.cc", 40, 100).line("format", "/src/text.cc", 20, 1000).line("format", "/src/text.cc", 22, 500);
  head.line("format", "/src/text.cc", 10, 300).line("escape", "/src/text.cc", 10, 2400).line("escape", "/src/text.cc", 12, 160);
  EXPECT_FALSE(says_inlined(explain(separate().graph(), head.calls("main", "format", 10).calls("format", "escape", 80).graph())));
}

TEST(ExplainInliningTest, LinesShiftAsTheNearestFunctionDoes) {
  GraphBuilder below;  // three lines were added between format and main
  below.in("/src/text.cc").line("main", "/src/text.cc", 43, 100).line("format", "/src/text.cc", 20, 1000).line("format", "/src/text.cc", 22, 500);
  below.line("format", "/src/text.cc", 10, 2000).calls("main", "format", 10);
  EXPECT_TRUE(says_inlined(explain(separate().graph(), below.graph())));
  GraphBuilder above;
  above.in("/src/text.cc").line("main", "/src/text.cc", 43, 100).line("format", "/src/text.cc", 23, 1000).line("format", "/src/text.cc", 25, 500);
  above.line("format", "/src/text.cc", 13, 2000).calls("main", "format", 10);
  EXPECT_TRUE(says_inlined(explain(above.graph(), separate().graph())));
}

TEST(ExplainInliningTest, AnotherLibrarysFunctionIsNotInlined) {
  GraphBuilder base, head;
  base.in("a.cc", "/bin/a").function("main", 100).function("outer", 1000).in("b.cc", "/lib/b.so").function("inner", 5000).in("a.cc", "/bin/a");
  head.in("a.cc", "/bin/a").function("main", 100).function("outer", 5000).calls("main", "outer", 10);
  EXPECT_FALSE(says_inlined(explain(base.calls("main", "outer", 10).calls("outer", "inner", 50).graph(), head.graph())));
}

TEST(ExplainInliningTest, ARewrittenCallerProvesNothing) {
  GraphBuilder base, head;
  base.function("main", 100).function("outer", 1000).function("inner", 5000).function("other", 9000);
  base.calls("main", "outer", 10).calls("outer", "inner", 50).calls("main", "other", 10);
  head.function("main", 100).function("outer", 5000).function("other", 18000);
  head.calls("main", "outer", 10).calls("main", "other", 10).calls("outer", "other", 10);
  EXPECT_FALSE(says_inlined(explain(base.graph(), head.graph())));
}

TEST(ExplainInliningTest, WhatTheCallerGainsMustMakeUpForTheCalls) {
  GraphBuilder base, head;
  base.function("main", 100).function("outer", 1000).function("inner", 1000).function("deep", 20000);
  base.calls("main", "outer", 10).calls("outer", "inner", 10).calls("inner", "deep", 10).calls("main", "deep", 10);
  head.function("main", 100).function("outer", 1800).function("deep", 10000).calls("main", "outer", 10).calls("main", "deep", 10);
  EXPECT_FALSE(says_inlined(explain(base.graph(), head.graph())));
}

TEST(ExplainInliningTest, ASmallCalleeDoesNotVanishWithHalfOfTheCaller) {
  GraphBuilder base, head, cheaper;
  base.function("main", 100).function("outer", 1000).function("inner", 500).calls("main", "outer", 10).calls("outer", "inner", 50);
  head.function("main", 100).function("outer", 990).calls("main", "outer", 10);
  cheaper.function("main", 100).function("outer", 200).calls("main", "outer", 10);
  EXPECT_TRUE(says_inlined(explain(base.graph(), head.graph())));
  EXPECT_FALSE(says_inlined(explain(base.graph(), cheaper.graph())));
}

TEST(ExplainInliningTest, AFewRowsUnderAFileThatTheCallerDidNotHaveAreEnough) {
  GraphBuilder base, head;
  base.in("a.cc").function("main", 100).function("user", 1000).in("small.h").function("tiny", 80000);
  head.in("a.cc").function("main", 100).function("user", 1000).calls("main", "user", 10);
  CostGraph graph = head.graph();
  graph.rows.push_back({1, graph.strings.intern("small.h")});
  graph.row_self.push_back(6000);
  graph.self[1] += 6000;
  graph.totals[0] += 6000;
  EXPECT_TRUE(says_inlined(explain(base.calls("main", "user", 10).calls("user", "tiny", 200).graph(), graph)));
}

TEST(ExplainClusterTest, OneDearerMemberIsNamedThroughTheCluster) {
  GraphBuilder base, head;
  for (auto* graph : {&base, &head}) {
    graph->function("main", 10).function("loop", 5000).function("op_add", 700).function("op_call", 900);
    graph->calls("main", "loop", 2).calls("loop", "op_add", 70).calls("loop", "op_call", 30).calls("op_call", "loop", 30);
  }
  head.function("op_add", 2100);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(explanation.causes[0].text, "own cost of `op_add` 10 -> 40 per call (70 calls)");
}

TEST(ExplainClusterTest, AClusterWhoseInsideCancelsStaysOneCauseWithItsMembers) {
  GraphBuilder base, head;
  base.function("main", 10).function("value", 1270).function("object", 6200).function("array", 800);
  base.calls("main", "value", 5).calls("value", "object", 155).calls("value", "array", 160).calls("object", "value", 465).calls("array", "value", 800);
  head.function("main", 10).function("value", 2550).function("object", 12600).function("array", 1600);
  head.calls("main", "value", 5).calls("value", "object", 315).calls("value", "array", 320).calls("object", "value", 945).calls("array", "value", 1600);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  const Cause& cause = explanation.causes[0];
  EXPECT_EQ(cause.kind, CauseKind::kCluster);
  EXPECT_EQ(cause.function, "cluster of object and 2 more");
  EXPECT_EQ(cause.delta, 8480);
  EXPECT_EQ(cause.text, "own cost of the recursive cluster of `object` and 2 more 1,654 -> 3,350 per call (5 calls); most in `object`");
  ASSERT_EQ(cause.inside.size(), 3u);
  EXPECT_EQ(cause.inside[0].delta, 6400);
  EXPECT_EQ(cause.inside[0].text, "own cost of `object` 1,240 -> 2,520 per call into the cluster");
}

TEST(ExplainScaleTest, AnInitialisationIsNoMatterOfCalls) {
  GraphBuilder base, head;
  base.function("main", 10).function("get", 1000).function("init", 50000).calls("main", "get", 1000).calls("get", "init", 1);
  head.function("main", 10).function("get", 10).function("init", 50000).calls("main", "get", 10).calls("get", "init", 1);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(explanation.causes[0].delta, -990);
  EXPECT_EQ(explanation.causes[0].text, "`main` calls `get` 10 times instead of 1,000");
}

TEST(ExplainScaleTest, ALoopThatRunsOnceInAllIsTakenInTotal) {
  GraphBuilder base, head;
  base.function("main", 10).function("execute", 500000).calls("main", "execute", 1);
  head.function("main", 10).function("execute", 480000).calls("main", "execute", 40);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(explanation.causes[0].delta, -20000);
  EXPECT_EQ(explanation.causes[0].text, "own cost of `execute` 500,000 -> 480,000 in all (40 calls instead of 1)");
}

TEST(ExplainScaleTest, WhatAFixedCostGrowsByWithItsCallsFollowsFromTheCalls) {
  GraphBuilder base, head;  // an interpreter's loop, which a sort now enters for every comparison
  base.function("main", 10).function("execute", 500000).function("sort", 1000).calls("main", "execute", 1).calls("main", "sort", 100);
  head.function("main", 10).function("execute", 900000).function("sort", 1000).calls("main", "execute", 1).calls("main", "sort", 100).calls("sort", "execute", 4000);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(explanation.causes[0].delta, 400000);
  EXPECT_EQ(explanation.causes[0].text, "`sort` now calls `execute`, 40 times per call (100 calls of `sort`, 4,000 of `execute`)");
}

TEST(ExplainScaleTest, CallsThatAreMadeFirstAndForEachFurtherCallFollow) {
  GraphBuilder base, head;  // `find` sorts its table by 1,000 calls of `less` once and looks into it by 5 more each time
  base.function("main", 10).function("find", 40).function("less", 10200).calls("main", "find", 4).calls("find", "less", 1020);
  head.function("main", 10).function("find", 6000).function("less", 40000).calls("main", "find", 600).calls("find", "less", 4000);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(explanation.causes[0].text, "`main` calls `find` 600 times instead of 4");
}

TEST(ExplainScaleTest, RareCallsAreCounted) {
  GraphBuilder base, head;
  base.function("main", 10).function("push", 10000).function("grow", 4000).calls("main", "push", 1000).calls("push", "grow", 8);
  head.function("main", 10).function("push", 10000).function("grow", 1000).calls("main", "push", 1000).calls("push", "grow", 2);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(explanation.causes[0].text, "`push` calls `grow` 2 times instead of 8 (1,000 calls of `push`)");
}


TEST(ExplainClusterTest, AClusterIsOpenedOnRequestAlthoughItCancels) {
  GraphBuilder base, head;
  base.function("main", 10).function("even", 500).function("odd", 500).calls("main", "even", 1, 1000).calls("even", "odd", 50, 900).calls("odd", "even", 49, 900);
  head.function("main", 10).function("even", 900).function("odd", 100).calls("main", "even", 1, 1000).calls("even", "odd", 50, 900).calls("odd", "even", 49, 900);
  ExplainOptions options;
  for (const Cause& cause : explain(base.graph(), head.graph(), options).causes) EXPECT_NE(cause.kind, CauseKind::kOwnCost) << cause.text;
  options.open_clusters = {"odd"};
  const Explanation opened = explain(base.graph(), head.graph(), options);
  ASSERT_EQ(opened.causes.size(), 2u);
  for (const Cause& cause : opened.causes) EXPECT_EQ(cause.kind, CauseKind::kOwnCost);
  EXPECT_EQ(opened.causes[0].delta, -opened.causes[1].delta);
  for (const auto& [name, text] : {std::pair("main", "'main' is in no cluster of functions that call each other"), std::pair("evn", "'evn' is no function of either side")}) {
    options.open_clusters = {name};
    try {
      explain(base.graph(), head.graph(), options);
      FAIL() << name;
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), text);
    }
  }
}

}  // namespace
}  // namespace icount
