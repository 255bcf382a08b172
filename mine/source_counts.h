// How often every source line and branch runs, whatever the optimiser did: the control of `--source-counts`. Each side
// was built once more without optimisation and with gcc's coverage, and run natively; gcov's JSON says what ran.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

struct LineCount {
  int64_t executions = 0;
  std::vector<int64_t> branches;  ///< how often each was taken, in gcov's order

  bool operator==(const LineCount&) const = default;
};

/// By path below the repository's top folder, and line.
using SourceCounts = std::map<std::string, std::map<uint64_t, LineCount>>;

/// Adds what one line of `gcov --json-format --stdout` says of files below one of `roots`. Instances of a template, and
/// copies of a header's functions, are added up. Error{kMalformed}.
void add_gcov_json(std::string_view json, std::span<const std::string> roots, SourceCounts& counts);

}  // namespace icount
