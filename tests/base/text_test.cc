#include "icount/base/text.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

TEST(TextTest, SplitKeepsEmptyPieces) {
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string_view>{"a", "", "b"}));
  EXPECT_EQ(split("", ','), (std::vector<std::string_view>{""}));
  EXPECT_EQ(split_lines("a\n\nb\n"), (std::vector<std::string_view>{"a", "", "b"}));
  EXPECT_TRUE(split_lines("").empty());
}

TEST(TextTest, NumbersGetSeparatorsAndSigns) {
  EXPECT_EQ(with_thousands(0), "0");
  EXPECT_EQ(with_thousands(-1234567), "-1,234,567");
  EXPECT_EQ(with_thousands(999), "999");
  EXPECT_EQ(with_thousands(-100), "-100");
  EXPECT_EQ(with_thousands(std::numeric_limits<int64_t>::min()), "-9,223,372,036,854,775,808");
  EXPECT_EQ(with_sign(1000), "+1,000");
  EXPECT_EQ(with_sign(0), "0");
}

TEST(TextTest, WholeNumbersOnly) {
  EXPECT_EQ(parse_int64("-42"), -42);
  EXPECT_EQ(parse_int64("+42"), 42);
  for (const char* bad : {"", "+", "+-1", "4 ", "4.0", "9223372036854775808", "0x10"})
    EXPECT_EQ(parse_int64(bad), std::nullopt) << bad;
}

TEST(TextTest, TerminalEscapesAreMadeVisible) {
  EXPECT_EQ(escape_for_terminal("a\x1b[31mb\n"), "a\\x1b[31mb\\x0a");
  EXPECT_EQ(escape_for_terminal("\xff\xc3\xa9"), "\\xff\xc3\xa9");
  EXPECT_EQ(escape_for_terminal("\xe2\x80\xae"
                                "evil"),
            "\\u{202e}evil");
  EXPECT_EQ(escape_for_terminal("\xc2\x9b"
                                "31m"),
            "\\u{9b}31m");
}

TEST(TextTest, LinesStayLinesWhenEscaped) {
  EXPECT_EQ(escape_lines_for_terminal("a\x1b\n\nb\n"), "a\\x1b\n\nb\n");
  EXPECT_EQ(escape_lines_for_terminal(""), "");
}

TEST(TextTest, ShorteningCountsCodePointsAndKeepsBothEnds) {
  EXPECT_EQ(shorten_middle("abcdefghijklmnop", 11), "abc ... nop");
  EXPECT_EQ(shorten_middle("abc", 3), "abc");
  EXPECT_EQ(display_width("\xc3\xa9t\xc3\xa9"), 3u);
  EXPECT_EQ(display_width(shorten_middle(std::string(50, 'x') + "\xc3\xa9", 20)), 20u);
}

TEST(TextTest, CommonPrefixStopsAtTheShorterText) {
  EXPECT_EQ(common_prefix("/a/b", "/a/c/d"), 3u);
  EXPECT_EQ(common_prefix("abc", "ab"), 2u);
  EXPECT_EQ(common_prefix("ab", "abc"), 2u);
}

}  // namespace
}  // namespace icount
