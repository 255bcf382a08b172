// Keeps the house's rules by reading the sources: which folder includes which (docs/layers.txt), where third-party
// libraries live, who prints, unique file names, and that every header opens with what it is.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "icount/base/file.h"
#include "icount/base/text.h"
#include "support/places.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "icount/";

struct SourceFile {
  std::string folder;
  std::string path;  // from the project's root
  std::vector<std::string> lines;
};

std::map<std::string, std::set<std::string>> load_layers() {
  std::map<std::string, std::set<std::string>> layers;
  const std::string text = load_text(fs::path(source_dir()) / "docs/layers.txt");
  for (const std::string_view line : split_lines(text)) {
    if (line.empty() || line.starts_with('#')) continue;
    const size_t colon = line.find(':');
    auto& allowed = layers[std::string(line.substr(0, colon))];
    for (const std::string_view word : split(line.substr(colon + 1, line.find('#') - colon - 1), ' '))
      if (!word.empty()) allowed.emplace(word);
  }
  return layers;
}

std::vector<SourceFile> load_sources() {
  std::vector<SourceFile> sources;
  for (const auto& [folder, allowed] : load_layers()) {
    const fs::path root = fs::path(source_dir()) / folder;
    if (!fs::exists(root)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      const auto extension = entry.path().extension();
      if (extension != ".h" && extension != ".cc") continue;
      SourceFile source{folder, fs::relative(entry.path(), source_dir()).string(), {}};
      const std::string text = load_text(entry.path());
      for (const std::string_view line : split_lines(text)) source.lines.emplace_back(line);
      sources.push_back(std::move(source));
    }
  }
  return sources;
}

/// Generated stubs and hooks are built outside icount: their headers know LibTorch, print, and include nothing of ours.
bool is_stub(const SourceFile& source) {
  return source.path.starts_with("harness/stubs/") || source.path.starts_with("harness/hooks/");
}

/// What stands between the quotes or angle brackets of an include line, our own headers without the prefix that all of
/// them have; empty for other lines.
std::string included(const std::string& line) {
  const std::string_view text = trim(line);
  if (!text.starts_with("#include")) return {};
  const size_t first = text.find_first_of("\"<");
  if (first == std::string_view::npos) return {};
  const size_t last = text.find_first_of("\">", first + 1);
  std::string_view header = text.substr(first + 1, last - first - 1);
  if (header.starts_with(kPrefix)) header.remove_prefix(kPrefix.size());
  return std::string(header);
}

TEST(LayeringTest, FoldersIncludeOnlyWhatTheTableAllows) {
  const auto layers = load_layers();
  ASSERT_GE(layers.size(), 10u);
  int edges = 0;
  for (const SourceFile& source : load_sources()) {
    for (const std::string& line : source.lines) {
      const std::string header = included(line);
      const std::string target = header.substr(0, header.find('/'));
      if (!layers.contains(target) || target == source.folder || header.find('/') == std::string::npos) continue;
      ++edges;
      EXPECT_TRUE(layers.at(source.folder).contains(target))
          << source.path << " includes " << header << ", which docs/layers.txt does not allow";
    }
  }
  EXPECT_GT(edges, 0);
}

/// Folders that a build can leave out (ICOUNT_PARTS).
TEST(LayeringTest, NothingIncludesAPart) {
  int inside = 0;
  for (const SourceFile& source : load_sources()) {
    for (const std::string_view part : {"cli/serve/", "cli/mcp/", "cli/kernels/"}) {
      for (const std::string& line : source.lines) {
        if (!included(line).starts_with(part)) continue;
        EXPECT_TRUE(source.path.starts_with(part)) << source.path << " includes " << included(line);
        ++inside;
      }
    }
  }
  EXPECT_GT(inside, 0);
}

TEST(LayeringTest, TheTableItselfPointsDownwards) {
  // Rows in the file are ordered from the lowest layer up: a folder may name only folders above its own line.
  std::set<std::string> seen;
  const std::string text = load_text(fs::path(source_dir()) / "docs/layers.txt");
  const auto layers = load_layers();
  for (const std::string_view line : split_lines(text)) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::string folder(line.substr(0, line.find(':')));
    for (const std::string& used : layers.at(folder)) EXPECT_TRUE(seen.contains(used)) << folder << " uses " << used;
    seen.insert(folder);
  }
}

TEST(LayeringTest, ThirdPartyLibrariesStayAtHome) {
  const std::map<std::string, std::set<std::string>> homes = {
      {"zlib.h", {"base"}},     {"lzma.h", {"base"}},           {"zstd.h", {"base"}},
      {"xxhash.h", {"base"}},   {"nlohmann/", {"base"}},        {"re2/", {"stats", "verdict", "suite"}},
      {"Eigen/", {"explain"}},  {"boost/", {"cli", "console"}}, {"toml++/", {"base"}},
      {"soci/", {"store"}},     {"valgrind/", {"callgrind"}},   {"torch/", {"fuzzer"}},
      {"ATen/", {"fuzzer"}},    {"c10/", {"fuzzer"}},           {"cuda_runtime", {"timer"}},
      {"cuda.h", {"timer"}},    {"pugixml", {"report"}},        {"elfutils/", {"objects"}},
      {"dwarf.h", {"objects"}}, {"capstone/", {"objects"}},
  };
  const std::set<std::string> in_headers_too = {"nlohmann/", "torch/", "ATen/"};
  for (const SourceFile& source : load_sources()) {
    if (is_stub(source)) continue;
    for (const std::string& line : source.lines) {
      const std::string header = included(line);
      for (const auto& [prefix, folders] : homes) {
        if (!header.starts_with(prefix)) continue;
        EXPECT_TRUE(folders.contains(source.folder)) << source.path << " includes " << header;
        const bool is_header = source.path.ends_with(".h");
        EXPECT_TRUE(!is_header || in_headers_too.contains(prefix))
            << source.path << " shows " << header << " to its users";
      }
    }
  }
}

TEST(LayeringTest, OnlyCliPrints) {
  const std::vector<std::string> printers = {"std::cout", "std::cerr", "std::clog", "printf(",
                                             "fputs(",    "puts(",     "fwrite("};
  for (const SourceFile& source : load_sources()) {
    if (source.folder == "cli" || is_stub(source)) continue;
    for (size_t i = 0; i < source.lines.size(); ++i) {
      const std::string& line = source.lines[i];
      for (const std::string& printer : printers) {
        const size_t at = line.find(printer);
        if (at == std::string::npos || (at > 0 && (std::isalnum(line[at - 1]) || line[at - 1] == '_'))) continue;
        const size_t quote = line.find('"');
        const size_t comment = line.find("//");
        if (quote < at || comment < at) continue;  // text of generated code, or a remark
        ADD_FAILURE() << source.path << ":" << i + 1 << " prints; only cli does";
      }
    }
  }
}

/// The name of the type that a line at the left margin defines; empty for other lines, declarations among them.
std::string defined_type(std::string_view line) {
  for (const std::string_view keyword : {"enum class ", "enum ", "struct ", "class ", "union "}) {
    if (!line.starts_with(keyword)) continue;
    line.remove_prefix(keyword.size());
    const std::string name(line.substr(0, line.find_first_of(" :{;")));
    const bool defines =
        line.find('{') != std::string_view::npos && !name.empty() && line.substr(name.size(), 2) != "::";
    return defines ? name : std::string();
  }
  return {};
}

TEST(LayeringTest, TypeNamesAreUniqueAcrossHeaders) {
  // Two types of one name in one namespace link without a word, and one runs the other's destructor.
  std::map<std::string, std::string> seen;
  for (const SourceFile& source : load_sources()) {
    if (!source.path.ends_with(".h") || is_stub(source)) continue;
    for (const std::string& line : source.lines) {
      const std::string name = defined_type(line);
      if (name.empty()) continue;
      const auto [at, is_new] = seen.emplace(name, source.path);
      EXPECT_TRUE(is_new || at->second == source.path)
          << source.path << " and " << at->second << " both define " << name;
    }
  }
  EXPECT_GT(seen.size(), 100u);
}

TEST(LayeringTest, FileNamesAreUniqueAcrossFolders) {
  std::map<std::string, std::string> seen;
  for (const SourceFile& source : load_sources()) {
    const std::string name = fs::path(source.path).filename();
    const auto [at, is_new] = seen.emplace(name, source.path);
    EXPECT_TRUE(is_new) << source.path << " and " << at->second;
  }
}

TEST(LayeringTest, HeadersSayWhatTheyAre) {
  for (const SourceFile& source : load_sources()) {
    if (!source.path.ends_with(".h")) continue;
    ASSERT_FALSE(source.lines.empty()) << source.path;
    EXPECT_TRUE(source.lines[0].starts_with("// ")) << source.path << " does not open with what it represents";
  }
}

/// This makes a header's own .cc the proof that it compiles alone; cmake/IcountTargets.cmake compiles only the others
/// so.
TEST(LayeringTest, SourcesIncludeTheirOwnHeaderFirst) {
  int checked = 0;
  for (const SourceFile& source : load_sources()) {
    if (!source.path.ends_with(".cc")) continue;
    const std::string header = source.path.substr(0, source.path.size() - 3) + ".h";
    if (!fs::exists(fs::path(source_dir()) / header)) continue;
    for (const std::string& line : source.lines) {
      if (included(line).empty()) continue;
      EXPECT_EQ(included(line), header) << source.path << " must include its own header before all others";
      ++checked;
      break;
    }
  }
  EXPECT_GE(checked, 100);
}

TEST(LayeringTest, NoDetailFoldersOrNamespaces) {
  for (const SourceFile& source : load_sources()) {
    EXPECT_EQ(source.path.find("/detail"), std::string::npos) << source.path;
    EXPECT_EQ(source.path.find("/internal"), std::string::npos) << source.path;
    for (const std::string& line : source.lines)
      EXPECT_EQ(line.find("namespace detail"), std::string::npos) << source.path;
  }
}

}  // namespace
}  // namespace icount
