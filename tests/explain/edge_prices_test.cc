// What a call costs by its record, and functions whose callers pay different prices: explain/flow/edge_prices.h.
#include "icount/explain/flow/edge_prices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"
#include "support/graph_builder.h"
#include "written_table.h"

namespace icount {
namespace {

using Figures = std::vector<long double>;

constexpr uint32_t kMain = 0, kCopy = 1, kWork = 2, kTake = 3, kMore = 4;

/// On one side alone main (0) calls copy (1), which costs 500 itself and calls take (3) a hundred times. On both sides
/// it calls work (2) ten times, which calls take so often each; that costs 10. On that side `more` (4) calls it, too.
class RecordedPricesTest : public testing::Test {
 protected:
  void make(int64_t recorded, size_t side = 1, int64_t calls_by_work = 100, int64_t recorded_of_more = 0) {
    graph_ = {};
    graph_.nodes.resize(5);
    graph_.nodes[kMain].entries = {1, 1};
    graph_.nodes[kCopy].self[side] = 500;
    graph_.nodes[kMore].self[side] = recorded_of_more > 0 ? 500 : 0;
    graph_.edges = {{kMain, kCopy, {}, {}},
                    {kMain, kWork, {10, 10}, {100'000, 100'000}},
                    {kMain, kMore, {}, {}},
                    {kCopy, kTake, {}, {}},
                    {kWork, kTake, {10 * calls_by_work, 10 * calls_by_work}, {100'000, 100'000}},
                    {kMore, kTake, {}, {}}};
    const auto call = [&](uint32_t edge, int64_t calls, int64_t cost) {
      graph_.edges[edge].calls[side] = calls;
      graph_.edges[edge].inclusive[side] = cost;
    };
    call(kToCopy, 1, recorded);
    call(kCopyTakes, 100, recorded - 500);
    if (recorded_of_more > 0) {
      call(kToMore, 1, recorded_of_more);
      call(kMoreTakes, 50, recorded_of_more - 500);
    }
    index_edges(graph_);
    table_ = table_of(graph_);
    for (const size_t of : {0, 1}) {
      table_.own[of] = {0, 500, 20, 10, 500};
      const bool both = of == side;
      const auto by_work = static_cast<long double>(calls_by_work);
      table_.rates[of] = {both ? 1.0L : 0, 10, both && recorded_of_more > 0 ? 1.0L : 0, 100, by_work, 50};
    }
  }
  bool price(long double least = 0) {
    ClusterFactors factors;
    const FlowSolver solver(table_.shape, table_.components, factors);
    return price_recorded_calls(graph_, solver, solve(table_, solver), least, table_);
  }
  bool is_used(int64_t recorded, int64_t calls_by_work = 100) {
    make(recorded, 1, calls_by_work);
    const bool used = price();
    EXPECT_EQ(used, !table_.recorded.empty());
    make(recorded, 0, calls_by_work);
    EXPECT_EQ(price(), used) << "whichever side has it";
    return used;
  }
  static constexpr uint32_t kToCopy = 0, kToMore = 2, kCopyTakes = 3, kMoreTakes = 5;

  FlowGraph graph_;
  FlowTable table_;
};

TEST_F(RecordedPricesTest, TheCallTakesWhatItCostsFromTheOthers) {
  // On average it would cost 500 and 100 times 10; what it takes is three times as dear: 300 of 1,100 calls.
  for (const size_t side : {1, 0}) {
    make(3500, side);
    ASSERT_TRUE(price());
    ASSERT_EQ(table_.recorded.size(), 1u);
    EXPECT_EQ(table_.recorded[0].edge, kToCopy);
    EXPECT_EQ(table_.recorded[0].caller, kMain);
    EXPECT_EQ(table_.recorded[0].side, side);
    EXPECT_EQ(table_.recorded[0].cost_per_call, 3500);
    EXPECT_EQ(table_.rates[side], (Figures{0, 10, 0, 100, 100, 50}));
    EXPECT_EQ(table_.own[side], (Figures{0, 500, 20, 8, 500}));
    EXPECT_EQ(table_.own[1 - side], (Figures{0, 500, 20, 10, 500}));
    EXPECT_EQ(table_.other_calls[side], (Figures{-1, -1, -1, 1000, -1}));
    EXPECT_TRUE(table_.other_calls[1 - side].empty());
  }
}

TEST_F(RecordedPricesTest, AHundredthFromTheAverageItIsUsed) {
  EXPECT_FALSE(is_used(1515));
  EXPECT_TRUE(is_used(1516)) << "16 are more than 15.16";
  EXPECT_FALSE(is_used(1485));
  EXPECT_TRUE(is_used(1484));
}

TEST_F(RecordedPricesTest, WhereTheAverageMissesLittleItStays) {
  make(3500);
  EXPECT_FALSE(price(2000.5L));
  EXPECT_TRUE(price(2000)) << "3,500 less 1,500";
  make(500);
  EXPECT_FALSE(price(1000.5L));
  EXPECT_TRUE(price(1000));
}

TEST_F(RecordedPricesTest, SharedWorkCostsFromNothingToTwentyTimesItsAverage) {
  EXPECT_TRUE(is_used(500)) << "all of it is its own";
  EXPECT_FALSE(is_used(499));
  EXPECT_TRUE(is_used(20'500, 1000));
  EXPECT_FALSE(is_used(20'501, 1000));
}

TEST_F(RecordedPricesTest, WhereOneFunctionHasNoMoreToGiveTheOthersGiveIt) {
  // copy calls take a hundred times and `more` ten times; work, ten times called, calls them once and a hundred times.
  graph_ = {};
  graph_.nodes.resize(5);
  graph_.nodes[kMain].entries = {1, 1};
  graph_.edges = {{kMain, kCopy, {0, 1}, {0, 2100}},   {kMain, kWork, {10, 10}, {10'100, 9'100}},
                  {kCopy, kTake, {0, 100}, {0, 1100}}, {kCopy, kMore, {0, 10}, {0, 1000}},
                  {kWork, kTake, {10, 10}, {100, 0}},  {kWork, kMore, {1000, 1000}, {10'000, 9'100}}};
  index_edges(graph_);
  table_ = table_of(graph_);
  for (const size_t side : {0, 1}) {
    table_.own[side] = {0, 0, 0, 10, 10};
    table_.rates[side] = {static_cast<long double>(side), 10, 100, 10, 1, 100};
  }
  ASSERT_TRUE(price());
  ASSERT_EQ(table_.recorded.size(), 1u);
  EXPECT_EQ(table_.recorded[0].cost_per_call, 2100);
  EXPECT_NEAR(static_cast<double>(table_.own[1][kTake]), 0, 1e-4) << "110 calls of it, all that there are, cost 1,100";
  EXPECT_NEAR(static_cast<double>(table_.own[1][kMore]), 9.1, 1e-4) << "1,000 are left, as 100 of its 1,010 calls cost";
}

TEST_F(RecordedPricesTest, TheDearestIsLeftOutFirst) {
  // 1,150 calls: copy takes 800 of them, more takes twelve times 50.
  make(8500, 1, 100, 500 + 50 * 120);
  ASSERT_TRUE(price());
  ASSERT_EQ(table_.recorded.size(), 1u);
  EXPECT_EQ(table_.recorded[0].edge, kToCopy);
  make(500 + 100 * 90, 1, 100, 500 + 50 * 60);
  ASSERT_TRUE(price());
  ASSERT_EQ(table_.recorded.size(), 1u);
  EXPECT_EQ(table_.recorded[0].edge, kToMore);
  make(500 + 100 * 50, 1, 100, 500 + 50 * 60);
  ASSERT_TRUE(price());
  EXPECT_EQ(table_.recorded.size(), 2u) << "500 and 300 of 1,150";
  EXPECT_NEAR(static_cast<double>(table_.own[1][kTake]), 3.5, 1e-12);
}

TEST_F(RecordedPricesTest, WhatIsNotToldApart) {
  const auto stays = [&](auto&& change) {
    make(3500);
    change();
    return !price() && table_.recorded.empty();
  };
  EXPECT_FALSE(stays([] {}));
  EXPECT_TRUE(stays([&] { table_.sources.push_back({kCopy, {0, 1}, TermKind::kCalls, kToCopy}); })) << "a source";
  EXPECT_FALSE(stays([&] { table_.sources.push_back({kMain, {0, 0}, TermKind::kEntry, kToCopy}); }));
  EXPECT_TRUE(stays([&] { graph_.edges[kCopyTakes].inclusive[1] = 500; })) << "it contradicts what lies below";
  EXPECT_TRUE(stays([&] { table_.rates[1][kToCopy] = 0; }));
  EXPECT_TRUE(stays([&] { table_.sources[0].calls = {0, 1}; })) << "only one side has the caller";
  const auto both_call_it = [&](long double rate) {
    return stays([&] {
      graph_.edges[kToCopy].calls[0] = 1;
      graph_.edges[kToCopy].inclusive[0] = 3500;
      graph_.nodes[kCopy].self[0] = 3500;
      table_.rates[0][kToCopy] = rate;
    });
  };
  EXPECT_TRUE(both_call_it(1)) << "as often";
  EXPECT_TRUE(both_call_it(0.0501L));
  EXPECT_FALSE(both_call_it(0.0499L)) << "one side makes more than twenty times as many";
}

constexpr uint32_t kEval = 1, kRun = 2, kLook = 3;

/// main (0) calls eval (1) ten times, which takes 5 and calls look (3) twice; that takes 10. On one side alone eval
/// calls run (2) four times, which takes 100 and calls eval so often; what that looks at costs more than the rest.
class RecordedPricesInCyclesTest : public testing::Test {
 protected:
  bool price(size_t side, int64_t by_run, int64_t recorded) {
    const int64_t evals = 10 + 4 * by_run;
    FlowGraph graph;
    graph.nodes.resize(4);
    graph.nodes[0].entries = {1, 1};
    graph.edges = {{0, kEval, {10, 10}, {250, 250}},
                   {kEval, kRun, {}, {}},
                   {kEval, kLook, {20, 20}, {200, 200}},
                   {kRun, kEval, {}, {}}};
    const auto call = [&](uint32_t edge, int64_t calls, int64_t cost) {
      graph.edges[edge].calls[side] = calls;
      graph.edges[edge].inclusive[side] = cost;
    };
    call(0, 10, 90 + 360 + 400);
    call(kEvalRuns, 4, recorded);
    call(2, 2 * evals, 20 * evals);
    call(3, 4 * by_run, recorded - 400);
    graph.nodes[kEval].self = graph.nodes[kRun].self = graph.nodes[kLook].self = {50, 50};
    graph.nodes[kRun].self = {};
    graph.nodes[kLook].self = {200, 200};
    graph.nodes[kEval].self[side] = 5 * evals;
    graph.nodes[kRun].self[side] = 400;
    graph.nodes[kLook].self[side] = 20 * evals;
    index_edges(graph);
    table_ = table_of(graph);
    for (const size_t of : {0, 1}) {
      table_.own[of] = {0, 5, 100, 10};
      table_.rates[of] = {10, of == side ? 4.0L / static_cast<long double>(evals) : 0, 2,
                          static_cast<long double>(by_run)};
    }
    ClusterFactors factors;
    const FlowSolver solver(table_.shape, table_.components, factors);
    return price_recorded_calls(graph, solver, solve(table_, solver), 0, table_);
  }
  static constexpr uint32_t kEvalRuns = 1;
  FlowTable table_;
};

TEST_F(RecordedPricesInCyclesTest, ARecursionIsRecordedOverAndOver) {
  EXPECT_TRUE(price(1, 2, 680)) << "by the average four of nine are made below others";
  EXPECT_FALSE(price(1, 3, 820)) << "six of eleven";
}

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
        "`take` itself costs 231 per call, was 237 (100 calls common to both)");
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
            "`copy` itself costs 6 per call, was 5 (200 calls common to both)");
  EXPECT_EQ(own_text(explain(program(12, 300), program(10, 100), {}), -200),
            "`copy` itself costs 5 per call, was 6 (200 calls)");
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

constexpr uint32_t kRoot = 0, kFirst = 1, kSecond = 2, kShared = 3, kLeaf = 4;  // nodes of the graph below

/// Calls of the shared function by one caller, and what they cost in all.
struct Paid {
  BothSides calls{}, cost{};
};

/// main calls first and second, which call the shared one; that calls a leaf, whose calls cost so much of it.
FlowGraph priced(const Paid& first, const Paid& second, const BothSides& below = {0, 0}) {
  FlowGraph graph;
  graph.nodes.resize(5);
  graph.nodes[kRoot].entries = {1, 1};
  graph.nodes[kLeaf].self = below;
  for (const size_t side : {0, 1}) graph.nodes[kShared].self[side] = first.cost[side] + second.cost[side] - below[side];
  graph.edges = {{kRoot, kFirst, {1, 1}, first.cost},
                 {kRoot, kSecond, {1, 1}, second.cost},
                 {kFirst, kShared, first.calls, first.cost},
                 {kSecond, kShared, second.calls, second.cost}};
  if (below != BothSides{}) graph.edges.push_back({kShared, kLeaf, {2, 2}, below});
  index_edges(graph);
  return graph;
}

bool can_split(const FlowGraph& graph) { return splittable(graph, flow_components(graph))[kShared]; }

TEST(SplittableTest, AHubOfManyEdgesIsNot) {
  const auto hub = [](uint32_t callees) {
    FlowGraph graph = priced({{10, 10}, {2 * callees, 2 * callees}}, {{10, 10}, {4 * callees, 4 * callees}});
    for (uint32_t i = 0; i < callees; ++i) {
      graph.nodes.push_back({{1, 1}, {}});
      graph.edges.push_back({kShared, static_cast<uint32_t>(graph.nodes.size() - 1), {1, 1}, {1, 1}});
    }
    graph.nodes[kShared].self = {5 * callees, 5 * callees};
    index_edges(graph);
    return can_split(graph);
  };
  EXPECT_TRUE(hub(10'000)) << "twice as many, for two callers";
  EXPECT_FALSE(hub(10'001));
}

CallerPrices prices_of(const FlowGraph& graph) {
  return caller_prices(graph, splittable(graph, flow_components(graph)));
}

TEST(CallerPricesTest, OfOneCallToo) {
  const CallerPrices prices = prices_of(priced({{1, 2}, {1, 4}}, {{1, 2}, {3, 4}}));
  EXPECT_EQ(prices.parts[0], (std::vector<long double>{1, 1, 0.5L, 1.5L}));
  EXPECT_EQ(prices.parts[1], (std::vector<long double>{1, 1, 1, 1}));
}

TEST(CallerPricesTest, WhereACallerHasNoCallsItsPriceIsTheOtherSides) {
  const CallerPrices prices = prices_of(priced({{10, 0}, {100, 0}}, {{10, 20}, {300, 500}}));
  EXPECT_EQ(prices.parts[0], (std::vector<long double>{1, 1, 0.5L, 1.5L}));
  EXPECT_EQ(prices.parts[1], (std::vector<long double>{1, 1, 0.5L, 1}));
}

/// first and second pay 1 to 3 in base, 1 to 1 in head, of a function that calls another one.
CallerPrices shared(const BothSides& calls_of_first) {
  return prices_of(priced({calls_of_first, {1000, 2000}}, {{1000, 1000}, {3000, 2000}}, {1, 1}));
}

TEST(CallerPricesTest, CallersThatCallAsOftenAsBeforeShareAlike) {
  const CallerPrices alike = shared({1000, 1000});
  for (const size_t side : {0, 1}) {
    EXPECT_EQ(alike.parts[side][2], 0.75L) << "the mean of 0.5 and 1";
    EXPECT_EQ(alike.parts[side][3], 1.25L);
  }
  EXPECT_EQ(shared({1000, 1011}).parts[0][2], 0.5L) << "more than a hundredth more";
  EXPECT_EQ(shared({1011, 1000}).parts[1][2], 1) << "or fewer";
}

TEST(CallerPricesTest, WhateverItsNumber) {
  FlowGraph graph;
  graph.nodes.resize(5);
  graph.nodes[0].self = {3999, 3999};
  graph.nodes[3].entries = {1, 1};
  graph.nodes[4].self = {1, 1};
  graph.edges = {{0, 4, {2, 2}, {1, 1}},
                 {1, 0, {1000, 1000}, {1000, 2000}},
                 {2, 0, {1000, 1000}, {3000, 2000}},
                 {3, 1, {1, 1}, {1000, 2000}},
                 {3, 2, {1, 1}, {3000, 2000}}};
  index_edges(graph);
  const CallerPrices prices = prices_of(graph);
  for (const size_t side : {0, 1}) EXPECT_EQ(prices.parts[side], (std::vector<long double>{1, 0.75L, 1.25L, 1, 1}));
}

TEST(CallerPricesTest, SharesStillComeToTheWhole) {
  for (const int64_t calls : {990, 1000, 1010}) {
    const CallerPrices prices = shared({1000, calls});
    EXPECT_NE(prices.parts[0][2], 0.5L);
    EXPECT_NE(prices.parts[0][2], 1);
    const auto of_first = static_cast<long double>(calls);
    EXPECT_NEAR(static_cast<double>(prices.parts[0][2] + prices.parts[0][3]), 2, 1e-12);
    EXPECT_NEAR(static_cast<double>(of_first * prices.parts[1][2] + 1000 * prices.parts[1][3]),
                static_cast<double>(of_first + 1000), 1e-9);
  }
}

TEST(CallerPricesTest, WhereTheOriginOfCallsIsKnownItTellsThePrice) {
  // Only the second's calls lead to the leaf, which costs 200 of their 300.
  const CallerPrices prices = prices_of(priced({{10, 10}, {100, 100}}, {{10, 10}, {300, 300}}, {200, 200}));
  EXPECT_EQ(prices.origins, (std::vector<uint32_t>{kAnyCaller, kAnyCaller, kAnyCaller, kAnyCaller, 3}));
  for (const size_t side : {0, 1}) EXPECT_EQ(prices.parts[side], std::vector<long double>(5, 1));
}

/// The table of the graph itself: what costs 8 per call in base and 16 in head, and calls once per call.
FlowTable whole_table(const FlowGraph& graph) {
  FlowTable table;
  table.components = flow_components(graph);
  for (const size_t side : {0, 1}) {
    table.own[side].assign(graph.nodes.size(), side == 0 ? 8 : 16);
    table.rates[side].assign(graph.edges.size(), side == 0 ? 1 : 2);
  }
  return table;
}

class SplitByCallersTest : public testing::Test {
 protected:
  FlowGraph graph_ = priced({{10, 10}, {100, 100}}, {{10, 10}, {300, 300}}, {40, 40});
  FlowTable split(const CallerPrices& prices, bool shared = true) const {
    FlowTable whole = whole_table(graph_);
    whole.sources = {{kRoot, {1, 1}, TermKind::kEntry, kRoot}, {kShared, {3, 4}, TermKind::kCalls, 3}};
    std::vector<bool> of(graph_.nodes.size(), false);
    of[kShared] = shared;
    return split_by_callers(graph_, whole, of, prices);
  }
  CallerPrices prices_ = {{std::vector<long double>{1, 1, 0.5L, 1.5L, 1}, {1, 1, 0.25L, 1.75L, 1}},
                          std::vector<uint32_t>(5, kAnyCaller)};
};

TEST_F(SplitByCallersTest, EachNodeCallsItsShare) {
  const FlowTable table = split(prices_);
  EXPECT_EQ(table.shape.first_edge, (std::vector<uint32_t>{0, 2, 3, 4, 4, 5, 6}));
  EXPECT_EQ(table.shape.callee, (std::vector<uint32_t>{1, 2, 4, 5, 3, 3}));
  EXPECT_EQ(table.edge_of, (std::vector<uint32_t>{0, 1, 2, 3, 4, 4}));
  EXPECT_EQ(table.rates[0], (std::vector<long double>{1, 1, 1, 1, 0.5L, 1.5L}));
  EXPECT_EQ(table.rates[1], (std::vector<long double>{2, 2, 2, 2, 0.5L, 3.5L}));
  EXPECT_EQ(table.components.count(), 6u);
  EXPECT_EQ(std::set<uint32_t>(table.components.of.begin(), table.components.of.end()).size(), 6u);
  EXPECT_EQ(table.components.sizes, std::vector<uint32_t>(6, 1));
  for (uint32_t i = 0; i < table.node_of.size(); ++i)
    for (uint32_t e = table.shape.first_edge[i]; e < table.shape.first_edge[i + 1]; ++e)
      EXPECT_LT(table.components.of[table.shape.callee[e]], table.components.of[i]) << "callees first";
}

TEST_F(SplitByCallersTest, WhereTheOriginOfCallsIsKnownOneNodeMakesThem) {
  prices_.origins[4] = 2;  // all that first had it call
  FlowTable table = split(prices_);
  EXPECT_EQ(table.rates[0][4], 0.2L) << "2 calls for 10";
  EXPECT_EQ(table.rates[0][5], 0);
  graph_.edges[2].calls = {10, 0};
  table = split(prices_);
  EXPECT_EQ(table.rates[1][4], 0.2L) << "the other side's, where that caller does not call";
  table = split(prices_, false);
  EXPECT_EQ(table.rates[0].back(), 1) << "a function that is not split";
}

TEST_F(SplitByCallersTest, OnlyOneEdgeByWhichANodeIsCalled) {
  EXPECT_EQ(split(prices_, false).caller_edge,
            (std::vector<uint32_t>{FlowTable::kAllCallers, 0, 1, FlowTable::kAllCallers, 4}));
  graph_.edges[3].calls = {0, 0};
  EXPECT_EQ(split(prices_, false).caller_edge[kShared], 2u) << "an edge without calls is none";
  graph_.nodes[kLeaf].entries = {0, 1};
  EXPECT_EQ(split(prices_, false).caller_edge[kLeaf], FlowTable::kAllCallers) << "it is entered, too";
}

}  // namespace
}  // namespace icount
