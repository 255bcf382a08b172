// What is told a binary that runs all its cases by itself, and how its cases are named: Catch2, nanobench. Used by
// timer/hooked_counting.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

using BenchLabels = std::vector<std::vector<std::string>>;

/// How a framework of this kind is asked, and what its cases are called.
struct HookedBinary {
  std::vector<std::string> arguments;
  std::string plan;
  /// Of the cases that began, by the file that the binary wrote; a label that it does not know stays empty.
  std::function<BenchLabels(std::string_view out)> read_labels;
  std::string remedy;      ///< where no hook fires
  bool is_chosen = false;  ///< it has the cases that were asked for and no others
};

HookedBinary catch2_binary();
HookedBinary nanobench_binary();

/// Test case and benchmark of each benchmark in Catch2's XML report, in order; the report may be cut off.
BenchLabels parse_catch_names(std::string_view xml);

}  // namespace icount
