#include "icount/base/log_safety.h"

#include <gtest/gtest.h>

#include "icount/base/json.h"
#include "icount/base/text.h"

namespace icount {
namespace {

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
