#include <gtest/gtest.h>

#include <limits>

#include "icount/base/checked.h"
#include "icount/base/decimal.h"
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

std::string round_trip(std::string_view text) {
  const auto number = parse_decimal(text);
  return number ? to_text(*number) : "none";
}

TEST(DecimalTest, IsWrittenInItsShortestForm) {
  EXPECT_EQ(round_trip("0.30"), "0.3");
  EXPECT_EQ(round_trip("+007"), "7");
  EXPECT_EQ(round_trip(".5"), "0.5");
  EXPECT_EQ(round_trip("-5."), "-5");
  EXPECT_EQ(round_trip("-0.0"), "0");
  EXPECT_EQ(round_trip("12.5e-3"), "0.0125");
  EXPECT_EQ(round_trip("12.5e3"), "12500");
  EXPECT_EQ(to_text(Decimal(std::numeric_limits<int64_t>::min())), "-9223372036854775808");
  for (const char* wrong : {"", ".", "-", "e1", "1e", "1e401", "0x1", "nan", "inf", " 1", "1 ", "1,5", "--1", "1.2.3"})
    EXPECT_EQ(round_trip(wrong), "none") << wrong;
}

TEST(DecimalTest, IsComparedWithARatioWithoutRounding) {
  const auto is_less = [](std::string_view number, __int128 dividend, int64_t divisor) {
    return parse_decimal(number)->is_less_than_ratio(dividend, divisor);
  };
  EXPECT_FALSE(is_less("0.3", 3, 10));
  EXPECT_TRUE(is_less("0.2999999999999999999999999", 3, 10));
  EXPECT_FALSE(is_less("0.3000000000000000000000001", 3, 10));
  EXPECT_TRUE(is_less("0.3333333333333333333333333", 1, 3));
  EXPECT_FALSE(is_less("0.3333333333333333333333334", 1, 3));
  EXPECT_TRUE(is_less("9", 10, 1));
  EXPECT_FALSE(is_less("10", 9, 1));
  EXPECT_TRUE(is_less("-1", 0, 1));
  EXPECT_FALSE(is_less("0", -1, 7));
  EXPECT_TRUE(is_less("-0.15", -1, 7)) << "-0.1428...";
  EXPECT_FALSE(is_less("-0.14", -1, 7));
  EXPECT_FALSE(is_less("-0.5", -1, 2));
  EXPECT_FALSE(is_less("-2", -10, 1));
  EXPECT_TRUE(is_less("-10", -2, 1));
}

TEST(DecimalTest, Doubles) {
  EXPECT_EQ(to_text(parse_decimal("0.75")->doubled()), "1.5");
  EXPECT_EQ(to_text(parse_decimal("99.95")->doubled()), "199.9");
  EXPECT_EQ(to_text(parse_decimal("-5")->doubled()), "-10");
}

}  // namespace
}  // namespace icount
