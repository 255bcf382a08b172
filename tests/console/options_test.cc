#include "icount/console/options.h"

#include <gtest/gtest.h>

#include "icount/base/error.h"

namespace icount {
namespace {

using Words = std::vector<std::string>;

constexpr OptionSpec kTable[] = {
    {"", "", "a heading"},
    {"top", "N", "rows"},
    {"format", "text|json", "form"},
    {"stmt", "CODE", "code", true},
    {"raw", "", "raw"},
    {"out,o", "FILE", "file"},
    {"limit", "SECONDS", "limit"},
    {"cxxflag", "FLAG", "flag", true},
};

CommandSpec make_command(bool takes_program = false) {
  return {.name = "demo",
          .arguments = "FILE",
          .options = kTable,
          .min_arguments = 1,
          .max_arguments = 1,
          .takes_program = takes_program};
}

std::string problems_of(const ParsedOptions& parsed) {
  try {
    parsed.check();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return "";
}

TEST(OptionsTest, ValuesSwitchesAndArguments) {
  const ParsedOptions parsed =
      parse_options(make_command(), {"--top", "5", "in.out", "--raw", "--stmt=a", "--stmt", "b", "-o", "f"});
  EXPECT_EQ(parsed.integer("top", 9, 0, 10), 5);
  EXPECT_TRUE(parsed.has("raw"));
  EXPECT_EQ(parsed.texts("stmt"), (Words{"a", "b"}));
  EXPECT_EQ(parsed.text("out"), "f");
  EXPECT_EQ(parsed.arguments(), Words{"in.out"});
  EXPECT_EQ(parsed.choice("format", {"text", "json"}), 0u);
  EXPECT_EQ(problems_of(parsed), "");
}

TEST(OptionsTest, EveryProblemIsSaidAtOnce) {
  const ParsedOptions parsed =
      parse_options(make_command(), {"--tpo", "--top=x", "--raw=1", "--format", "xml", "--limit", "-1", "--out"});
  parsed.integer("top", 9, 0, 10);
  parsed.choice("format", {"text", "json"});
  parsed.seconds("limit", 0);
  EXPECT_EQ(problems_of(parsed),
            "option '--raw' takes no value\n"
            "option '--out' needs a value\n"
            "unknown option '--tpo'; did you mean '--top'?\n"
            "--top x: not a whole number between 0 and 10\n"
            "--format xml: must be one of text, json\n"
            "--limit -1: not a time like 90, 1.5s, 500ms or 2m\n"
            "see 'icount demo --help'");
}

TEST(OptionsTest, ArgumentsAreCounted) {
  EXPECT_EQ(problems_of(parse_options(make_command(), {})), "FILE missing\nsee 'icount demo --help'");
  EXPECT_EQ(problems_of(parse_options(make_command(), {"a", "b"})),
            "unexpected argument 'b'\nsee 'icount demo --help'");
  EXPECT_EQ(problems_of(parse_options(make_command(), {"a", "--top", "1", "--top", "2"})),
            "option '--top' is given twice\nsee 'icount demo --help'");
}

TEST(OptionsTest, AnOptionWithoutItsValueIsSaidOnceAndTheOneWithAValueKept) {
  for (const Words& words :
       {Words{"a", "--top", "5", "--top"}, Words{"a", "--top=5", "--top"}, Words{"a", "--top=", "--top=5"}}) {
    const ParsedOptions parsed = parse_options(make_command(), words);
    EXPECT_EQ(problems_of(parsed), "option '--top' needs a value\nsee 'icount demo --help'");
    EXPECT_EQ(parsed.integer("top", 9, 0, 10), 5);
  }
  EXPECT_EQ(problems_of(parse_options(make_command(), {"a", "--raw", "--raw=1"})),
            "option '--raw' takes no value\nsee 'icount demo --help'");
}

TEST(OptionsTest, NamesAreNotGuessedFromTheirBeginning) {
  EXPECT_EQ(problems_of(parse_options(make_command(), {"a", "--form", "json"})),
            "unknown option '--form'; did you mean '--format'?\nsee 'icount demo --help'");
}

TEST(OptionsTest, NamesOfOtherToolsLeadToOurs) {
  EXPECT_EQ(problems_of(parse_options(make_command(), {"a", "--threshold=1", "-I.", "--html=y", "-q"})),
            "unknown option '--threshold'; did you mean '--limit'?\n"
            "unknown option '-I.'; did you mean '--cxxflag=-I.'?\n"
            "unknown option '--html'; `icount report` writes a page of HTML\n"
            "unknown option '-q'; progress goes to standard error: 2>/dev/null hides it\n"
            "see 'icount demo --help'");
}

TEST(OptionsTest, AnotherNameOfTheSameOptionIsTaken) {
  const ParsedOptions parsed = parse_options(make_command(), {"a", "--output=--output"});
  EXPECT_EQ(parsed.text("out"), "--output");
  EXPECT_EQ(parse_options(make_command(), {"a", "--output", "b"}).text("out"), "b");
}

TEST(OptionsTest, WhatFollowsTheDashesIsTheProgram) {
  const ParsedOptions parsed = parse_options(make_command(true), {"a", "--", "prog", "--top", "--"});
  EXPECT_EQ(parsed.program(), (Words{"prog", "--top", "--"}));
  EXPECT_EQ(problems_of(parsed), "");
  EXPECT_EQ(parse_options(make_command(false), {"--", "-odd-name"}).arguments(), Words{"-odd-name"});
}

TEST(OptionsTest, AValueMayBeginWithADash) {
  const ParsedOptions parsed = parse_options(make_command(), {"a", "--stmt", "-x;", "--stmt", "--y;"});
  EXPECT_EQ(parsed.texts("stmt"), (Words{"-x;", "--y;"}));
  EXPECT_EQ(problems_of(parsed), "");
}

TEST(OptionsTest, SecondsAndLists) {
  const auto seconds = [](const char* text) {
    return parse_options(make_command(), {"a", "--limit", text}).seconds("limit", 7);
  };
  EXPECT_EQ(seconds("90"), 90);
  EXPECT_EQ(seconds("1.5s"), 1.5);
  EXPECT_EQ(seconds("500ms"), 0.5);
  EXPECT_EQ(seconds("2m"), 120);
  EXPECT_EQ(seconds("nan"), 7);
  EXPECT_EQ(parse_options(make_command(), {"a", "--top", "1,2,4"}).integers("top", 1, 8),
            (std::vector<int64_t>{1, 2, 4}));
  const ParsedOptions bad = parse_options(make_command(), {"a", "--top", "1,,4"});
  bad.integers("top", 1, 8);
  EXPECT_EQ(problems_of(bad), "--top 1,,4: '' is not a whole number between 1 and 8\nsee 'icount demo --help'");
}

}  // namespace
}  // namespace icount
