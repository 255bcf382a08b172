// A unified diff as files and hunks: what git, diff -u and code review tools write. A hunk here is one run of removed
// and added lines; lines of context only separate them, so that every amount of context gives the same hunks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// Lines first, first + 1, ...; without any, the place behind line `first`.
struct LineRange {
  uint64_t first = 0, count = 0;

  bool has(uint64_t line) const { return line >= first && line - first < count; }
  bool operator==(const LineRange&) const = default;
};

struct DiffFile {
  std::string old_path, new_path;  ///< empty: there is none on that side
  bool is_binary = false;
  bool is_submodule = false;

  const std::string& path() const { return new_path.empty() ? old_path : new_path; }
  const std::string& path(size_t side) const { return side == 0 ? old_path : new_path; }
};

struct DiffHunk {
  uint32_t file = 0;  ///< index into Diff::files
  LineRange old_lines, new_lines;
  std::vector<std::string> removed, added;  ///< without line ends, CR included

  const LineRange& lines(size_t side) const { return side == 0 ? old_lines : new_lines; }
  const std::vector<std::string>& text(size_t side) const { return side == 0 ? removed : added; }
};

struct Diff {
  std::vector<DiffFile> files;
  std::vector<DiffHunk> hunks;  ///< in the diff's order
};

/// Text between the diff's parts (a mail around it) is skipped. Error{kMalformed} "NAME:LINE: ..." for a hunk that ends
/// early, for a merge's combined diff, and for a text without any file.
Diff parse_diff(std::string_view text, std::string_view name);

/// The text of a file on the side that is not `side`, by that of `side`; nothing where the text is not that side's: a
/// hunk has other lines. `chosen`, by hunk: the others stay as they are in `text`; empty: all are chosen.
std::optional<std::string> other_text(const Diff& diff, uint32_t file, size_t side, std::string_view text,
                                      const std::vector<bool>& chosen = {});

}  // namespace icount
