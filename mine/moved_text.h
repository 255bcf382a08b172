// Text that a diff removes in one place and adds in another: it was moved, not changed.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>

#include "icount/mine/diff_hunks.h"

namespace icount {

/// A line of a file of the diff.
using DiffLine = std::pair<uint32_t, uint64_t>;  ///< index into Diff::files, number

/// Lines by where they were and where they are.
struct MovedText {
  std::map<DiffLine, DiffLine> to_head, to_base;
};

/// Runs of two lines and more, with twenty letters or digits in all, that are equal but for blanks and a last '\'. Each
/// line is moved once; the longest run from each line on is taken, the first of equals.
MovedText find_moved_text(const Diff& diff);

}  // namespace icount
