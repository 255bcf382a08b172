// A diff seen from its other side.
#pragma once

#include <utility>

#include "icount/mine/diff_hunks.h"

namespace icount {

inline Diff reversed(Diff diff) {
  for (DiffFile& file : diff.files) std::swap(file.old_path, file.new_path);
  for (DiffHunk& hunk : diff.hunks) {
    std::swap(hunk.old_lines, hunk.new_lines);
    std::swap(hunk.removed, hunk.added);
  }
  return diff;
}

}  // namespace icount
