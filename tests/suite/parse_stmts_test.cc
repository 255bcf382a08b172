#include "icount/suite/parse_stmts.h"

#include "icount/base/error.h"

namespace icount {
namespace {

const std::string kHeader =
    "Python                                   | C++\n"
    "---------------------------------------- | ----------------------------------------\n";

TEST(ParseStmtsTest, SplitsTheColumnsAndKeepsTheLeftOnesTrailingBlanks) {
  SideBySide both = parse_stmts("\n" + kHeader +
                                "x += 1                                   | x += 1;\n"
                                "                                         |\n"
                                "y = f(x)                                 |   auto y = f(x);\n");
  EXPECT_EQ(both.python,
            "x += 1                                  \n                                        \ny = f(x)              "
            "                  ");
  EXPECT_EQ(both.cpp, "x += 1;\n\n  auto y = f(x);");
}

TEST(ParseStmtsTest, AnIndentedTableIsTheSameTable) {
  SideBySide both = parse_stmts(
      "    Python                                   | C++\n"
      "    ---------------------------------------- | ----------------------------------------\n"
      "    a                                        | b;\n");
  EXPECT_EQ(both.cpp, "b;");
  EXPECT_EQ(both.python.size(), 40u);
}

TEST(ParseStmtsTest, ColumnsAreCharactersNotBytes) {
  SideBySide both = parse_stmts(kHeader + "s = \"h\xC3\xA9\"                                 | b;\n");
  EXPECT_EQ(both.cpp, "b;");
}

TEST(ParseStmtsTest, ABarInTheCodeIsCode) {
  SideBySide both = parse_stmts(kHeader + "a | b                                    | a | b;\n");
  EXPECT_EQ(both.cpp, "a | b;");
}

TEST(ParseStmtsTest, AllBadRowsAreReportedWithTheirPlace) {
  std::vector<RowProblem> problems;
  parse_stmts("\n" + kHeader +
                  "x += 1 | x += 1;\n"
                  "fine                                     | fine;\n"
                  "no bar at all\n"
                  "glued                                    |glued;\n",
              problems);
  ASSERT_EQ(problems.size(), 3u);
  EXPECT_EQ(problems[0].row, 3);
  EXPECT_EQ(problems[0].text, "side-by-side text: unequal columns, the Python half has 6 columns instead of 40");
  EXPECT_EQ(problems[1].row, 5);
  EXPECT_EQ(problems[1].text, "side-by-side text: no \" | \" after column 40");
  EXPECT_EQ(problems[2].row, 6);
  EXPECT_EQ(problems[2].text, "side-by-side text: a blank must follow the bar");
}

TEST(ParseStmtsTest, HeaderAndSeparatorMustBeWhole) {
  std::vector<RowProblem> problems;
  parse_stmts("Python | C++\n--- | ---\nx                                        | y;", problems);
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0].text,
            "side-by-side text: the first line is \"Python | C++\", it must be \"Python\" padded to 40 columns and \" "
            "| C++\"");
  EXPECT_EQ(problems[1].row, 1);
  // PyTorch's check lets a line pass of which either half is right.
  problems.clear();
  parse_stmts(
      "Python                                   | C++\n---------------------------------------- | --\nx                "
      "                        | y;",
      problems);
  EXPECT_EQ(problems.size(), 1u);
}

TEST(ParseStmtsTest, TooFewLinesThrowInTheShortForm) {
  try {
    parse_stmts(kHeader);
    FAIL() << "accepted a table without rows";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "row 1: side-by-side text: at least three lines are needed (header, separator, a row)");
  }
}

}  // namespace
}  // namespace icount
