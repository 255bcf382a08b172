#include "icount/stats/python_text.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

// Answers as CPython 3.11 gives them.
TEST(PythonTextTest, DedentCountsBlanksAndTabsOnly) {
  EXPECT_EQ(python_dedent("  a\n    b\n\n  \t\n  c"), "a\n  b\n\n\nc");
  EXPECT_EQ(python_dedent("\ta\n  b"), "\ta\n  b");
  EXPECT_EQ(python_dedent("  a\n\r\n  b"), "  a\n\r\n  b");
  EXPECT_EQ(python_dedent(""), "");
  EXPECT_EQ(python_dedent("   "), "");
}

TEST(PythonTextTest, SplitlinesKnowsEveryLineEnd) {
  EXPECT_EQ(python_splitlines("a\nb\r\nc\rd\ve\ff\x1cg\xc2\x85h\xe2\x80\xa8i\n"),
            (std::vector<std::string_view>{"a", "b", "c", "d", "e", "f", "g", "h", "i"}));
  EXPECT_EQ(python_splitlines("a\r\n\nb", true), (std::vector<std::string_view>{"a\r\n", "\n", "b"}));
  EXPECT_TRUE(python_splitlines("").empty());
}

TEST(PythonTextTest, StripRemovesUnicodeWhiteSpaceAndNothingElse) {
  EXPECT_EQ(python_strip(" \xc2\xa0\xe3\x80\x80 a b \x1f\n"), "a b");
  EXPECT_EQ(python_rstrip(" a\xe2\x80\x8b"), " a\xe2\x80\x8b");
  EXPECT_EQ(python_strip(" \xa0 "), "\xa0");
}

TEST(PythonTextTest, IndentLeavesBlankLinesAlone) { EXPECT_EQ(python_indent("a\n \n\nb", "  "), "  a\n \n\n  b"); }

TEST(PythonTextTest, CenterPutsTheOddBlankWherePythonDoes) {
  EXPECT_EQ(python_center("ab", 5), "  ab ");
  EXPECT_EQ(python_center("abc", 6), " abc  ");
  EXPECT_EQ(python_center("abc", 2), "abc");
  EXPECT_EQ(python_center("\xc3\xa4", 3, '-'), "-\xc3\xa4-");
  EXPECT_EQ(python_ljust("\xc3\xa4", 3), "\xc3\xa4  ");
  EXPECT_EQ(python_rjust("\xc3\xa4", 3), "  \xc3\xa4");
}

TEST(PythonTextTest, CodePointsAreCutWhole) {
  EXPECT_EQ(code_points("a\xc3\xa4\xe2\x82\xac z", 1, 3), "\xc3\xa4\xe2\x82\xac");
  EXPECT_EQ(code_points("ab", 1, 9), "b");
  EXPECT_EQ(code_points("ab", 2, 9), "");
  EXPECT_EQ(code_point_count("a\xc3\xa4\xff"), 3u);
}

TEST(PythonTextTest, BytesThatStartNoCodePointStandAlone) {
  EXPECT_EQ(code_point_count("\x80\x80"), 2u);
  EXPECT_EQ(code_point_count("\xe0\xa0\x80"), 1u);
  EXPECT_EQ(code_point_count("\xf4\x80\x80\x80"), 1u);
  EXPECT_EQ(code_point_count("\xf5\x80\x80\x80"), 4u);
  EXPECT_EQ(python_splitlines(std::string_view("a\r\n").substr(0, 2), true), (std::vector<std::string_view>{"a\r"}));
}

TEST(PythonTextTest, ALineEndAtTheEndBeginsNoLine) {
  EXPECT_EQ(python_splitlines("a\r"), (std::vector<std::string_view>{"a"}));
  EXPECT_EQ(python_splitlines("a\r", true), (std::vector<std::string_view>{"a\r"}));
  EXPECT_EQ(python_splitlines("a\n\r", true), (std::vector<std::string_view>{"a\n", "\r"}));
  EXPECT_EQ(python_splitlines("\r\n"), (std::vector<std::string_view>{""}));
}

}  // namespace
}  // namespace icount
