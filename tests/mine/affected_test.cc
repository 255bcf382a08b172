// Which results execute what a diff changes: by line, by function, or for reasons that reach all.
#include "icount/mine/affected.h"

#include <gtest/gtest.h>

#include <map>

namespace icount {
namespace {

constexpr std::string_view kBase =
    "#include <vector>\n"  // 1
    "#define STEP 2\n"
    "int parse(int x) {\n"
    "  if (x > 3)\n"
    "    return x * 2;\n"  // 5
    "  return x;\n"
    "}\n"
    "\n"
    "int print(int x) {\n"
    "  return x + STEP;\n"  // 10
    "}\n";

/// The diff replaces lines `first` to `last` of a.cc by `text`; a `last` before `first` adds it behind `last`.
Affected affected_by(uint64_t first, uint64_t last, const std::string& text, const std::string& other_files = "") {
  std::vector<std::string> lines;
  for (size_t at = 0; at < kBase.size(); at = kBase.find('\n', at) + 1)
    lines.emplace_back(kBase.substr(at, kBase.find('\n', at) - at));
  std::string head, removed, added;
  uint64_t count = 0;
  for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1, ++count)
    added += "+" + text.substr(at, text.find('\n', at) - at + 1);
  for (uint64_t i = 1; i <= lines.size(); ++i) {
    if (i == first && first <= last) head += text;
    if (i >= first && i <= last)
      removed += "-" + lines[i - 1] + "\n";
    else
      head += lines[i - 1] + "\n";
    if (i == last && last < first) head += text;
  }
  CommitSources commits;
  const uint64_t gone = last + 1 - first;
  commits.diff = parse_diff("--- a/src/a.cc\n+++ b/src/a.cc\n@@ -" + std::to_string(gone == 0 ? last : first) + "," +
                                std::to_string(gone) + " +" + std::to_string(gone == 0 ? last + 1 : first) + "," +
                                std::to_string(count) + " @@\n" + removed + added + other_files,
                            "test");
  commits.text = [head](size_t side, const std::string& path) -> std::optional<std::string> {
    if (path != "src/a.cc") return std::nullopt;
    return side == 0 ? std::string(kBase) : head;
  };
  const ExecutedLines run{.files = {"/w/src/a.cc", "/usr/include/vector"},
                          .results = {{"small", {{0, 3}, {0, 4}, {0, 6}, {0, 7}}},
                                      {"large", {{0, 3}, {0, 4}, {0, 5}, {0, 7}}},
                                      {"prints", {{0, 9}, {0, 10}, {0, 11}, {1, 5}}}}};
  return find_affected(run, commits);
}

std::map<std::string, std::string> whys(const Affected& affected) {
  std::map<std::string, std::string> found;
  for (const AffectedResult& one : affected.results) found[one.key] = one.why;
  return found;
}
using Whys = std::map<std::string, std::string>;

TEST(AffectedTest, WhatExecutesAChangedLineOrItsFunction) {
  const Affected affected = affected_by(5, 5, "    return x * 3;\n");
  EXPECT_EQ(whys(affected),
            (Whys{{"large", "executes src/a.cc:5"}, {"small", "executes `parse`, changed at src/a.cc:5"}}));
  EXPECT_EQ(affected.left_out, (std::vector<std::string>{"prints"}));
  EXPECT_TRUE(affected.all_because.empty());
  EXPECT_TRUE(affected.unreached.empty());
}

TEST(AffectedTest, ALineAddedWithinAFunctionReachesWhatExecutesTheFunction) {
  EXPECT_EQ(whys(affected_by(10, 9, "  x += 1;\n")), (Whys{{"prints", "executes `print`, changed at src/a.cc:10"}}));
}

TEST(AffectedTest, ACommentReachesNothingAndANewFunctionIsSaid) {
  EXPECT_TRUE(affected_by(8, 8, "// what follows prints\n").results.empty());
  const Affected added = affected_by(9, 8, "int added(int x) {\n  return x;\n}\n\n");
  EXPECT_TRUE(added.results.empty());
  EXPECT_EQ(added.unreached, (std::vector<std::string>{"src/a.cc:9-12"}));
}

TEST(AffectedTest, WhatHasNoLinesOfItsOwnReachesAll) {
  for (const Affected& affected : {affected_by(2, 2, "#define STEP 3\n"), affected_by(1, 1, "#include <list>\n"),
                                   affected_by(8, 8, "// only a comment\n",
                                               "--- a/CMakeLists.txt\n+++ b/CMakeLists.txt\n@@ -1 +1 @@\n-a\n+b\n")}) {
    EXPECT_EQ(affected.results.size(), 3u);
    EXPECT_EQ(affected.all_because.size(), 1u);
  }
  EXPECT_TRUE(affected_by(8, 8, "// only a comment\n", "--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-a\n+b\n").results.empty())
      << "prose is part of no program";
}

TEST(AffectedTest, AChangedHeaderReachesWhatExecutesSourcesThatIncludeIt) {
  CommitSources commits;
  commits.diff =
      parse_diff("--- a/src/twice.h\n+++ b/src/twice.h\n@@ -2 +2 @@\n-  return 2 * x;\n+  return x + x;\n", "test");
  const std::map<std::string, std::string> base = {
      {"src/twice.h", "inline int twice(int x) {\n  return 2 * x;\n}\n"},
      {"src/all.h", "#pragma once\n#  include \"twice.h\"\n"},
      {"src/folds.cc", "#include <lib/all.h>\n#include \"../src/all.h\"\n"},
      {"src/other.cc", "#include \"nottwice.h\"\n"}};
  commits.text = [base](size_t side, const std::string& path) {
    if (side == 1) return std::optional<std::string>("inline int twice(int x) {\n  return x + x;\n}\n");
    const auto found = base.find(path);
    return found == base.end() ? std::nullopt : std::optional(found->second);
  };
  commits.roots = {std::vector<std::string>{"/w"}, {"/w"}};
  const ExecutedLines run{.files = {"/w/src/folds.cc", "/w/src/other.cc"},
                          .results = {{"folds", {{0, 8}}}, {"other", {{1, 3}}}}};
  EXPECT_EQ(whys(find_affected(run, commits)),
            (Whys{{"folds", "executes src/folds.cc, which includes what changed at src/twice.h:2"}}));
}

TEST(AffectedTest, ARunOfOtherSourcesReachesAll) {
  CommitSources commits;
  commits.diff =
      parse_diff("--- a/src/a.cc\n+++ b/src/a.cc\n@@ -5 +5 @@\n-    return x * 2;\n+    return 7;\n", "test");
  commits.text = [](size_t, const std::string&) { return std::optional(std::string(kBase)); };
  const ExecutedLines run{.files = {"/w/src/a.cc"}, .results = {{"a", {{0, 8}}}, {"b", {{0, 3}}}}};
  const Affected affected = find_affected(run, commits);
  EXPECT_EQ(affected.results.size(), 2u);
  ASSERT_EQ(affected.all_because.size(), 1u);
  EXPECT_NE(affected.all_because[0].find("other sources than the base: 1 of 2 lines"), std::string::npos);
}

TEST(AffectedTest, AResultWithoutLinesIsAffectedByAnyChange) {
  CommitSources commits;
  const ExecutedLines run{.files = {}, .results = {{"a", {}}}};
  EXPECT_TRUE(find_affected(run, commits).results.empty()) << "nothing changed";
  commits.diff = parse_diff("--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-a\n+b\n", "test");
  EXPECT_EQ(whys(find_affected(run, commits)), (Whys{{"a", "its lines are not known"}}));
}

}  // namespace
}  // namespace icount
