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

/// The text was escaped as one: what stands in its middle may begin a line then.
TEST(WrapTest, NoLineBecomesACommandOfHostedCi) {
  EXPECT_EQ(wrap("aaa ::stop-commands::b", 8), (Lines{"aaa", "\\x3a:stop-c", "ommands:", ":b"}));
  EXPECT_EQ(wrap("aaaa::error::b", 4), (Lines{"aaaa", "\\x3a:er", "ror:", ":b"}));
  EXPECT_EQ(wrap("a \u00a0::b ::c", 5), (Lines{"a", "\u00a0\\x3a:b", "\\x3a:c"}));
}

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
