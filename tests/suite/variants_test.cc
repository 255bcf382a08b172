#include "icount/suite/variants.h"

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

std::vector<Variant> parse(const std::string& python, const std::string& cpp) {
  std::vector<std::string> problems;
  GroupedVariants blocks;
  blocks.py_block = python;
  blocks.cpp_block = cpp;
  std::vector<Variant> variants = parse_variants(blocks, problems);
  EXPECT_TRUE(problems.empty()) << problems[0];
  return variants;
}

TEST(VariantsTest, LinesBelowANameArePairedByPosition) {
  auto variants = parse("# @add\nx += 1\nx += y\n", "// @add\nx += 1;\nx += y;\nx += z;\n");
  ASSERT_EQ(variants.size(), 3u);
  EXPECT_EQ(variants[0].key, (Label{"add", "Case:  0"}));
  EXPECT_EQ(variants[1].stmts.py_stmt, "x += y");
  EXPECT_EQ(variants[1].stmts.cpp_stmt, "x += y;");
  EXPECT_EQ(variants[2].stmts.py_stmt, "");
  EXPECT_EQ(variants[2].stmts.cpp_stmt, "x += z;");
}

TEST(VariantsTest, OneLineNeedsNoCaseNumber) {
  auto variants = parse("# @clone\nx.clone()", "// @clone\nx.clone();");
  ASSERT_EQ(variants.size(), 1u);
  EXPECT_EQ(variants[0].key, Label{"clone"});
}

TEST(VariantsTest, CaseNumbersAreAlignedToTwoColumns) {
  std::string block = "# @many\n";
  for (int i = 0; i < 11; ++i) block += "f()\n";
  auto variants = parse(block, "");
  EXPECT_EQ(variants[9].key[1], "Case:  9");
  EXPECT_EQ(variants[10].key[1], "Case: 10");
}

TEST(VariantsTest, NamesOfPythonFirstThenThoseOfCppAlone) {
  auto variants = parse("# @b\n1\n# @a\n2\n", "// @c\n3;\n// @a\n4;\n");
  ASSERT_EQ(variants.size(), 3u);
  EXPECT_EQ(variants[0].key, Label{"b"});
  EXPECT_EQ(variants[1].key, Label{"a"});
  EXPECT_EQ(variants[1].stmts.cpp_stmt, "4;");
  EXPECT_EQ(variants[2].key, Label{"c"});
}

TEST(VariantsTest, CommentAndBlankLinesKeepTheirPositionAndPairsWithoutCodeGo) {
  auto variants = parse("# @a\nx\n# a remark\ny\n\n", "// @a\n\n// another\ny;\n\nz;\n");
  ASSERT_EQ(variants.size(), 3u);
  EXPECT_EQ(variants[0].stmts.py_stmt, "x");
  EXPECT_EQ(variants[0].stmts.cpp_stmt, "");
  EXPECT_EQ(variants[1].stmts.py_stmt, "y");
  EXPECT_EQ(variants[1].stmts.cpp_stmt, "y;");
  EXPECT_EQ(variants[2].stmts.cpp_stmt, "z;");
}

TEST(VariantsTest, SetupAndGlobalSetupAreRecognisedInAnySpelling) {
  auto variants = parse("# @Setup\nx = 1\nif x:\n    y = 2\n# @a\nx\n",
                        "// @global setup\n#include <map>\n// @SETUP\nint x = 1;\n// @a\nx;\n");
  ASSERT_EQ(variants.size(), 1u);
  EXPECT_EQ(variants[0].stmts.setup.py_setup, "x = 1\nif x:\n    y = 2");
  EXPECT_EQ(variants[0].stmts.setup.cpp_setup, "int x = 1;");
  EXPECT_EQ(variants[0].stmts.setup.global_setup, "#include <map>");
}

TEST(VariantsTest, TheGroupsSetupComesFirst) {
  GroupedVariants blocks;
  blocks.cpp_block = "// @SETUP\nint y = x;\n// @a\ny;";
  blocks.setup.cpp_setup = "  int x = 1;\n";
  std::vector<std::string> problems;
  EXPECT_EQ(parse_variants(blocks, problems).at(0).stmts.setup.cpp_setup, "int x = 1;\nint y = x;");
}

TEST(VariantsTest, AMarkAnywhereInALineSwitches) {
  auto variants = parse("x  # @a\ny\n", "");
  ASSERT_EQ(variants.size(), 1u);
  EXPECT_EQ(variants[0].key, Label{"a"});
  EXPECT_EQ(variants[0].stmts.py_stmt, "y");
}

TEST(VariantsTest, LinesAboveTheFirstNameHaveNoNamePart) {
  auto variants = parse("x\n# @a\ny\n", "");
  EXPECT_EQ(variants[0].key, Label{});
  EXPECT_EQ(variants[1].key, Label{"a"});
}

TEST(VariantsTest, PythonHasNoGlobalSetup) {
  std::vector<std::string> problems;
  GroupedVariants blocks;
  blocks.py_block = "# @GLOBAL_SETUP\nimport os\n# @a\nx\n";
  parse_variants(blocks, problems);
  EXPECT_EQ(problems, std::vector<std::string>{
                          "Python has no global set-up: move the code below \"# @GLOBAL_SETUP\" to \"# @SETUP\""});
}

TEST(VariantsTest, BlocksWithoutAStatementAreAMistake) {
  std::vector<std::string> problems;
  GroupedVariants blocks;
  blocks.py_block = "# @SETUP\nx = 1\n# @a\n";
  parse_variants(blocks, problems);
  EXPECT_EQ(problems, std::vector<std::string>{"the variant blocks hold no statement"});
}

}  // namespace
}  // namespace icount
