// Which hunks are one unit: too entangled to be judged apart. Union-find over the hunks of a diff.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "icount/mine/changed_source.h"

namespace icount {

class HunkUnits {
 public:
  explicit HunkUnits(size_t hunks);

  uint32_t of(uint32_t hunk) const;
  void join(uint32_t a, uint32_t b);
  void join(std::span<const uint32_t> hunks);

 private:
  mutable std::vector<uint32_t> parent_;
};

/// Joins hunks of code that lie in one function, hold two ends of moved text, share a name that one side alone has,
/// or belong to one new, gone or renamed file or include it.
void join_by_source(const ChangedSource& source, const CommitSources& commits, HunkUnits& units);

}  // namespace icount
