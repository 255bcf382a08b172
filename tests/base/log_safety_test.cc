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

}  // namespace
}  // namespace icount
