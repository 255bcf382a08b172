#include "icount/report/text_style.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

using Lines = std::vector<std::string>;

TEST(WrapTest, BreaksBetweenWords) {
  EXPECT_EQ(wrap("one two three", 7), (Lines{"one two", "three"}));
  EXPECT_EQ(wrap("one two three", 13), (Lines{"one two three"}));
  EXPECT_EQ(wrap("one two three", 0), (Lines{"one two three"}));
  EXPECT_EQ(wrap("", 5), (Lines{""}));
}

TEST(WrapTest, CutsAWordThatIsTooLong) { EXPECT_EQ(wrap("a bcdefghij k", 4), (Lines{"a", "bcde", "fghi", "j k"})); }

TEST(WrapTest, CountsCodePointsNotBytes) { EXPECT_EQ(wrap("äö üß", 2), (Lines{"äö", "üß"})); }

TEST(PaintTest, OnlyWithColour) {
  EXPECT_EQ(paint("x", Tone::kBold, {.colour = true}), "\x1b[1mx\x1b[0m");
  EXPECT_EQ(paint("x", Tone::kBold, {}), "x");
  EXPECT_EQ(paint("x", Tone::kPlain, {.colour = true}), "x");
}

TEST(ToneTest, MoreIsWorse) {
  EXPECT_EQ(tone_of_change(1), Tone::kWorse);
  EXPECT_EQ(tone_of_change(-1), Tone::kBetter);
  EXPECT_EQ(tone_of_change(0), Tone::kPlain);
}

}  // namespace
}  // namespace icount
