#include "icount/stats/iteration_slopes.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

Result counted(int64_t iterations, double slope) {
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
  const Result base = counted(100, 199'000), head = counted(10, 201'000.26);
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
  Result base = counted(100, 5), head = counted(10, 5);
  EXPECT_FALSE(slope_pair({base, facts(100)}, {base, facts(100)})) << "they are alike";
  EXPECT_FALSE(slope_pair({base, {}}, {head, {}})) << "the user chose the runs of a statement";
  head.slope.reset();
  EXPECT_FALSE(slope_pair({base, facts(100)}, {head, facts(10)}));
  EXPECT_EQ(comparable_runs({base, facts(100)}, {head, facts(10)}).refusals,
            (std::vector<std::string>{"number differs: 100 against 10", "number of runs differs: 100 against 10"}));
}

}  // namespace
}  // namespace icount
