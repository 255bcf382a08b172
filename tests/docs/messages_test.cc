// The texts that a user meets, in one list (scripts/list-messages) and in the documents: without the words that
// tests/docs/words_to_avoid.txt names.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <vector>

#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/text.h"
#include "support/places.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

struct WordToAvoid {
  std::string phrase;
  std::string instead;
};

std::vector<WordToAvoid> words_to_avoid() {
  std::vector<WordToAvoid> words;
  const std::string text = load_text(fs::path(source_dir()) / "tests/docs/words_to_avoid.txt");
  for (const std::string_view line : split_lines(text)) {
    const size_t tab = line.find('\t');
    if (!line.starts_with('#') && tab != std::string_view::npos)
      words.push_back({std::string(line.substr(0, tab)), std::string(line.substr(tab + 1))});
  }
  return words;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// Whether the phrase stands there with nothing but whole words around it.
bool holds(const std::string& text, const std::string& phrase) {
  const auto is_word = [&](size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at]));
  };
  for (size_t at = text.find(phrase); at != std::string::npos; at = text.find(phrase, at + 1))
    if (!(at > 0 && is_word(at - 1)) && !is_word(at + phrase.size())) return true;
  return false;
}

std::string all_messages() {
  ProcessSpec spec;
  spec.argv = {"python3", source_dir() + "/scripts/list-messages", "--help-too"};
  const ProcessOutcome outcome = run_process(spec);
  EXPECT_TRUE(outcome.ok()) << outcome.output;
  return outcome.output;
}

TEST(MessagesTest, TheListHoldsMessagesOfEveryKind) {
  const std::string messages = all_messages();
  EXPECT_GT(std::count(messages.begin(), messages.end(), '\n'), 1000);
  for (const char* known : {"cannot read: {}", "sort by inclusive cost", "cost line before events:", "per call"})
    EXPECT_NE(messages.find(known), std::string::npos) << known;
}

TEST(MessagesTest, NoMessageHoldsAWordToAvoid) {
  const auto words = words_to_avoid();
  ASSERT_GT(words.size(), 20u);
  const std::string messages = all_messages();
  for (const std::string_view line : split_lines(messages))
    for (const WordToAvoid& word : words)
      EXPECT_FALSE(holds(lower(std::string(line)), word.phrase)) << line << "\n  write: " << word.instead;
}

TEST(MessagesTest, NoDocumentHoldsAWordToAvoid) {
  std::vector<fs::path> pages = {fs::path(source_dir()) / "README.md", fs::path(source_dir()) / "CONTRIBUTING.md"};
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(source_dir()) / "docs"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  for (const fs::path& page : pages) {
    std::string text = lower(load_text(page));
    std::replace(text.begin(), text.end(), '\n', ' ');
    for (const WordToAvoid& word : words_to_avoid())
      EXPECT_FALSE(holds(text, word.phrase)) << page << ": " << word.phrase << "\n  write: " << word.instead;
  }
}

}  // namespace
}  // namespace icount
