// Links between the documents lead somewhere: to files that exist and to headings that the target has.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "icount/base/file.h"
#include "icount/base/text.h"
#include "support/places.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> documents() {
  std::vector<fs::path> found;
  const fs::path root(source_dir());
  for (const auto& entry : fs::directory_iterator(root))
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  return found;
}

/// "## I have a piece of C++" -> "i-have-a-piece-of-c", as GitHub makes it.
std::set<std::string> anchors_of(const fs::path& path) {
  std::set<std::string> anchors;
  const std::string text = load_text(path);
  for (const std::string_view line : split_lines(text)) {
    if (!line.starts_with('#') || line.find(' ') == std::string_view::npos) continue;
    std::string anchor;
    for (const char c : trim(line.substr(line.find(' ')))) {
      if (c == ' ') anchor += '-';
      if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_')
        anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    anchors.insert(anchor);
  }
  return anchors;
}

TEST(LinksTest, LeadSomewhere) {
  const std::regex link(R"(\]\(([^)\s]+)\))");
  size_t checked = 0;
  for (const fs::path& page : documents()) {
    const std::string text = load_text(page);
    for (auto match = std::sregex_iterator(text.begin(), text.end(), link); match != std::sregex_iterator(); ++match) {
      const std::string target = (*match)[1];
      if (target.starts_with("http") || target.starts_with("mailto:")) continue;
      const size_t hash = target.find('#');
      const fs::path file = hash == 0 ? page : page.parent_path() / target.substr(0, hash);
      EXPECT_TRUE(fs::exists(file)) << page << ": " << target;
      if (hash != std::string::npos && fs::exists(file)) {
        EXPECT_TRUE(anchors_of(file).contains(target.substr(hash + 1))) << page << ": " << target;
      }
      ++checked;
    }
  }
  EXPECT_GT(checked, 40u);
}

}  // namespace
}  // namespace icount
