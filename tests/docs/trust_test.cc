// docs/trust.md says of each danger which test keeps it noticed: those tests exist.
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

/// All that tests/ says, names of files included.
std::string all_tests() {
  std::string text;
  for (const auto& file : fs::recursive_directory_iterator(fs::path(source_dir()) / "tests")) {
    if (file.path().string().find("/testdata/") != std::string::npos) continue;
    text += file.path().filename().string() + "\n";
    if (file.path().extension() == ".cc") text += load_text(file.path());
  }
  return text;
}

/// What stands between backticks in the last column of a table's row.
std::vector<std::string> tests_of_row(std::string_view row) {
  const auto columns = split(row, '|');
  std::vector<std::string> names;
  const auto pieces = split(columns[columns.size() - 2], '`');
  for (size_t i = 1; i < pieces.size(); i += 2) names.emplace_back(pieces[i]);
  return names;
}

TEST(TrustPageTest, EveryRowNamesATestThatIsThere) {
  const std::string tests = all_tests();
  const std::string page = load_text(fs::path(source_dir()) / "docs/trust.md");
  int rows = 0;
  for (const std::string_view line : split_lines(page)) {
    if (!line.starts_with("| ") || line.find("| test |") != std::string_view::npos) continue;
    ++rows;
    const std::vector<std::string> names = tests_of_row(line);
    EXPECT_FALSE(names.empty()) << line;
    for (const std::string& name : names) {
      const size_t dot = name.find('.');
      const bool is_file = name.ends_with(".test");
      EXPECT_NE(tests.find(is_file ? name : name.substr(0, dot)), std::string::npos) << name;
      if (!is_file && dot != std::string::npos) EXPECT_NE(tests.find(name.substr(dot + 1)), std::string::npos) << name;
    }
  }
  EXPECT_GT(rows, 15);
}

}  // namespace
}  // namespace icount
