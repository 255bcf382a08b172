#include "icount/base/utf8.h"

#include <gtest/gtest.h>

#include "icount/base/hex.h"

namespace icount {
namespace {

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

}  // namespace
}  // namespace icount
