// Which lines of head are which of base, by the diff alone. Knows nothing of sources or figures.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "icount/explain/same_lines.h"
#include "icount/mine/attribution.h"
#include "icount/mine/diff_hunks.h"

namespace icount {

/// A line of a file of the diff.
using DiffLine = std::pair<uint32_t, uint64_t>;  ///< index into Diff::files, number

// Text that a diff removes in one place and adds in another: it was moved, not changed. Statements whose function
// did not move with them are an edit of it: they may run more or less often.

/// Lines by where they were and where they are.
struct MovedText {
  std::map<DiffLine, DiffLine> to_head, to_base;
};

/// Runs of two lines and more, with twenty letters or digits in all, that are equal but for blanks and a last '\'. Each
/// line is moved once; the longest run from each line on is taken, the first of equals.
MovedText find_moved_text(const Diff& diff);

/// Hunks by where they are.
class HunkMap {
 public:
  explicit HunkMap(const Diff& diff);

  const std::vector<uint32_t>& of(size_t side, uint32_t file) const { return hunks_of_[side][file]; }
  /// The last that begins at or before a line.
  std::optional<uint32_t> before(size_t side, uint32_t file, uint64_t line) const;
  /// Of a line of base that lies in no hunk; of one in a hunk, where head has as many of its lines.
  uint64_t head_line(uint32_t file, uint64_t line) const;

 private:
  const Diff& diff_;
  std::array<std::vector<std::vector<uint32_t>>, 2> hunks_of_;  // by file
};

/// Lines outside of hunks, lines that a hunk takes out and puts in again with other blanks, or edits in place, and text
/// that was moved inside its file. `files`: those of base's profile. `commits` must outlive it.
SameLines same_lines(std::span<const std::string> files, const CommitSources& commits);

}  // namespace icount
