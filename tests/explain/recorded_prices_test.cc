// Which recorded costs are used in place of an average, and what of it is left for the other calls
// (explain/flow/edge_prices.h), on tables that are written down.
#include "icount/explain/flow/edge_prices.h"

#include <gtest/gtest.h>

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

TEST_F(RecordedPricesTest, SeveralCallsOfTheCallerCostAsOften) {
  make(3500);
  table_.rates[1][kToCopy] = 2;
  ASSERT_TRUE(price());
  EXPECT_EQ(table_.recorded[0].cost_per_call, 7000);
  EXPECT_EQ(table_.own[1][kTake], 10 * 0.6L) << "600 of 1,200, of the 1,000 that are left";
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

TEST_F(RecordedPricesTest, NoFunctionHasLessThanNoCostLeft) {
  EXPECT_TRUE(is_used(11'500)) << "all of 1,100 calls";
  EXPECT_EQ(table_.own[0][kTake], 0);
  EXPECT_FALSE(is_used(11'501));
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
  EXPECT_TRUE(stays([&] { table_.detours.push_back({kTake, kToCopy, 4, 1, 0}); })) << "through it";
  EXPECT_TRUE(stays([&] { table_.detours.push_back({kTake, 4, kToCopy, 1, 0}); })) << "or beside it";
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

TEST_F(RecordedPricesTest, ANodeOfTheTableMayBeAnotherOfTheGraph) {
  make(3500);
  // The table's edges in another order than the graph's.
  std::swap(graph_.edges[kToCopy], graph_.edges[1]);
  std::swap(table_.edge_of[kToCopy], table_.edge_of[1]);
  ASSERT_TRUE(price());
  EXPECT_EQ(table_.recorded[0].edge, kToCopy);
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

TEST_F(RecordedPricesInCyclesTest, WhatACallWithinOneCostsIsNoneOfItsOwnOverAgain) {
  // 680 is 400 of its own and eight evaluations at 35 where the average is 25: those by main cost 17.
  for (const size_t side : {1, 0}) {
    ASSERT_TRUE(price(side, 2, 680));
    ASSERT_EQ(table_.recorded.size(), 1u);
    EXPECT_EQ(table_.recorded[0].edge, kEvalRuns);
    EXPECT_NEAR(static_cast<double>(table_.recorded[0].cost_per_call), 68, 1e-9) << "ten evaluations take all of it";
    EXPECT_NEAR(static_cast<double>(table_.own[side][kEval]), 3.4, 1e-9);
    EXPECT_NEAR(static_cast<double>(table_.own[side][kLook]), 6.8, 1e-9);
    EXPECT_EQ(table_.rates[side][kEvalRuns], 0);
  }
}

TEST_F(RecordedPricesInCyclesTest, ARecursionIsRecordedOverAndOver) {
  EXPECT_TRUE(price(1, 2, 680)) << "by the average four of nine are made below others";
  EXPECT_FALSE(price(1, 3, 820)) << "six of eleven";
}

}  // namespace
}  // namespace icount
