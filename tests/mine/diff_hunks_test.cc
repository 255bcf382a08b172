#include "icount/mine/diff_hunks.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "icount/base/error.h"
#include "support/reversed_diff.h"

namespace icount {
namespace {

/// "old.c -> new.c 3,1 -> 3,2" for each hunk.
std::string hunks_of(const Diff& diff) {
  std::string text;
  for (const DiffHunk& hunk : diff.hunks)
    text += fmt::format("{}->{} {},{} {},{}\n", diff.files[hunk.file].old_path, diff.files[hunk.file].new_path,
                        hunk.old_lines.first, hunk.old_lines.count, hunk.new_lines.first, hunk.new_lines.count);
  return text;
}

std::string error_of(std::string_view text) {
  try {
    parse_diff(text, "p.diff");
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(DiffHunks, AreRunsOfChangedLinesWhateverTheContext) {
  const std::string narrow =
      "diff --git a/a.c b/a.c\nindex 1..2 100644\n--- a/a.c\n+++ b/a.c\n@@ -2 +2 @@ f\n-two\n+TWO\n@@ -4,0 +5 "
      "@@\n+new\n"
      "@@ -6 +7,0 @@\n-six\n";
  const std::string wide =
      "--- a/a.c\t2020-01-01\n+++ b/a.c\t2020-01-02\n@@ -1,7 +1,7 @@\n one\n-two\n+TWO\n three\n four\n+new\n five\n"
      "-six\n seven\n\\ No newline at end of file\n";
  const std::string wanted = "a.c->a.c 2,1 2,1\na.c->a.c 4,0 5,1\na.c->a.c 6,1 6,0\n";
  EXPECT_EQ(hunks_of(parse_diff(wide, "p")), wanted);
  const Diff diff = parse_diff(narrow, "p");
  EXPECT_EQ(hunks_of(diff), "a.c->a.c 2,1 2,1\na.c->a.c 4,0 5,1\na.c->a.c 6,1 7,0\n");
  EXPECT_EQ(diff.hunks[0].removed, std::vector<std::string>{"two"});
  EXPECT_EQ(diff.hunks[1].added, std::vector<std::string>{"new"});
  EXPECT_EQ(hunks_of(reversed(diff)), "a.c->a.c 2,1 2,1\na.c->a.c 5,1 4,0\na.c->a.c 7,0 6,1\n");
}

TEST(DiffHunks, KnowRenamesNewAndGoneBinaryAndQuotedFiles) {
  const Diff diff = parse_diff(
      "From 1 Mon\nSubject: words\n---\n a.c | 2 +-\n\n"
      "diff --git a/old name.c b/new name.c\nsimilarity index 90%\nrename from old name.c\nrename to new name.c\n"
      "--- a/old name.c\n+++ b/new name.c\n@@ -1 +1 @@\n-a\n+b\n"
      "diff --git a/gone.c b/gone.c\ndeleted file mode 100644\n--- a/gone.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
      "diff --git a/new.c b/new.c\nnew file mode 100644\n--- /dev/null\n+++ b/new.c\n@@ -0,0 +1 @@\n+a\n"
      "diff --git a/x.png b/x.png\nindex 1..2 100644\nBinary files a/x.png and b/x.png differ\n"
      "diff --git a/lib b/lib\nindex 1..2 160000\n--- a/lib\n+++ b/lib\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject "
      "commit 2\n"
      "diff --git \"a/sp\\303\\244t.c\" \"b/sp\\303\\244t.c\"\n--- \"a/sp\\303\\244t.c\"\n+++ \"b/sp\\303\\244t.c\"\n"
      "@@ -1 +1 @@\n-a\r\n+b\r\n-- \n2.39\n",
      "p");
  EXPECT_EQ(hunks_of(diff),
            "old name.c->new name.c 1,1 1,1\ngone.c-> 1,1 0,0\n->new.c 0,0 1,1\nlib->lib 1,1 1,1\n"
            "sp\303\244t.c->sp\303\244t.c 1,1 1,1\n");
  ASSERT_EQ(diff.files.size(), 6u);
  EXPECT_EQ(diff.files[3].new_path, "x.png");
  EXPECT_TRUE(diff.files[3].is_binary);
  EXPECT_TRUE(diff.files[4].is_submodule);
  EXPECT_FALSE(diff.files[0].is_submodule);
}

TEST(DiffHunks, TakeFoldersThatDifferForPrefixes) {
  EXPECT_EQ(hunks_of(parse_diff("--- x-1.0/src/a.c\n+++ x-1.1/src/a.c\n@@ -1 +1 @@\n-a\n+b\n", "p")),
            "src/a.c->src/a.c 1,1 1,1\n");
  EXPECT_EQ(hunks_of(parse_diff("--- src/a.c\n+++ src/a.c\n@@ -1 +1 @@\n-a\n+b\n", "p")), "src/a.c->src/a.c 1,1 1,1\n");
}

TEST(DiffHunks, AreRefusedWhereTheyAreNone) {
  EXPECT_EQ(error_of("hello\n"), "p.diff:1: no file of a unified diff in it (`git diff` writes one)");
  EXPECT_EQ(error_of("--- a/a.c\n+++ b/a.c\n@@ -1,2 +1,2 @@\n-a\n"), "p.diff:4: the diff ends within a hunk");
  EXPECT_EQ(error_of("--- a/a.c\n+++ b/a.c\n@@ -1 +1 @@\n-a\n-b\n+c\n"),
            "p.diff:5: the hunk has other lines than its head says");
  EXPECT_EQ(error_of("diff --cc a.c\n"),
            "p.diff:1: this is the combined diff of a merge; give the diff of two commits");
  EXPECT_EQ(error_of("@@ -1 +1 @@\n-a\n+b\n"), "p.diff:1: a hunk that no file stands before");
}

TEST(DiffHunks, MakeOneSidesTextOfTheOthers) {
  const Diff diff = parse_diff("--- a/a.c\n+++ b/a.c\n@@ -2 +2,2 @@\n-two\n+TWO\n+more\n@@ -4 +4,0 @@\n-four\n", "p");
  EXPECT_EQ(other_text(diff, 0, 1, "one\nTWO\r\nmore\nthree\nfive\n"), "one\ntwo\nthree\nfour\nfive\n");
  EXPECT_EQ(other_text(diff, 0, 0, "one\ntwo\nthree\nfour\nfive\n"), "one\nTWO\nmore\nthree\nfive\n");
  EXPECT_EQ(other_text(diff, 0, 1, "one\ntwo\nthree\n"), std::nullopt);
  EXPECT_EQ(other_text(diff, 0, 1, "one\n"), std::nullopt);
}

}  // namespace
}  // namespace icount
