// Cycles that are opened or stay one node, and terms rounded to whole numbers that add up.
#include "icount/explain/explain.h"

#include <gtest/gtest.h>

#include <numeric>
#include <utility>

#include "icount/base/error.h"
#include "icount/explain/flow/opened_flow.h"
#include "icount/report/cause_sentence.h"
#include "joined_pair.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

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
            "`object` (a recursion of 3 functions) itself costs 3,350 per call from outside, was 1,654 (5 "
            "calls)");
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

std::vector<uint32_t> in_order(size_t size) {
  std::vector<uint32_t> order(size);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

TEST(RoundingTest, LastBitsSettleNoOrder) {
  EXPECT_EQ(by_magnitude(std::vector<long double>{3.5L, -8, 3.5L + 1e-18L, 9}), (std::vector<uint32_t>{3, 1, 0, 2}));
}

TEST(RoundingTest, AChangeOfZeroTakesItsSignFromTheFirstTerm) {
  const std::vector<long double> terms = {1.5L, -0.5L, -0.5L, -0.5L}, negated = {-1.5L, 0.5L, 0.5L, 0.5L};
  const auto forth = round_to_total(terms, 0, in_order(4)).whole, back = round_to_total(negated, 0, in_order(4)).whole;
  EXPECT_EQ(forth, (std::vector<int64_t>{2, 0, -1, -1}));
  EXPECT_EQ(back, (std::vector<int64_t>{-2, 0, 1, 1}));
}

TEST(RoundingTest, ResidueGoesToTheFirstTerm) {
  const std::vector<long double> terms = {100.00000000001L, 7};
  EXPECT_EQ(round_to_total(terms, 108, in_order(2)).whole, (std::vector<int64_t>{101, 7}));
}

TEST(RoundingTest, WhatMissesTheTotalOnTheOtherSideIsRestToo) {
  const std::vector<long double> terms = {100, 7}, negated = {-100, -7};
  EXPECT_EQ(round_to_total(terms, 20, in_order(2)).whole, (std::vector<int64_t>{100, 7}));
  EXPECT_EQ(round_to_total(terms, 20, in_order(2)).rest, -87);
  EXPECT_EQ(round_to_total(negated, -1000, in_order(2)).rest, -893);
}

TEST(RoundingTest, ASmallRemainderTakesTheUnitBeforeAnyWholeTermDoes) {
  EXPECT_EQ(round_to_total(std::vector<long double>{3, 10.005L}, 14, in_order(2)).whole, (std::vector<int64_t>{3, 11}));
}

TEST(RoundingTest, WhatIsNoNumberCountsNothingAndWhatIsTooLargeStopsThere) {
  EXPECT_EQ(round_to_total(std::vector<long double>{std::nanl(""), 5}, 5, in_order(2)).whole,
            (std::vector<int64_t>{0, 5}));
  const RoundedTerms rounded = round_to_total(std::vector<long double>{1e30L, 7}, 7, in_order(2));
  EXPECT_EQ(rounded.whole, (std::vector<int64_t>{4600000000000000000, 7}));
  EXPECT_EQ(rounded.rest, -4600000000000000000);
}

/// main calls a ten times; a and b call each other.
GraphBuilder cycle(int64_t main, int64_t a, int64_t b, int64_t calls = 10) {
  return GraphBuilder()
      .function("main", main)
      .function("a", a)
      .function("b", b)
      .calls("main", "a", calls)
      .calls("a", "b", 30)
      .calls("b", "a", 30);
}

using Members = std::map<std::string_view, int64_t>;

Members members_of(const JoinedPair& pair, const WholeTerms& terms, uint32_t term) {
  Members members;
  if (const auto found = terms.inside.find(term); found != terms.inside.end())
    for (const auto& [member, delta] : found->second) members[pair.joined.functions[member].name] = delta;
  return members;
}

TEST(WholeTermsTest, AMemberThatComesToNothingIsNotThere) {
  const JoinedPair pair(cycle(5, 100, 40), cycle(5, 150, 40));
  EXPECT_EQ(members_of(pair, make_whole_terms(pair.joined, pair.flow, 50), 0), (Members{{"a", 50}}));
}

std::vector<double> member_values(JoinedPair& pair, long double value) {
  std::vector<double> found(2);
  const uint32_t node = pair.node("a");
  const std::vector<long double> terms = member_terms(pair.joined.flow, pair.flow, {TermKind::kOwnCost, node, value});
  const std::vector<uint32_t>& members = pair.flow.condensed.members[node];
  for (size_t i = 0; i < members.size(); ++i)
    found[pair.joined.functions[members[i]].name == "a" ? 0 : 1] = static_cast<double>(terms[i]);
  return found;
}

TEST(MemberTermsTest, InTotalWhereItDoesNotScale) {
  JoinedPair pair(cycle(5, 100, 40), cycle(5, 300, 20, 20));
  const uint32_t node = pair.node("a");
  pair.flow.figures.fixed_self[node] = true;
  pair.flow.figures.further_self[node] = 0;
  EXPECT_EQ(member_values(pair, 180), (std::vector<double>{200, -20}));
  pair.flow.figures.further_self[node] = 2;
  EXPECT_EQ(member_values(pair, 460), (std::vector<double>{400, 60})) << "in parts of what it costs on both sides";
}

}  // namespace
}  // namespace icount
