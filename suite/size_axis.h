// What stands for a size in a statement whose growth is asked for: {n} in its texts, and a parameter of a fuzzer's
// table, by which its tensors grow. `icount growth` and the [[growth]] tables of suites make their statements here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "icount/harness/timer_args.h"

namespace icount {

/// A table of docs/fuzzer.md and which parameter of it is the size. The others are those of sample 0 of the seed.
struct FuzzAxis {
  std::filesystem::path table;  ///< empty: none
  std::string parameter;
  uint64_t seed = 0;
};

/// Set-up text that makes the tensors, by size; without a table no text. Errors as load_fuzzer_table's and
/// Fuzzer::along's.
std::vector<std::string> tensors_by_size(const FuzzAxis& axis, std::span<const int64_t> sizes, Language language);

/// The statement with the size in place of {n}, behind the set-up of its tensors.
TimerArgs at_size(TimerArgs statement, int64_t size, const std::string& tensors);

}  // namespace icount
