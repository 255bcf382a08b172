#include "icount/mine/changed_source.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace icount {
namespace {

std::string moves_of(std::string_view diff) {
  std::string text;
  const MovedText moved = find_moved_text(parse_diff(diff, "p"));
  for (const auto& [was, is] : moved.to_head) {
    EXPECT_EQ(moved.to_base.at(is), was);
    text += fmt::format("{}:{}->{}:{} ", was.first, was.second, is.first, is.second);
  }
  EXPECT_EQ(moved.to_head.size(), moved.to_base.size());
  return text;
}

TEST(MovedText, IsARunOfEqualLinesButForBlanks) {
  EXPECT_EQ(moves_of("--- a/a.c\n+++ b/a.c\n@@ -3,3 +2,0 @@\n-int function_one() {\n-  return 1234567; \\\n-}\n"
                     "--- a/b.h\n+++ b/b.h\n@@ -0,0 +5,4 @@\n+new\n+  int function_one() {\n+return 1234567;\n+}\n"),
            "0:3->1:6 0:4->1:7 0:5->1:8 ");
}

TEST(MovedText, IsNeitherOneLineNorAFewLetters) {
  EXPECT_EQ(moves_of("--- a/a.c\n+++ b/a.c\n@@ -3 +2,0 @@\n-int a_long_line_that_is_alone_here();\n"
                     "@@ -9,0 +9 @@\n+int a_long_line_that_is_alone_here();\n"),
            "");
  EXPECT_EQ(moves_of("--- a/a.c\n+++ b/a.c\n@@ -3,2 +2,0 @@\n-  return 1;\n-}\n@@ -9,0 +9,2 @@\n+  return 1;\n+}\n"),
            "");
}

TEST(MovedText, IsMovedOnce) {
  EXPECT_EQ(moves_of("--- a/a.c\n+++ b/a.c\n@@ -3,4 +2,0 @@\n-first_line_of_text();\n-second_line_of_text();\n"
                     "-first_line_of_text();\n-second_line_of_text();\n"
                     "@@ -19,0 +20,2 @@\n+first_line_of_text();\n+second_line_of_text();\n"),
            "0:3->0:20 0:4->0:21 ");
}

}  // namespace
}  // namespace icount
