// Two files of results -> what became of each benchmark of either: one explanation for each that both have
// (inputs/compare_results.h). `diff` and the gate use it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/inputs/compare_results.h"
#include "icount/report/suite_text.h"

namespace icount {

/// What became of one benchmark.
struct BenchmarkDiff {
  enum class State { kCompared, kNew, kVanished, kFailed, kNotAlike };
  std::string key;  ///< result_key
  State state = State::kCompared;
  std::string reason;                ///< why it failed or is not comparable
  std::optional<ComparedPair> pair;  ///< when compared
  std::optional<WallTimePair> time;  ///< when both sides were done and timed
};
std::string_view to_text(BenchmarkDiff::State state);

/// Every benchmark of either side: compared ones by magnitude of change, then the others, each group by key.
std::vector<BenchmarkDiff> compare_files(const std::string& base_name, const ResultFile& base,
                                         const std::string& head_name, const ResultFile& head,
                                         const CompareResultsOptions& options);

}  // namespace icount
