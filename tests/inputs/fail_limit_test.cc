#include "icount/inputs/fail_limit.h"

#include <gtest/gtest.h>

#include "icount/base/error.h"

namespace icount {
namespace {

TEST(FailLimitTest, PercentOfBase) {
  const FailLimit limit = parse_fail_limit("0.5%");
  EXPECT_FALSE(exceeds(limit, 1000, 1005));
  EXPECT_TRUE(exceeds(limit, 1000, 1006));
  EXPECT_FALSE(exceeds(limit, 1000, 10));
  EXPECT_TRUE(exceeds(limit, 0, 1));
  EXPECT_TRUE(exceeds(parse_fail_limit("0%"), 1000, 1001));
}

TEST(FailLimitTest, Count) {
  const FailLimit limit = parse_fail_limit("10,000");
  EXPECT_FALSE(exceeds(limit, 0, 10'000));
  EXPECT_TRUE(exceeds(limit, 0, 10'001));
  EXPECT_FALSE(exceeds(limit, 10'001, 0));
}

TEST(FailLimitTest, AnythingElseIsAUsageError) {
  for (const char* text : {"", "%", "-1", "-1%", "1e5", "x", "0.5", "nan%", "inf%", "5%%"}) {
    try {
      parse_fail_limit(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      EXPECT_EQ(error.what(), "--fail-over " + std::string(text) + ": not a limit like 0.5% or 10000");
    }
  }
}

}  // namespace
}  // namespace icount
