#include "icount/inputs/listing_sources.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <tuple>

namespace icount {
namespace {

namespace fs = std::filesystem;

class ListingSourcesTest : public testing::Test {
 protected:
  ~ListingSourcesTest() override { fs::remove_all(folder_); }

  fs::path file(const std::string& name, const std::string& text, int hours_old) {
    const fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(hours_old));
    return path;
  }

  /// One function of which both sides executed these lines of this file.
  FunctionListing loaded(const std::string& source, std::vector<uint64_t> lines) {
    FunctionListing listing{.function = "f"};
    for (auto& side : listing.lines)
      for (const uint64_t line : lines) side.push_back({{source, line}, 1, 1});
    std::vector<FunctionListing> listings{listing};
    load_listing_sources(listings, {base_.string(), head_.string()});
    return listings[0];
  }

  const fs::path folder_ = fs::path(testing::TempDir()) / ("listing_sources_" + std::to_string(getpid()));
  fs::path base_ = file("base.out", "", 4), head_ = file("head.out", "", 2);
  const std::string text_ = "int f() {\n\tint a = 1;\n\n  // twice\n  return 2 * a;\n}\n";
};

TEST_F(ListingSourcesTest, ExecutedLinesAndSomeAround) {
  std::string text = text_;
  for (int i = 0; i < 40; ++i) text += "more();\n";
  const FunctionListing listing = loaded(file("a.c", text, 9).string(), {1, 2, 5, 30});
  for (const auto& excerpts : listing.sources) {
    ASSERT_EQ(excerpts.size(), 2u);
    EXPECT_EQ(excerpts[0].first_line, 1u);
    EXPECT_EQ(excerpts[0].lines[1], "    int a = 1;");
    EXPECT_EQ(excerpts[0].lines.size(), 7u);
    EXPECT_EQ(excerpts[1].first_line, 28u);
    EXPECT_EQ(excerpts[1].lines.size(), 5u);
  }
  EXPECT_TRUE(listing.source_notes.empty());
}

TEST_F(ListingSourcesTest, RelativeNamesAreLookedUpBesideTheProfile) {
  file("src/a.c", text_, 9);
  EXPECT_EQ(loaded("src/a.c", {2}).sources[1].size(), 1u);
}

TEST_F(ListingSourcesTest, TextOfACommitIsThatOfGitAlsoWhereItsWorktreeIsGone) {
  const std::string here = file("repo/a.c", text_, 1).string();
  FunctionListing listing{.function = "f"};
  listing.lines[0] = {{{"/cache/worktrees/1a2b/0/tree/a.c", 2}, 1, 1}};
  listing.lines[1] = {{{here, 2}, 1, 1}};
  CommitSources commits;
  commits.roots = {std::vector{(folder_ / "repo").string()}, std::vector{(folder_ / "repo").string()}};
  commits.text = [](size_t side, const std::string& path) -> std::optional<std::string> {
    return path == "a.c" ? std::optional("int f() {\n  int a = " + std::to_string(side + 7) + ";\n}\n") : std::nullopt;
  };
  std::vector<FunctionListing> listings{listing};
  load_listing_sources(listings, {base_.string(), head_.string()}, &commits);
  for (size_t side = 0; side < 2; ++side) {
    ASSERT_EQ(listings[0].sources[side].size(), 1u) << side;
    EXPECT_EQ(listings[0].sources[side][0].lines[1], "  int a = " + std::to_string(side + 7) + ";");
  }
  EXPECT_TRUE(listings[0].source_notes.empty()) << listings[0].source_notes[0];

  // As a compiler names it that runs in the working folder, where another text may lie.
  file("a.c", "int g() {\n  int b = 1;\n}\n", 9);
  listings = {FunctionListing{.function = "f", .lines = {}}};
  listings[0].lines[1] = {{{"a.c", 2}, 1, 1}};
  load_listing_sources(listings, {base_.string(), head_.string()}, &commits);
  ASSERT_EQ(listings[0].sources[1].size(), 1u);
  EXPECT_EQ(listings[0].sources[1][0].lines[1], "  int a = 8;");
}

TEST_F(ListingSourcesTest, AFileThatDoesNotFitIsLeftOut) {
  const std::string path = file("a.c", text_, 9).string();
  for (const uint64_t line : {3u, 4u, 70u}) {
    const FunctionListing listing = loaded(path, {2, line});
    EXPECT_TRUE(listing.sources[0].empty() && listing.sources[1].empty());
    ASSERT_EQ(listing.source_notes.size(), 2u);
    EXPECT_EQ(listing.source_notes[0],
              "the source " + path + " does not fit base: its line " + std::to_string(line) + " was executed, but " +
                  (line == 70 ? "the file is shorter" : "there is no code on it") + "; its text is left out");
  }
}

TEST_F(ListingSourcesTest, AFileThatWasChangedAfterBaseIsShownForHeadOnly) {
  const std::string path = file("a.c", text_, 3).string();
  const FunctionListing listing = loaded(path, {2});
  EXPECT_TRUE(listing.sources[0].empty());
  EXPECT_EQ(listing.sources[1].size(), 1u);
  EXPECT_EQ(listing.source_notes,
            std::vector<std::string>{"the source " + path +
                                     " was changed after base was recorded: its text is shown for head only"});
}

TEST_F(ListingSourcesTest, AFileThatWasChangedAfterBothIsInDoubt) {
  const std::string path = file("a.c", text_, 1).string();
  const FunctionListing listing = loaded(path, {2});
  EXPECT_EQ(listing.sources[0].size(), 1u);
  ASSERT_EQ(listing.source_notes.size(), 2u);
  EXPECT_EQ(listing.source_notes[1],
            "the source " + path + " was changed after head was recorded: its text may not be what was run");
}

TEST_F(ListingSourcesTest, WhatIsNotFoundIsSaid) {
  const FunctionListing listing = loaded("/nowhere/a.c", {2});
  EXPECT_EQ(listing.source_notes, std::vector<std::string>{"no source text of /nowhere/a.c: not found"});
}

TEST_F(ListingSourcesTest, ACausesLineHasItsTextUnlessThatIsInDoubt) {
  const auto text = [&](const fs::path& source, CauseLine line) {
    Cause cause{.file = source.string()};
    cause.lines = {line};
    std::vector<Cause> causes = {cause};
    load_cause_sources(causes, {base_.string(), head_.string()});
    return causes[0].lines[0].text;
  };
  const fs::path source = file("a.c", text_, 9);
  EXPECT_EQ(text(source, {.file = "a.c", .line = 2, .base = 1, .head = 2}), "int a = 1;");
  EXPECT_EQ(text(source, {.file = "a.c", .line = 2, .base = 1}), "") << "head does not run it";
  EXPECT_EQ(text(source, {.file = "b.h", .line = 2, .head = 2}), "") << "its folder is not known";
  EXPECT_EQ(text(source, {.file = "a.c", .line = 4, .head = 2}), "") << "no code is there";
  EXPECT_EQ(text(file("a.c", text_, 1), {.file = "a.c", .line = 2, .head = 2}), "") << "changed since";
}

TEST_F(ListingSourcesTest, LinesOfOtherTextAreTwo) {
  const std::string before = file("base/a.c", text_, 9).string(), after = file("a.c", text_, 9).string();
  const auto lines = [&](uint64_t base_line) {
    Cause cause{.file = after};
    cause.lines = {{.file = "a.c",
                    .line = 2,
                    .base = 1,
                    .head = 9,
                    .base_file = before,
                    .base_line = base_line,
                    .is_certain = false}};
    std::vector<Cause> causes = {cause};
    load_cause_sources(causes, {base_.string(), head_.string()});
    return causes[0].lines;
  };
  ASSERT_EQ(lines(2).size(), 1u);
  EXPECT_TRUE(lines(2)[0].is_certain);
  EXPECT_EQ(lines(2)[0].base, 1);
  ASSERT_EQ(lines(5).size(), 2u) << "return 2 * a;";
  EXPECT_EQ(std::pair(lines(5)[0].base, lines(5)[0].head), std::pair(0.0, 9.0));
  EXPECT_EQ(std::tuple(lines(5)[1].line, lines(5)[1].base, lines(5)[1].head), std::tuple(5u, 1.0, 0.0));
  EXPECT_FALSE(lines(4)[0].is_certain) << "not at hand: no code is there";
}

TEST_F(ListingSourcesTest, ControlBytesAreMadeHarmless) {
  const FunctionListing listing = loaded(file("a.c", "a();\x1b[2J\xff\r\n", 9).string(), {1});
  EXPECT_EQ(listing.sources[1][0].lines[0], "a();\\x1b[2J\\xff");
}

}  // namespace
}  // namespace icount
