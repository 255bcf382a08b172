// What a call cost for whom: recorded costs of calls that one side makes (explain/flow/edge_prices.h), functions told
// by caller (explain/flow/edge_prices.h), detours (explain/flow/edge_prices.h), calls whose number and price changed
// together.
#include <gtest/gtest.h>

#include <algorithm>

#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

const Cause* calls_of(const Explanation& explanation, const std::string& caller, const std::string& callee) {
  for (const Cause& cause : explanation.causes)
    if (cause.kind == CauseKind::kCalls && cause.caller == caller && cause.callee == callee) return &cause;
  return nullptr;
}

int64_t sum_of(const Explanation& explanation) {
  int64_t sum = 0;
  for (const Cause& cause : explanation.causes) sum += cause.delta;
  return sum;
}

/// `work` takes 1,000 blocks that lie ready, 10 each; a new `copy` takes 100, for which `refill` has to work. `take`
/// calls itself, so that it is not split by caller.
CostGraph blocks(bool with_copy, int64_t recorded = 500 + 100 * 10 + 100 * 90) {
  GraphBuilder graph;
  graph.function("main", 100).function("work", 5000).function("take", 10 * (with_copy ? 1100 : 1000));
  graph.calls("main", "work", 10, 15000).calls("work", "take", 1000, 10000).calls("take", "take", 0, 0);
  if (!with_copy) return graph.graph();
  graph.function("copy", 500).function("refill", 9000);
  graph.calls("main", "copy", 1, recorded).calls("copy", "take", 100, 10000).calls("take", "refill", 100, 9000);
  return graph.graph();
}

TEST(RecordedCallsTest, ACallOfOneSideCostsWhatWasRecordedForIt) {
  const Explanation found = explain(blocks(false), blocks(true), {});
  const Cause* copy = calls_of(found, "main", "copy");
  ASSERT_NE(copy, nullptr);
  EXPECT_EQ(copy->delta, 10500);
  EXPECT_EQ(sum_of(found), found.delta);
  const Explanation swapped = explain(blocks(true), blocks(false), {});
  ASSERT_NE(calls_of(swapped, "main", "copy"), nullptr);
  EXPECT_EQ(calls_of(swapped, "main", "copy")->delta, -10500);
}

TEST(RecordedCallsTest, ACostThatContradictsWhatLiesBelowIsNotUsed) {
  const Explanation found = explain(blocks(false), blocks(true, 900000), {});
  const Cause* copy = calls_of(found, "main", "copy");
  ASSERT_NE(copy, nullptr);
  EXPECT_LT(copy->delta, 20000);
  EXPECT_EQ(sum_of(found), found.delta);
}

TEST(RecordedCallsTest, CallsWithoutACostAreAnAverage) {
  const Explanation found = explain(blocks(false), blocks(true, 0), {});
  EXPECT_NE(calls_of(found, "main", "copy"), nullptr);
  EXPECT_EQ(sum_of(found), found.delta);
}

TEST(RecordedCallsTest, WhatIsLeftOfSelfCostIsToldOfTheOtherCalls) {
  // On average `take` costs 237 before and after; the calls of the new `copy` cost 243, so that those of `work` cost
  // 231.
  const auto program = [](bool with_copy) {
    GraphBuilder graph;
    graph.function("main", 100).function("work", 500).function("take", 237 * (with_copy ? 200 : 100));
    graph.calls("main", "work", 1, 500 + (with_copy ? 23100 : 23700));
    graph.calls("work", "take", 100, with_copy ? 23100 : 23700).calls("take", "take", 0, 0);
    if (with_copy) graph.function("copy", 500).calls("main", "copy", 1, 24800).calls("copy", "take", 100, 24300);
    return graph.graph();
  };
  const auto check = [](const Explanation& found, int64_t copy, int64_t take, const std::string& text) {
    const Cause* calls = calls_of(found, "main", "copy");
    ASSERT_NE(calls, nullptr);
    EXPECT_EQ(calls->delta, copy);
    EXPECT_EQ(sum_of(found), found.delta);
    const auto own = std::find_if(found.causes.begin(), found.causes.end(), [](const Cause& cause) {
      return cause.kind == CauseKind::kOwnCost && cause.function == "take";
    });
    ASSERT_NE(own, found.causes.end());
    EXPECT_EQ(own->delta, take);
    EXPECT_EQ(cause_sentence(*own), text);
  };
  check(explain(program(false), program(true), {}), 24800, -600,
        "`take` itself costs 231 per call, was 237 (100 calls that both make)");
  check(explain(program(true), program(false), {}), -24800, 600,
        "`take` itself costs 237 per call, was 231 (100 calls)");
}

// A new `add` has its shapes ordered, which `multiply` never has: `build`, which both call, now calls `order` in half
// of its calls, and all of these are a part of what `add` costs.
TEST(RecordedCallsTest, SharedWorkThatIsAsBeforeForOthersHasNoCauseOfItsOwn) {
  const auto program = [](bool with_add, int64_t each) {
    GraphBuilder graph;
    graph.function("main", 100).function("multiply", 500).function("build", each * (with_add ? 200 : 100));
    graph.calls("main", "multiply", 1, 500 + 100 * each).calls("multiply", "build", 100, 100 * each);
    graph.calls("build", "build", 0, 0);
    if (!with_add) return graph.graph();
    graph.function("add", 500).function("order", 96100);
    graph.calls("main", "add", 1, 500 + 100 * each + 96100).calls("add", "build", 100, 100 * each + 96100);
    graph.calls("build", "order", 100, 96100);
    return graph.graph();
  };
  for (const bool added : {true, false}) {
    const Explanation found = explain(program(!added, 237), program(added, 237), {});
    ASSERT_EQ(found.causes.size(), 1u) << cause_sentence(found.causes[1]);
    EXPECT_EQ(found.causes[0].callee, "add");
    EXPECT_EQ(found.causes[0].delta, added ? 120300 : -120300);
  }
  // What has become dearer for both.
  const Explanation found = explain(program(false, 237), program(true, 337), {});
  EXPECT_EQ(sum_of(found), found.delta);
  ASSERT_EQ(found.causes.size(), 2u) << cause_sentence(found.causes[2]);
  EXPECT_EQ(found.causes[0].callee, "add");
  EXPECT_EQ(found.causes[0].delta, 130300);
  EXPECT_EQ(found.causes[1].function, "build");
  EXPECT_EQ(found.causes[1].delta, 10000);
}

TEST(CallerSplitTest, ALeafCostsWhatEachCallerPays) {
  // `copy` moves long texts for one caller and short ones for another; only the first one's calls are gone.
  const auto program = [](bool with_long) {
    GraphBuilder graph;
    graph.function("main", 100).function("log", 100).function("copy", 500 + (with_long ? 20000 : 0));
    graph.calls("main", "log", 1, 600).calls("log", "copy", 100, 500);
    if (with_long) graph.calls("main", "copy", 10, 20000);
    return graph.graph();
  };
  const Explanation found = explain(program(true), program(false), {});
  ASSERT_EQ(found.causes.size(), 1u);
  EXPECT_EQ(found.causes[0].callee, "copy");
  EXPECT_EQ(found.causes[0].delta, -20000);
}

TEST(CallerSplitTest, AnAverageThatFallsWhileEachCallerPaysMoreIsNoContradiction) {
  // `parse` pays 12 instead of 10 for each of its 100 calls; `log`, whose calls are short, makes three times as many.
  const auto program = [](int64_t price, int64_t short_calls) {
    GraphBuilder graph;
    const int64_t parse = 100 * price, log = 5 * short_calls;
    graph.function("main", 100).function("parse", 100).function("log", 100).function("copy", parse + log);
    graph.calls("main", "parse", 1, 100 + parse).calls("main", "log", 1, 100 + log);
    graph.calls("parse", "copy", 100, parse).calls("log", "copy", short_calls, log);
    return graph.graph();
  };
  const auto own_text = [](const Explanation& found, int64_t delta) {
    for (const Cause& cause : found.causes)
      if (cause.kind == CauseKind::kOwnCost && cause.function == "copy" && cause.delta == delta)
        return cause_sentence(cause);
    return std::string("no own cost of that delta");
  };
  EXPECT_EQ(own_text(explain(program(10, 100), program(12, 300), {}), 200),
            "`copy` itself costs 6 per call, was 5 (200 calls that both make)");
  EXPECT_EQ(own_text(explain(program(12, 300), program(10, 100), {}), -200),
            "`copy` itself costs 5 per call, was 6 (200 calls)");
}

TEST(CallDetoursTest, CallsByWayOfAFunctionOfBothSidesAreNoLossAndGain) {
  // main calls check instead of find in 50 of 100 cases, and every call of check calls find.
  const auto program = [](int64_t checks) {
    GraphBuilder graph;
    graph.function("main", 100).function("check", 10 * checks).function("find", 100 * 1000);
    graph.calls("main", "check", checks, 1010 * checks).calls("check", "find", checks, 1000 * checks);
    graph.calls("main", "find", 100 - checks, 1000 * (100 - checks));
    return graph.graph();
  };
  const Explanation found = explain(program(20), program(70), {});
  EXPECT_EQ(found.delta, 500);
  for (const Cause& cause : found.causes) EXPECT_LE(std::abs(cause.delta), 500) << cause_sentence(cause);
}

TEST(PriceJoinsTest, FewerCallsThatCostMoreEachAreOneCause) {
  // 300 of 450 numbers are no longer read by `scan`; those that are left are the long ones.
  const auto program = [](int64_t calls, int64_t cost, int64_t digits) {
    GraphBuilder graph;
    graph.function("main", 100).function("scan", calls * 100).function("digit", digits * 10).function("other", 5000);
    graph.calls("main", "scan", calls, cost).calls("scan", "digit", digits, digits * 10);
    graph.calls("main", "other", 1, 5000 + 100).calls("other", "digit", 10, 100);
    graph.function("digit", 100);
    return graph.graph();
  };
  const Explanation found =
      explain(program(450, 450 * 100 + 4500 * 10, 4500), program(150, 150 * 100 + 1900 * 10, 1900), {});
  const Cause* scan = calls_of(found, "main", "scan");
  ASSERT_NE(scan, nullptr);
  EXPECT_EQ(scan->delta, 34000 - 90000);
  EXPECT_NE(cause_sentence(*scan).find("each costs 227, was 200"), std::string::npos) << cause_sentence(*scan);
  EXPECT_EQ(found.causes.front().delta, scan->delta);
}

}  // namespace
}  // namespace icount
