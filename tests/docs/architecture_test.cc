// docs/architecture.md tells where things are: the files that it names exist and hold what it says.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "icount/base/file.h"
#include "icount/base/text.h"
#include "support/places.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

std::string page() { return load_text(fs::path(source_dir()) / "docs/architecture.md"); }

/// The rows of the table below the heading, cells trimmed, without head and rule.
std::vector<std::vector<std::string>> table_below(std::string_view text, std::string_view heading) {
  std::vector<std::vector<std::string>> rows;
  bool inside = false;
  for (const std::string_view line : split_lines(text)) {
    if (line.starts_with("## ")) inside = line == heading;
    if (!inside || !line.starts_with("| ")) continue;
    std::vector<std::string> cells;
    for (const std::string_view cell : split(line.substr(1, line.rfind('|') - 1), '|')) cells.emplace_back(trim(cell));
    rows.push_back(std::move(cells));
  }
  if (!rows.empty()) rows.erase(rows.begin());
  return rows;
}

/// What stands between backticks.
std::vector<std::string> in_backticks(std::string_view text) {
  std::vector<std::string> words;
  const auto parts = split(text, '`');
  for (size_t i = 1; i < parts.size(); i += 2) words.emplace_back(parts[i]);
  return words;
}

TEST(ArchitectureTest, EveryPlaceExistsAndHoldsWhatIsNamed) {
  const auto rows = table_below(page(), "## Where is ...");
  std::vector<std::string> questions;
  for (const auto& row : rows) {
    ASSERT_EQ(row.size(), 3u) << row[0];
    questions.push_back(row[0]);
    const auto files = in_backticks(row[1]);
    ASSERT_EQ(files.size(), 1u) << row[0];
    const fs::path path = fs::path(source_dir()) / files[0];
    ASSERT_TRUE(fs::exists(path)) << path;
    const std::string source = load_text(path);
    EXPECT_FALSE(in_backticks(row[2]).empty()) << row[0];
    for (const std::string& name : in_backticks(row[2]))
      EXPECT_NE(source.find(name), std::string::npos) << files[0] << " " << name;
  }
  EXPECT_EQ(questions, (std::vector<std::string>{"a noise group", "the text of one cause", "an option of `gate`",
                                                 "the JUnit output", "which hunk a part of a change goes to",
                                                 "the stub's loop", "a limit's precedence"}));
}

TEST(ArchitectureTest, EveryFileOfARecipeExists) {
  const auto rows = table_below(page(), "## How to add ...");
  EXPECT_EQ(rows.size(), 8u);
  for (const auto& row : rows) {
    std::string source;  // of the file that was named last: names behind it are in there
    for (const std::string& word : in_backticks(row.at(2))) {
      if (word.starts_with("--")) continue;
      if (word.find('/') == std::string::npos) {
        EXPECT_NE(source.find(word), std::string::npos) << row[0] << ": " << word;
        continue;
      }
      const fs::path path = fs::path(source_dir()) / word;
      ASSERT_TRUE(fs::exists(path)) << row[0] << ": " << word;
      source = fs::is_directory(path) ? std::string() : load_text(path);
    }
    for (const std::string& word : in_backticks(row.at(3)))
      EXPECT_TRUE(fs::exists(fs::path(source_dir()) / word)) << word;
  }
}

TEST(ArchitectureTest, EveryRoomIsThereWithItsSentence) {
  std::vector<std::vector<std::string>> rows = table_below(page(), "## Rooms");
  std::vector<std::string> expected, found;
  const std::string layers = load_text(fs::path(source_dir()) / "docs/layers.txt");
  for (const std::string_view line : split_lines(layers)) {
    const size_t hash = line.find('#');
    if (hash == 0 || line.find(':') > hash) continue;
    expected.push_back("`" + std::string(line.substr(0, line.find(':'))) + "` " +
                       std::string(trim(line.substr(hash + 1))));
  }
  for (const auto& row : rows) found.push_back(row.at(0) + " " + row.at(1));
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace icount
