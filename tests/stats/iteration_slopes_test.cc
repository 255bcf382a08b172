#include <gtest/gtest.h>

#include "icount/stats/iteration_slopes.h"

namespace icount {
namespace {

Result sloped_result(int64_t iterations, double slope) {
  Result result;
  result.label = {"BM_x"};
  result.number_per_run = iterations;
  result.slope = slope;
  return result;
}

Fingerprint facts(int64_t iterations, std::string_view valgrind = "3.19.0") {
  Fingerprint facts;
  facts.set("valgrind", valgrind, FactClass::kRefuse);
  facts.set(kIterationsFact, std::to_string(iterations), FactClass::kRefuse);
  return facts;
}

TEST(IterationSlopesTest, CasesOfDifferentNumbersAreComparedByTheirSlopes) {
  const Result base = sloped_result(100, 199'000), head = sloped_result(10, 201'000.26);
  const auto pair = slope_pair({base, facts(100)}, {head, facts(10)});
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->base_count(), 1'990'000);
  EXPECT_EQ(pair->head_count(), 2'010'003);
  EXPECT_EQ(pair->difference(), "the numbers of iterations differ (100 against 10)");
  EXPECT_TRUE(comparable_runs({base, facts(100)}, {head, facts(10)}).comparable());
  EXPECT_EQ(comparable_runs({base, facts(100)}, {head, facts(10, "3.20.0")}).refusals,
            std::vector<std::string>{"valgrind differs: 3.19.0 against 3.20.0"});
}

TEST(IterationSlopesTest, OthersAreRefused) {
  Result base = sloped_result(100, 5), head = sloped_result(10, 5);
  EXPECT_FALSE(slope_pair({base, facts(100)}, {base, facts(100)})) << "they are alike";
  EXPECT_FALSE(slope_pair({base, {}}, {head, {}})) << "the user chose the runs of a statement";
  head.slope.reset();
  EXPECT_FALSE(slope_pair({base, facts(100)}, {head, facts(10)}));
  EXPECT_EQ(comparable_runs({base, facts(100)}, {head, facts(10)}).refusals,
            (std::vector<std::string>{"number differs: 100 against 10", "number of runs differs: 100 against 10"}));
}

Result counted_result(int64_t count, double slope, int64_t runs = 100) {
  Result result;
  result.number_per_run = runs;
  result.counts = {count};
  result.slope = slope;
  result.fixed = static_cast<double>(count) - static_cast<double>(runs) * slope;
  return result;
}

TEST(MarginalCostTest, WhatTheFirstRunsCostMoreIsSeen) {
  EXPECT_TRUE(depends_on_number(counted_result(75'700, 383)));
  EXPECT_TRUE(depends_on_number(counted_result(30'000, 383))) << "the first cost less";
  EXPECT_FALSE(depends_on_number(counted_result(39'100, 383))) << "the markers of Python";
  EXPECT_FALSE(depends_on_number(counted_result(405'863, 4'055.52)));
  EXPECT_FALSE(depends_on_number(counted_result(10'003'000, 100'000))) << "0.03 %";
  EXPECT_FALSE(depends_on_number(counted_result(75'700, 383, 1)));
  Result without = counted_result(75'700, 383);
  without.slope.reset();
  EXPECT_FALSE(depends_on_number(without));
}

TEST(MarginalCostTest, PairsAreComparedByWhatOneFurtherRunCosts) {
  const auto pair = marginal_pair(counted_result(75'700, 383), counted_result(63'200, 258));
  ASSERT_TRUE(pair.has_value());
  EXPECT_EQ(pair->base_count, 38'300);
  EXPECT_EQ(pair->head_count, 25'800);
  EXPECT_FALSE(marginal_pair(counted_result(39'100, 383), counted_result(26'600, 258)).has_value());
  EXPECT_FALSE(marginal_pair(counted_result(75'700, 383), counted_result(63'200, 258, 200)).has_value());
}

}  // namespace
}  // namespace icount
