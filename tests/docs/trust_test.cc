// docs/trust.md says of each danger, and docs/reliability.md of each promise, which test keeps it: those tests exist.
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

/// All that tests/ and python/tests say, names of files included.
std::string all_tests() {
  std::string text;
  for (const char* folder : {"tests", "python/tests"})
    for (const auto& file : fs::recursive_directory_iterator(fs::path(source_dir()) / folder)) {
      const fs::path kind = file.path().extension();
      if (file.path().string().find("/testdata/") != std::string::npos) continue;
      text += file.path().filename().string() + "\n";
      if (kind == ".cc" || kind == ".test" || kind == ".py") text += load_text(file.path());
    }
  return text;
}

/// `text` with string literals that go on in the next line in one piece.
std::string join_literals(std::string_view text) {
  std::string joined;
  for (size_t i = 0; i < text.size(); ++i) {
    const size_t next = text[i] == '"' ? text.find_first_not_of(" \t\n", i + 1) : std::string_view::npos;
    const bool goes_on = next != std::string_view::npos && text[next] == '"' &&
                         text.substr(i, next - i).find('\n') != std::string_view::npos;
    if (goes_on)
      i = next;
    else
      joined += text[i];
  }
  return joined;
}

/// All code that is no test.
std::string all_sources() {
  std::string text;
  for (const auto& folder : fs::directory_iterator(source_dir())) {
    const std::string name = folder.path().filename().string();
    if (!folder.is_directory() || name.starts_with("build") || name.starts_with('.') || name == "tests") continue;
    for (const auto& file : fs::recursive_directory_iterator(folder))
      if (const fs::path kind = file.path().extension(); kind == ".cc" || kind == ".h" || kind == ".py")
        text += join_literals(load_text(file));
  }
  return text;
}

/// Whether a word of a message differs from case to case: a number, a NAME, "...".
bool is_placeholder(std::string_view word) {
  if (word.empty() || word.find_first_of("0123456789") != std::string_view::npos || word.starts_with("..."))
    return true;
  return word.size() > 3 && word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_():;") == std::string_view::npos;
}

/// The longest piece of a message between its placeholders and punctuation.
std::string longest_piece(std::string_view message) {
  std::string longest, piece;
  for (const std::string_view word : split(message, ' ')) {
    const bool is_end = word.ends_with(':') || word.ends_with(';');
    if (is_placeholder(word)) {
      piece.clear();
    } else {
      if (!piece.empty()) piece += ' ';
      piece += word.substr(0, word.size() - (is_end ? 1 : 0));
    }
    if (piece.size() > longest.size()) longest = piece;
    if (is_end) piece.clear();
  }
  return longest;
}

/// What stands between backticks in a column of a table's row; the last column is 1.
std::vector<std::string> quoted_in_row(std::string_view row, size_t column_from_last) {
  const auto columns = split(row, '|');
  std::vector<std::string> names;
  const auto pieces = split(columns[columns.size() - 1 - column_from_last], '`');
  for (size_t i = 1; i < pieces.size(); i += 2) names.emplace_back(pieces[i]);
  return names;
}

TEST(TrustPageTest, EveryRowNamesATestThatIsThere) {
  const std::string tests = all_tests();
  const fs::path docs = fs::path(source_dir()) / "docs";
  const std::string promises = load_text(docs / "reliability.md");
  const std::string page = load_text(docs / "trust.md") + promises.substr(0, promises.find("## Figures"));
  int rows = 0;
  for (const std::string_view line : split_lines(page)) {
    if (!line.starts_with("| ") || line.find("| test |") != std::string_view::npos) continue;
    ++rows;
    const std::vector<std::string> names = quoted_in_row(line, 1);
    EXPECT_FALSE(names.empty()) << line;
    for (const std::string& name : names) {
      const size_t dot = name.find('.');
      const bool is_file = name.ends_with(".test") || name.ends_with(".py");
      EXPECT_NE(tests.find(is_file ? name : name.substr(0, dot)), std::string::npos) << name;
      if (!is_file && dot != std::string::npos) {
        EXPECT_NE(tests.find(name.substr(dot + 1)), std::string::npos) << name;
      }
    }
  }
  EXPECT_GT(rows, 15);
}

TEST(TrustPageTest, WhatEachRowQuotesIsWhatIcountSays) {
  const std::string said = all_sources() + all_tests();
  const std::string page = load_text(fs::path(source_dir()) / "docs/trust.md");
  int messages = 0;
  for (const std::string_view line : split_lines(page)) {
    if (!line.starts_with("| ") || line.starts_with("| what happens")) continue;
    for (const std::string& message : quoted_in_row(line, 2)) {
      ++messages;
      EXPECT_NE(said.find(longest_piece(message)), std::string::npos) << message;
    }
  }
  EXPECT_GT(messages, 20);
}

}  // namespace
}  // namespace icount
