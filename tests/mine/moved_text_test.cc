#include "icount/mine/line_map.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

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

TEST(SameLines, AreThoseThatTheDiffLeavesAndThoseEditedInPlace) {
  CommitSources commits;
  commits.diff = parse_diff(
      "--- a/src/a.c\n+++ b/src/a.c\n@@ -3,2 +3,3 @@\n-  if (x) {\n-old();\n+if (x) {\n+new();\n+more();\n"
      "@@ -9,0 +11 @@\n+added();\n@@ -20,2 +21,0 @@\n-int moved_away = 123;\n-return moved_away;\n"
      "@@ -40,0 +41,2 @@\n+int moved_away = 123;\n+return moved_away;\n@@ -50 +52 @@\n-old(1);\n+edited(2);\n",
      "p");
  const std::vector<std::string> files = {"/w/src/a.c", "/w/src/b.c", "/usr/include/c.h"};
  const SameLines same = same_lines(files, commits);
  const auto line = [&](const char* file, uint64_t number) { return same(file, number); };
  for (const auto& [base, head] : std::map<uint64_t, uint64_t>{{2, 2},
                                                               {3, 3},
                                                               {4, 0},
                                                               {5, 6},
                                                               {9, 10},
                                                               {10, 12},
                                                               {20, 41},
                                                               {21, 42},
                                                               {22, 22},
                                                               {40, 40},
                                                               {41, 43},
                                                               {50, 52}})
    EXPECT_EQ(line("/w/src/a.c", base), head) << base;
  EXPECT_EQ(line("/w/src/b.c", 7), 7u) << "not in the diff";
  EXPECT_EQ(line("/usr/include/c.h", 7), std::nullopt) << "not of the repository";
  EXPECT_EQ(line("/w/src/d.c", 7), std::nullopt);
}

}  // namespace
}  // namespace icount
