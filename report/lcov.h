// What of a program's source ran, as the records that lcov, genhtml and most other viewers of coverage read
// (geninfo(1), "FILES"). The values come from inputs/load_coverage.h.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace icount {

/// A conditional jump in the code of a line.
struct CoveredBranch {
  bool is_reached = false;
  int64_t jumped = 0, passed = 0;
};

struct CoveredSource {
  std::string file;
  std::map<std::string, std::pair<uint64_t, int64_t>> functions;  ///< by name: where it begins, its calls
  std::map<uint64_t, int64_t> lines;                              ///< every line that has code, with its executions
  std::map<uint64_t, std::vector<CoveredBranch>> branches;        ///< by line
};

std::string render_lcov(std::span<const CoveredSource> sources);

}  // namespace icount
