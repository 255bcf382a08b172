#include "icount/cli/statement_file.h"

#include <gtest/gtest.h>

#include "icount/base/error.h"
#include "support/error_of.h"

namespace icount {
namespace {

std::string message_of(std::string_view text) {
  return error_of([&] { parse_statement_file(text, "s.txt"); });
}

TEST(StatementFileTest, OneStatementPerLine) {
  const auto statements =
      parse_statement_file("// what follows is counted\nauto y = x * w;\n\n  f(\"[a]\");  \n", "s.txt");
  ASSERT_EQ(statements.size(), 2u);
  EXPECT_EQ(statements[0].stmt, "auto y = x * w;");
  EXPECT_EQ(statements[1].stmt, "f(\"[a]\");");
  EXPECT_TRUE(statements[0].label.empty());
}

TEST(StatementFileTest, SectionsWithLabelsAndSetUp) {
  const auto statements = parse_statement_file(
      "// header\n"
      "[Math / mul]\n"
      "auto x = make();\n"
      "--- setup ---\n"
      "[[maybe_unused]] auto y = x * 2;\n"
      "auto f = [&]\n"
      "[add]\n"
      "auto y = 1 + 1;\n",
      "s.txt");
  ASSERT_EQ(statements.size(), 2u);
  EXPECT_EQ(statements[0].label, (std::vector<std::string>{"Math", "mul"}));
  EXPECT_EQ(statements[0].setup, "auto x = make();\n");
  EXPECT_EQ(statements[0].stmt, "[[maybe_unused]] auto y = x * 2;\nauto f = [&]\n");
  EXPECT_EQ(statements[1].label, std::vector<std::string>{"add"});
}

TEST(StatementFileTest, ErrorsNameTheLine) {
  EXPECT_EQ(message_of(""), "s.txt:1: no statement in this file");
  EXPECT_EQ(message_of("// nothing\n"), "s.txt:1: no statement in this file");
  EXPECT_EQ(message_of("[a]\nx;\n[b]\n\n[c]\ny;\n"), "s.txt:3: no statement below this label");
  EXPECT_EQ(message_of("[a]\nx;\n[a]\ny;\n"), "s.txt:3: the label 'a' occurs twice");
  EXPECT_EQ(message_of("x;\n[a]\ny;\n"), "s.txt:1: a statement before the first [label]");
}

}  // namespace
}  // namespace icount
