// Command lines as text and back, lines of what a program printed, and nouns with their numbers.
#include "icount/base/command_line.h"

#include <gtest/gtest.h>

#include "icount/base/text.h"
#include "support/error_of.h"

namespace icount {
namespace {

using Words = std::vector<std::string>;

TEST(SplitCommandTest, WordsAsAShellSplitsThem) {
  EXPECT_EQ(split_command("a  b\tc\nd"), (Words{"a", "b", "c", "d"}));
  EXPECT_EQ(split_command(""), Words{});
  EXPECT_EQ(split_command("  "), Words{});
  EXPECT_EQ(split_command("'a b' \"c d\""), (Words{"a b", "c d"}));
  EXPECT_EQ(split_command("a'b'\"c\"d"), (Words{"abcd"}));
  EXPECT_EQ(split_command("'' x \"\""), (Words{"", "x", ""}));
}

TEST(SplitCommandTest, Backslashes) {
  EXPECT_EQ(split_command("a\\ b \\'"), (Words{"a b", "'"}));
  EXPECT_EQ(split_command("'a\\b'"), (Words{"a\\b"})) << "nothing is special inside single quotes";
  EXPECT_EQ(split_command("\"a\\\"b\\\\c\\n\""), (Words{"a\"b\\c\\n"}));
  EXPECT_EQ(split_command("a\\\nb"), (Words{"ab"})) << "a line that goes on";
}

TEST(SplitCommandTest, AQuoteThatIsNotClosedIsAnError) {
  EXPECT_NE(error_of([] { split_command("a 'b"); }), "");
  EXPECT_NE(error_of([] { split_command("a \"b"); }), "");
}

TEST(ShellQuoteTest, IsReadBackAsItWas) {
  for (const Words& words :
       {Words{"a", "b c"}, Words{"it's", "\"", "$x", "a\\b", ""}, Words{"*?[", "~", "a;b&c|d", "#"},
        Words{"--flag=value", "a/b.c", "-"}, Words{"line\nbreak", "tab\t"}})
    EXPECT_EQ(split_command(shell_quote(words)), words) << shell_quote(words);
  EXPECT_EQ(shell_quote({"make", "-j2", "a/b.c"}), "make -j2 a/b.c") << "plain words stay plain";
}

TEST(EdgeLinesTest, TheFirstAndTheLastThatIsNotBlank) {
  EXPECT_EQ(first_line("  a b \nc"), "a b");
  EXPECT_EQ(first_line("a"), "a");
  EXPECT_EQ(first_line(""), "");
  EXPECT_EQ(last_line("a\n b \n\n  \n"), "b");
  EXPECT_EQ(last_line("a"), "a");
  EXPECT_EQ(last_line("\n \n"), "");
  EXPECT_EQ(last_line(""), "");
}

TEST(CountedTest, OneIsSingular) {
  EXPECT_EQ(counted(1, "run"), "1 run");
  EXPECT_EQ(counted(0, "run"), "0 runs");
  EXPECT_EQ(counted(2000, "run"), "2,000 runs");
  EXPECT_EQ(counted(-1, "run"), "-1 runs");
}

}  // namespace
}  // namespace icount
