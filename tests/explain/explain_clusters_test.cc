// Recursive clusters, and figures that do not scale with calls.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "icount/base/error.h"
#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

TEST(ExplainClusterTest, OneDearerMemberIsNamedThroughTheCluster) {
  GraphBuilder base, head;
  for (auto* graph : {&base, &head}) {
    graph->function("main", 10).function("loop", 5000).function("op_add", 700).function("op_call", 900);
    graph->calls("main", "loop", 2)
        .calls("loop", "op_add", 70)
        .calls("loop", "op_call", 30)
        .calls("op_call", "loop", 30);
  }
  head.function("op_add", 2100);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(cause_sentence(explanation.causes[0]), "`op_add` itself costs 40 per call, was 10 (70 calls)");
}

TEST(ExplainClusterTest, AClusterWhoseInsideCancelsStaysOneCauseWithItsMembers) {
  GraphBuilder base, head;
  base.function("main", 10).function("value", 1270).function("object", 6200).function("array", 800);
  base.calls("main", "value", 5)
      .calls("value", "object", 155)
      .calls("value", "array", 160)
      .calls("object", "value", 465)
      .calls("array", "value", 800);
  head.function("main", 10).function("value", 2550).function("object", 12600).function("array", 1600);
  head.calls("main", "value", 5)
      .calls("value", "object", 315)
      .calls("value", "array", 320)
      .calls("object", "value", 945)
      .calls("array", "value", 1600);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  const Cause& cause = explanation.causes[0];
  EXPECT_EQ(cause.kind, CauseKind::kCluster);
  EXPECT_EQ(cause.function, "cycle of object and 2 more");
  EXPECT_EQ(cause.delta, 8480);
  EXPECT_EQ(cause_sentence(cause),
            "the recursion of `object` and 2 other functions itself costs 3,350 per call from outside, was 1,654 (5 "
            "calls); mostly "
            "in `object`");
  ASSERT_EQ(cause.inside.size(), 3u);
  EXPECT_EQ(cause.inside[0].delta, 6400);
  EXPECT_EQ(cause_sentence(cause.inside[0]), "`object` itself costs 2,520 per call from outside, was 1,240");
}

TEST(ExplainScaleTest, AThousandLevelsOfRecursionBelongToTheCallThatEntersThem) {
  GraphBuilder base, head;
  base.function("main", 10).function("f", 1000).calls("main", "f", 1).calls("f", "f", 999);
  head.function("main", 10).function("f", 2000).calls("main", "f", 2).calls("f", "f", 1998);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(cause_sentence(explanation.causes[0]), "`main` calls `f` 2 times, was 1");
  EXPECT_EQ(explanation.causes[0].delta, 1000);
}

TEST(ExplainScaleTest, AnInitialisationIsNoMatterOfCalls) {
  GraphBuilder base, head;
  base.function("main", 10)
      .function("get", 1000)
      .function("init", 50000)
      .calls("main", "get", 1000)
      .calls("get", "init", 1);
  head.function("main", 10)
      .function("get", 10)
      .function("init", 50000)
      .calls("main", "get", 10)
      .calls("get", "init", 1);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(explanation.causes[0].delta, -990);
  EXPECT_EQ(cause_sentence(explanation.causes[0]), "`main` calls `get` 10 times, was 1,000, at 1 each");
}

TEST(ExplainScaleTest, ALoopThatRunsOnceInAllIsTakenInTotal) {
  GraphBuilder base, head;
  base.function("main", 10).function("execute", 500000).calls("main", "execute", 1);
  head.function("main", 10).function("execute", 480000).calls("main", "execute", 40);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(explanation.causes[0].delta, -20000);
  EXPECT_EQ(cause_sentence(explanation.causes[0]),
            "`execute` itself costs 480,000 in total, was 500,000 (40 calls, was 1)");
}

TEST(ExplainScaleTest, WhatAFixedCostGrowsByWithItsCallsFollowsFromTheCalls) {
  GraphBuilder base, head;  // an interpreter's loop, which a sort now enters for every comparison
  base.function("main", 10)
      .function("execute", 500000)
      .function("sort", 1000)
      .calls("main", "execute", 1)
      .calls("main", "sort", 100);
  head.function("main", 10)
      .function("execute", 900000)
      .function("sort", 1000)
      .calls("main", "execute", 1)
      .calls("main", "sort", 100)
      .calls("sort", "execute", 4000);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(explanation.causes[0].delta, 400000);
  EXPECT_EQ(cause_sentence(explanation.causes[0]), "`sort` now calls `execute` 4,000 times, at 100 each");
}

TEST(ExplainScaleTest, CallsThatAreMadeFirstAndForEachFurtherCallFollow) {
  GraphBuilder base,
      head;  // `find` sorts its table by 1,000 calls of `less` once and looks into it by 5 more each time
  base.function("main", 10)
      .function("find", 40)
      .function("less", 10200)
      .calls("main", "find", 4)
      .calls("find", "less", 1020);
  head.function("main", 10)
      .function("find", 6000)
      .function("less", 40000)
      .calls("main", "find", 600)
      .calls("find", "less", 4000);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(cause_sentence(explanation.causes[0]), "`main` calls `find` 600 times, was 4, at 60 each");
}

TEST(ExplainScaleTest, RareCallsAreCounted) {
  GraphBuilder base, head;
  base.function("main", 10)
      .function("push", 10000)
      .function("grow", 4000)
      .calls("main", "push", 1000)
      .calls("push", "grow", 8);
  head.function("main", 10)
      .function("push", 10000)
      .function("grow", 1000)
      .calls("main", "push", 1000)
      .calls("push", "grow", 2);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(cause_sentence(explanation.causes[0]), "`push` calls `grow` 2 times, was 8, at 500 each");
}

TEST(ExplainClusterTest, FunctionsThatCallEachOtherMoreDeeplyAreOneCause) {
  const auto parser = [](int64_t nested) {
    GraphBuilder graph;  // expr calls term twice, term calls factor, one factor of each two calls expr again
    const int64_t exprs = 10 + nested, factors = 2 * exprs;
    graph.function("main", 10)
        .function("expr", 50 * exprs)
        .function("term", 40 * factors)
        .function("factor", 20 * factors);
    return graph.calls("main", "expr", 10, 100)
        .calls("expr", "term", factors, 100)
        .calls("term", "factor", factors, 100)
        .calls("factor", "expr", nested, 100)
        .graph();
  };
  const Explanation explanation = explain(parser(310), parser(630));
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(
      cause_sentence(explanation.causes[0]),
      "`term` and 2 other functions call each other more: 320 calls for each call from outside, was 160 (3,200 in "
      "all, was 1,600); mostly `factor` calling `expr`");
  EXPECT_EQ(explanation.causes[0].caller, "cycle of term and 2 more");
  EXPECT_EQ(explanation.causes[0].callee, "cycle of term and 2 more");
}

TEST(ExplainClusterTest, AClusterIsOpenedOnRequestAlthoughItCancels) {
  GraphBuilder base, head;
  base.function("main", 10)
      .function("even", 500)
      .function("odd", 500)
      .calls("main", "even", 1, 1000)
      .calls("even", "odd", 50, 900)
      .calls("odd", "even", 49, 900);
  head.function("main", 10)
      .function("even", 900)
      .function("odd", 100)
      .calls("main", "even", 1, 1000)
      .calls("even", "odd", 50, 900)
      .calls("odd", "even", 49, 900);
  ExplainOptions options;
  for (const Cause& cause : explain(base.graph(), head.graph(), options).causes)
    EXPECT_NE(cause.kind, CauseKind::kOwnCost) << cause_sentence(cause);
  options.open_clusters = {"odd"};
  const Explanation opened = explain(base.graph(), head.graph(), options);
  ASSERT_EQ(opened.causes.size(), 2u);
  for (const Cause& cause : opened.causes) EXPECT_EQ(cause.kind, CauseKind::kOwnCost);
  EXPECT_EQ(opened.causes[0].delta, -opened.causes[1].delta);
  for (const auto& [name, text] : {std::pair("main", "'main' is in no cycle (functions that call each other)"),
                                   std::pair("evn", "'evn' is not a function of base or head")}) {
    options.open_clusters = {name};
    try {
      explain(base.graph(), head.graph(), options);
      FAIL() << name;
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), text);
    }
  }
}

/// A ring of functions of which each also calls one further on.
CostGraph ring(uint32_t functions, int64_t more) {
  CostGraph graph;
  graph.events = {"Ir"};
  graph.totals = {0};
  const StringId file = graph.strings.intern("ring.c"), object = graph.strings.intern("prog");
  for (uint32_t f = 0; f < functions; ++f) {
    const int64_t self = 100 + (f % 3 == 0 ? more : 0);
    graph.functions.push_back({graph.strings.intern(fmt::format("f{}", f)), file, object});
    graph.self.push_back(self);
    graph.totals[0] += self;
    for (const uint32_t further : {1, 17}) {
      graph.edges.push_back({f, (f + further) % functions, 1 + (f % 5 == 0 ? more : 0)});
      graph.inclusive.push_back(10);
    }
  }
  return graph;
}

TEST(ExplainClustersTest, ACycleThatIsTooLargeToSolveStaysOneCauseAndTheSumIsExact) {
  constexpr uint32_t kFunctions = 20000;
  const CostGraph base = ring(kFunctions, 0), head = ring(kFunctions, 3);
  const Explanation found = explain(base, head, {});
  EXPECT_EQ(found.delta, 3 * ((kFunctions + 2) / 3));
  int64_t sum = 0;
  for (const Cause& cause : found.causes) sum += cause.delta;
  EXPECT_EQ(sum, found.delta);
  ExplainOptions options;
  options.open_clusters = {"f1"};
  try {
    explain(base, head, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "the cycle of 'f1' has 20,000 functions: cycles of up to 2,000 are broken down; without --open-cluster "
        "it is explained as one cause");
  }
}

}  // namespace
}  // namespace icount
