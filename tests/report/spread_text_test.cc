// How far the repeats of a count are apart, in words and in JSON.
#include "icount/report/spread_text.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

Result counted(std::vector<int64_t> counts) {
  Result result;
  result.counts = std::move(counts);
  return result;
}

TEST(SpreadTextTest, SmallSharesKeepTheirFirstDigitAndLargeOnesAreWhole) {
  EXPECT_EQ(describe_spread(counted({1926248, 1926197, 1926248})), "moves by 51 (0.003 %)");
  EXPECT_EQ(describe_spread(counted({1000, 1120, 1000})), "moves by 120 (12 %)");
  EXPECT_EQ(describe_spread(counted({49905, 49905, 7244490})), "moves by 7,194,585 (14,417 %)");
  EXPECT_EQ(describe_spread(counted({0, 0, 5})), "moves by 5 (0 %)");
}

TEST(SpreadTextTest, JsonHasTheSmallestAndTheLargest) {
  EXPECT_EQ(dump_json(spread_to_json(counted({7, 3, 5})), -1), R"({"min":3,"max":7})");
}

}  // namespace
}  // namespace icount
