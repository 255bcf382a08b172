#include "icount/inputs/listing_sources.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/text.h"
#include "icount/callgraph/name_parts.h"
#include "icount/inputs/git_commit.h"
#include "icount/report/listing_document.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kContext = 2;      // lines around those that were executed
constexpr uint64_t kSmallGap = 6;     // so many lines between two are shown, too
constexpr size_t kLongestLine = 300;  // code points; what is longer was generated
constexpr uint64_t kTabWidth = 4;
constexpr uintmax_t kLargestSource = 64'000'000;
constexpr size_t kNamedFiles = 3;

std::optional<fs::file_time_type> time_of(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  const auto time = fs::last_write_time(path, error);
  return error ? std::nullopt : std::optional(time);
}

/// A source file as it is now.
struct SourceFile {
  fs::path path;
  fs::file_time_type changed;
  std::vector<std::string> lines;
};

std::string readable_line(std::string_view line) {
  std::string plain;
  for (const char c : line) {
    if (c == '\t')
      plain.append(kTabWidth - plain.size() % kTabWidth, ' ');
    else if (c != '\r' && c != '\f')
      plain += c;
  }
  plain = escape_for_terminal(plain);
  return display_width(plain) > kLongestLine ? shorten_middle(plain, kLongestLine) : plain;
}

/// A line on which nothing can be executed.
bool has_no_code(std::string_view line) {
  const std::string_view text = trim(line);
  return text.empty() || text.starts_with("//");
}

class SourceLoader {
 public:
  SourceLoader(const std::array<std::string, 2>& sides, const CommitSources* commits)
      : sides_(sides), commits_(commits) {
    for (size_t side = 0; side < 2; ++side) recorded_[side] = time_of(sides[side]);
  }

  void load(FunctionListing& listing) {
    std::array<std::map<std::string, std::set<uint64_t>>, 2> wanted;
    for (size_t side = 0; side < 2; ++side)
      for (const ListedLine& line : listing.lines[side]) wanted[side][line.place.file].insert(line.place.line);
    std::set<std::string> missing;
    for (size_t side = 0; side < 2; ++side)
      for (const auto& [file, lines] : wanted[side]) {
        const SourceFile* source = find(file, side);
        if (!source) {
          if (!is_generated(file)) missing.insert(file);
          continue;
        }
        if (!is_wanted(listing, *source, side, wanted[1 - side], lines)) continue;
        add_excerpts(listing, file, *source, side, lines);
      }
    if (!missing.empty()) listing.source_notes.push_back(missing_note(missing));
    std::sort(listing.source_notes.begin(), listing.source_notes.end());
    listing.source_notes.erase(std::unique(listing.source_notes.begin(), listing.source_notes.end()),
                               listing.source_notes.end());
  }

 private:
  std::string_view name_of(size_t side) const {
    return sides_[0].empty() ? "the profile" : side == 0 ? "base" : "head";
  }

  using LinesByFile = std::map<std::string, std::set<uint64_t>>;

  /// Null where there is none.
  const SourceFile* find(const std::string& file, size_t side) {
    if (file.empty() || file == "???") return nullptr;
    if (const SourceFile* found = commits_ ? read_of_commit(file, side) : nullptr) return found;
    std::vector<fs::path> places{below_build_folder(file).empty() ? file : below_build_folder(file)};
    if (fs::path(file).is_relative() && recorded_[side])
      places.insert(places.begin(), fs::path(sides_[side]).parent_path() / file);
    for (const fs::path& place : places)
      if (const SourceFile* found = read(place)) return found;
    return nullptr;
  }

  /// What statements were compiled in has this name in their debug information (harness/compile.cc): the working
  /// folder.
  static std::string below_build_folder(std::string_view file) {
    constexpr std::string_view kFolder = "/icount/";
    return std::string(file.starts_with(kFolder) ? file.substr(kFolder.size()) : "");
  }

  /// Of icount's own around a statement, and the statement.
  static bool is_generated(const std::string& file) {
    return file == "stmt" || below_build_folder(file) == "stmt" || file.ends_with("icount-generated") ||
           file.ends_with("stub_benchmark.h");
  }

  /// The file's path in its repository; empty: it is in none that is known. A name without a folder in front is of the
  /// working folder, else of the repository's top.
  std::string path_in_repository(const std::string& file, size_t side) const {
    const bool is_relative = fs::path(file).is_relative();
    const std::string below = is_relative ? file : below_build_folder(file);
    for (const std::string& root : commits_->roots[side])
      if (fs::path inside = below.empty() ? fs::path() : (fs::current_path() / below).lexically_relative(root);
          !inside.empty() && *inside.begin() != "..")
        return inside.lexically_normal().string();
    if (is_relative) return fs::path(file).lexically_normal().string();
    for (const std::string& root : commits_->roots[side])
      if (file.starts_with(root + "/")) return file.substr(root.size() + 1);
    const std::string tree = fmt::format("/{}/", kTreeFolder);
    const size_t worktrees = file.find(fmt::format("/{}/", kWorktreesFolder));
    const size_t found = file.find(tree, std::min(worktrees, file.size()));
    return found == std::string::npos ? std::string() : file.substr(found + tree.size());
  }

  const SourceFile* read_of_commit(const std::string& file, size_t side) {
    const std::string inside = path_in_repository(file, side);
    if (inside.empty()) return nullptr;
    const auto [at, fresh] = files_.try_emplace(fmt::format("{}:{}", side, inside));
    if (const auto text = fresh ? commits_->text(side, inside) : std::nullopt)
      at->second = SourceFile{.path = inside, .changed = fs::file_time_type::min(), .lines = lines_of(*text)};
    return at->second ? &*at->second : nullptr;
  }

  static std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    for (const std::string_view line : split_lines(text)) lines.emplace_back(line);
    return lines;
  }

  const SourceFile* read(const fs::path& path) {
    const auto [at, fresh] = files_.try_emplace(path.string());
    if (!fresh) return at->second ? &*at->second : nullptr;
    std::error_code error;
    const auto changed = time_of(path);
    if (!changed || fs::file_size(path, error) > kLargestSource || error) return nullptr;
    std::string text;
    try {
      text = load_text(path);
    } catch (const Error&) {
      return nullptr;  // not readable is not found
    }
    if (text.find('\0') != std::string::npos) return nullptr;
    at->second = SourceFile{.path = path, .changed = *changed, .lines = lines_of(text)};
    return &*at->second;
  }

  bool is_newer(const SourceFile& source, size_t side) const {
    return recorded_[side] && source.changed > *recorded_[side];
  }

  /// Whether this file's text may stand beside a side's lines; says why not, and what is in doubt.
  bool is_wanted(FunctionListing& listing, const SourceFile& source, size_t side, const LinesByFile& others,
                 const std::set<uint64_t>& lines) const {
    for (const uint64_t line : lines) {
      const bool missing = line > source.lines.size();
      if (!missing && !has_no_code(source.lines[line - 1])) continue;
      listing.source_notes.push_back(fmt::format(
          "the source {} does not fit {}: its line {} was executed, but {}; its text is left out", source.path.string(),
          name_of(side), line, missing ? "the file is shorter" : "there is no code on it"));
      return false;
    }
    if (!is_newer(source, side)) return true;
    const bool of_both =
        std::any_of(others.begin(), others.end(),
                    [&](const auto& other) {
                      const auto found = files_.find(other.first);
                      return found != files_.end() && found->second && found->second->path == source.path;
                    }) ||
        others.contains(source.path.string());
    if (of_both && !is_newer(source, 1 - side)) {
      listing.source_notes.push_back(
          fmt::format("the source {} was changed after {} was recorded: its text is shown for {} only",
                      source.path.string(), name_of(side), name_of(1 - side)));
      return false;
    }
    listing.source_notes.push_back(
        fmt::format("the source {} was changed after {} was recorded: its text may not be what was run",
                    source.path.string(), name_of(side)));
    return true;
  }

  static void add_excerpts(FunctionListing& listing, const std::string& file, const SourceFile& source, size_t side,
                           const std::set<uint64_t>& lines) {
    const auto count = static_cast<uint64_t>(source.lines.size());
    uint64_t shown = 0;  // the last line that is
    for (const uint64_t line : lines) {
      const uint64_t from = line > kContext ? line - kContext : 1, to = std::min(line + kContext, count);
      std::vector<SourceExcerpt>& excerpts = listing.sources[side];
      if (shown == 0 || from > shown + kSmallGap) {
        excerpts.push_back({.file = file, .first_line = from, .lines = {}});
        shown = from - 1;
      }
      for (; shown < to; ++shown) excerpts.back().lines.push_back(readable_line(source.lines[shown]));
    }
  }

  static std::string missing_note(const std::set<std::string>& missing) {
    std::vector<std::string> names;
    for (const std::string& file : missing) {
      if (names.size() == kNamedFiles) break;
      names.push_back(file);
    }
    const size_t more = missing.size() - names.size();
    return fmt::format("no source text of {}{}: not found", fmt::join(names, ", "),
                       more == 0 ? std::string() : fmt::format(" and {} more", more));
  }

  std::array<std::string, 2> sides_;
  const CommitSources* commits_;
  std::array<std::optional<fs::file_time_type>, 2> recorded_;
  std::map<std::string, std::optional<SourceFile>> files_;  // by path; nothing where there is no such text
};

/// The text of a side's line, where nothing is in doubt about it; else empty.
std::string text_of_line(SourceLoader& loader, size_t side, ListedPlace place) {
  FunctionListing listing;
  listing.lines[side].push_back({.place = std::move(place)});
  loader.load(listing);
  const std::string* const text = find_source_line(listing, side, listing.lines[side].front().place);
  return text == nullptr || !listing.source_notes.empty() ? std::string() : std::string(trim(*text));
}

void load_sources(SourceLoader& loader, Cause& cause) {
  std::vector<CauseLine> lines;
  for (CauseLine& line : cause.lines) {
    std::string text;
    if (line.head != 0 && base_of_path(cause.file) == line.file)
      text = text_of_line(loader, 1, {cause.file, line.line});
    // Lines that cost alike are two where their texts are not the same.
    if (line.base_line != 0 && line.base_file != cause.file && line.base != 0 && line.head != 0 && !text.empty()) {
      const std::string before = text_of_line(loader, 0, {line.base_file, line.base_line});
      line.is_certain = !before.empty() || line.is_certain;
      if (!before.empty() && before != text) {
        lines.push_back({.file = line.file, .line = line.base_line, .base = std::exchange(line.base, 0)});
        lines.back().inlined = line.inlined;
      }
    }
    if (text.find('`') == std::string::npos) line.text = std::move(text);
    lines.push_back(std::move(line));
  }
  cause.lines = std::move(lines);
  std::stable_sort(cause.lines.begin(), cause.lines.end(), [](const CauseLine& a, const CauseLine& b) {
    return std::abs(a.head - a.base) > std::abs(b.head - b.base);
  });
  if (!cause.inside.empty()) load_sources(loader, cause.inside.front());
}

}  // namespace

void load_cause_sources(std::vector<Cause>& causes, const std::array<std::string, 2>& sides,
                        const CommitSources* commits) {
  constexpr size_t kShown = 12;
  SourceLoader loader(sides, commits);
  for (size_t i = 0; i < causes.size() && i < kShown; ++i) load_sources(loader, causes[i]);
}

void load_listing_sources(std::vector<FunctionListing>& listings, const std::array<std::string, 2>& sides,
                          const CommitSources* commits) {
  SourceLoader loader(sides, commits);
  for (FunctionListing& listing : listings) loader.load(listing);
}

}  // namespace icount
