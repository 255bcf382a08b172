#include "icount/base/checked.h"

#include <gtest/gtest.h>

#include "icount/base/error.h"

namespace icount {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

TEST(CheckedTest, ArithmeticInsideTheRangeIsPlain) {
  EXPECT_EQ(checked_add(kMax - 1, 1, "x"), kMax);
  EXPECT_EQ(checked_sub(kMin + 1, 1, "x"), kMin);
  EXPECT_EQ(checked_mul(-3, 7, "x"), -21);
}

TEST(CheckedTest, OverflowNamesWhatOverflowed) {
  try {
    checked_add(kMax, 1, "cost of Ir");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "cost of Ir overflows 64 bits");
    EXPECT_EQ(error.kind(), ErrorKind::kMalformed);
  }
  EXPECT_THROW(checked_sub(kMin, 1, "x"), Error);
  EXPECT_THROW(checked_mul(kMax, 2, "x"), Error);
}

TEST(CheckedTest, SaturatingAdditionHoldsAtBothEnds) {
  EXPECT_EQ(saturating_add(kMax, 5), kMax);
  EXPECT_EQ(saturating_add(kMin, -5), kMin);
  EXPECT_EQ(saturating_add(2, -5), -3);
}

}  // namespace
}  // namespace icount
