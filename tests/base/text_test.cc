#include <gtest/gtest.h>

#include "icount/base/json.h"
#include "icount/base/text.h"
#include "icount/base/text_encodings.h"

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

/// Length and value of what begins a text.
std::pair<size_t, uint32_t> first(std::string_view text) {
  const CodePoint found = decode_utf8(text, 0);
  return {found.length, found.value};
}
using Decoded = std::pair<size_t, uint32_t>;
constexpr Decoded kNone{0, 0};

TEST(DecodeUtf8Test, TheFirstAndLastOfEveryLength) {
  EXPECT_EQ(first(std::string_view("\0", 1)), Decoded(1, 0));
  EXPECT_EQ(first("\x7F"), Decoded(1, 0x7F));
  EXPECT_EQ(first("\xC2\x80"), Decoded(2, 0x80));
  EXPECT_EQ(first("\xDF\xBF"), Decoded(2, 0x7FF));
  EXPECT_EQ(first("\xE0\xA0\x80"), Decoded(3, 0x800));
  EXPECT_EQ(first("\xEF\xBF\xBF"), Decoded(3, 0xFFFF));
  EXPECT_EQ(first("\xF0\x90\x80\x80"), Decoded(4, 0x10000));
  EXPECT_EQ(first("\xF4\x8F\xBF\xBF"), Decoded(4, 0x10FFFF));
}

TEST(DecodeUtf8Test, WhatBeginsNoCodePoint) {
  EXPECT_EQ(first("\x80"), kNone) << "a byte that goes on";
  EXPECT_EQ(first("\xBF\x80"), kNone);
  EXPECT_EQ(first("\xC0\x80"), kNone) << "overlong";
  EXPECT_EQ(first("\xC1\xBF"), kNone);
  EXPECT_EQ(first("\xE0\x9F\xBF"), kNone);
  EXPECT_EQ(first("\xF0\x8F\xBF\xBF"), kNone);
  EXPECT_EQ(first("\xF4\x90\x80\x80"), kNone) << "beyond the last";
  EXPECT_EQ(first("\xF5\x80\x80\x80"), kNone);
  EXPECT_EQ(first("\xFF"), kNone);
}

TEST(DecodeUtf8Test, SurrogatesAreNone) {
  EXPECT_EQ(first("\xED\x9F\xBF"), Decoded(3, 0xD7FF));
  EXPECT_EQ(first("\xED\xA0\x80"), kNone);
  EXPECT_EQ(first("\xED\xBF\xBF"), kNone);
  EXPECT_EQ(first("\xEE\x80\x80"), Decoded(3, 0xE000));
}

TEST(DecodeUtf8Test, ASequenceThatEndsTooEarly) {
  EXPECT_EQ(first("\xC3"), kNone);
  EXPECT_EQ(first("\xE2\x82"), kNone);
  EXPECT_EQ(first("\xE2\x82z"), kNone);
  EXPECT_EQ(first("\xF0\x9F\x98"), kNone);
  EXPECT_EQ(first("\xC3\xC3"), kNone);
}

TEST(DecodeUtf8Test, AtAPlaceInTheText) {
  EXPECT_EQ(decode_utf8("a\xC3\xA4", 1).value, 0xE4u);
  EXPECT_EQ(decode_utf8("a\xC3\xA4", 2).length, 0u);
}

TEST(WithValidUtf8Test, EveryStrayByteBecomesTheReplacementCharacter) {
  EXPECT_EQ(with_valid_utf8("a\xC3\xA4\xE2\x82\xAC"), "a\xC3\xA4\xE2\x82\xAC");
  EXPECT_EQ(with_valid_utf8("a\xFF"), "a\xEF\xBF\xBD");
  EXPECT_EQ(with_valid_utf8("\xE2\x82"), "\xEF\xBF\xBD\xEF\xBF\xBD") << "two bytes of three";
  EXPECT_EQ(with_valid_utf8("\xC3z"), "\xEF\xBF\xBDz");
  EXPECT_EQ(with_valid_utf8(""), "");
}

TEST(HexValueTest, DigitsOfEitherCase) {
  const std::string digits = "0123456789abcdefABCDEF";
  for (size_t i = 0; i < digits.size(); ++i) EXPECT_EQ(hex_value(digits[i]), static_cast<int>(i < 16 ? i : i - 6));
  for (const char c : {'/', ':', '`', 'g', '@', 'G', ' ', '\0', '\xFF'}) EXPECT_EQ(hex_value(c), -1) << c;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  replace_all(text, from, to);
  return text;
}

TEST(ReplaceAllTest, EveryPlaceFromLeftToRight) {
  EXPECT_EQ(replaced("a-b-c", "-", "+"), "a+b+c");
  EXPECT_EQ(replaced("aaa", "aa", "b"), "ba");
  EXPECT_EQ(replaced("abab", "ab", ""), "");
  EXPECT_EQ(replaced("none", "x", "y"), "none");
  EXPECT_EQ(replaced("", "x", "y"), "");
}

TEST(ReplaceAllTest, WhatWasPutInIsNotLookedAtAgain) {
  EXPECT_EQ(replaced("a", "a", "aa"), "aa");
  EXPECT_EQ(replaced("aXb", "X", "XX"), "aXXb");
  EXPECT_EQ(replaced("aab", "ab", "b"), "ab") << "nor together with what stood before it";
}

TEST(EditDistanceTest, InsertionsDeletionsAndReplacements) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("same", "same"), 0u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("flaw", "lawn"), 2u);
  EXPECT_EQ(edit_distance("ab", "ba"), 2u) << "no transpositions";
  EXPECT_EQ(edit_distance("sunday", "saturday"), edit_distance("saturday", "sunday"));
}

TEST(NearestWordTest, OnlyWhatIsNear) {
  EXPECT_EQ(nearest_word("shwo", {"show", "diff"}), "show");
  EXPECT_EQ(nearest_word("xyzzy", {"show", "diff"}), "");
  EXPECT_EQ(nearest_word("--call", {"--callers", "--top"}), "--callers");
  EXPECT_EQ(nearest_word("--output", {"--top", "--out"}), "--out");
  EXPECT_EQ(nearest_word("stmt", {"cpp_stmt", "label", "py_stmt"}), "cpp_stmt");
  EXPECT_EQ(nearest_word("--to", {"--torch-dirs"}), "") << "two letters begin many words";
}

/// GitHub's runner takes blanks of every kind away before it looks for "::".
TEST(LogSafetyTest, NoLineBeginsWithACommandWhateverShowsNothingBeforeIt) {
  for (const char* blank :
       {"", " ", "\u00a0", "\u3000", "\u1680", "\u2003", "\u202f", "\u205f", "\u200b", "\u200d", "\u2060", "\ufeff",
        "\u00ad", "\u180e", "\u2800", "\u3164", "\ufe0f", " \u00a0\u3000\u200b "}) {
    const std::string text = std::string(blank) + "::set-env name=PATH::/evil";
    EXPECT_EQ(escape_for_terminal(text), std::string(blank) + "\\x3a:set-env name=PATH::/evil");
    EXPECT_EQ(without_line_command(text), escape_for_terminal(text));
  }
  EXPECT_EQ(escape_for_terminal("\u2028::x\u2029"), "\\u{2028}::x\\u{2029}");
  EXPECT_EQ(escape_for_terminal("\n::x"), "\\x0a::x");
  EXPECT_EQ(escape_for_terminal("ns::f \u00a0::g"), "ns::f \u00a0::g");
}

TEST(LogSafetyTest, JsonMeansTheSame) {
  const std::string name = "\u009b31m \u007f \u2028\u2029\u202e \u0085 #1 ##[error] ##vso[x] \u00e9\u3000";
  const Json value = {{"name", name}};
  const std::string text = dump_json(value, 2);
  EXPECT_EQ(text,
            "{\n  \"name\": \"\\u009b31m \\u007f \\u2028\\u2029\\u202e \\u0085 #1 \\u0023#[error] \\u0023#vso[x] "
            "\u00e9\u3000\"\n}");
  EXPECT_EQ(parse_json(text, "text"), value);
}

TEST(LogSafetyTest, PlainJsonStaysAsItIs) {
  for (const char* json : {"{}", "[1, \"\u00e4\u20ac\", \"a##b\"]\n", ""}) EXPECT_EQ(json_for_logs(json), json);
}

TEST(LogSafetyTest, WhatTurnsTheDirectionOrBreaksTheLineIsNotPrinted) {
  for (const uint32_t c :
       {0x00, 0x1F, 0x7F, 0x9F, 0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202E, 0x2066, 0x2069})
    EXPECT_TRUE(is_unprintable(c)) << std::hex << c;
  for (const uint32_t c : {0x20, 0x7E, 0xA0, 0x061B, 0x200D, 0x2010, 0x2027, 0x202F, 0x2065, 0x206A, 0x4E00})
    EXPECT_FALSE(is_unprintable(c)) << std::hex << c;
}

TEST(LogSafetyTest, BytesThatAreNoTextHideNothing) {
  EXPECT_EQ(hidden_prefix(" \xff::x"), 1u);
  EXPECT_EQ(without_line_command("\xff::x"), "\xff::x");
  EXPECT_EQ(json_for_logs("\"\xff ##teamcity[x]\""), "\"\xff \\u0023#teamcity[x]\"");
  EXPECT_EQ(hidden_prefix("   "), 3u);
}

}  // namespace
}  // namespace icount
