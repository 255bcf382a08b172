// Counts the cases of a binary that runs all of them by itself: benchmarks of Catch2 and nanobench, tests, and plain
// functions, which the hooks call in place of main. Used by timer/count_bench.
#pragma once

#include <functional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "icount/harness/elf_file.h"
#include "icount/timer/bench_session.h"

namespace icount {

// What is told a binary that runs all its cases by itself, and how its cases are named.

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

/// Not for Google Benchmark and plain functions.
HookedBinary hooked_binary(BenchFramework framework);

/// Test case and benchmark of each benchmark in Catch2's XML report, in order; the report may be cut off.
BenchLabels parse_catch_names(std::string_view xml);

/// Suite, if any, and name of each test case in doctest's XML report, in order; the report may be cut off.
BenchLabels parse_doctest_names(std::string_view xml);

// Which cases of a benchmark binary are meant: --filter, a regular expression, and --case, a pattern. Pure.

/// BenchOptions::filter, searched in names; an empty one matches everything.
class LabelFilter {
 public:
  /// Error{kUsage} for what is no regular expression.
  explicit LabelFilter(const std::string& pattern);
  bool matches(const std::string& label) const { return !is_set_ || std::regex_search(label, expression_); }

 private:
  bool is_set_;
  std::regex expression_;
};

/// A pattern with * and ? against a whole name.
bool matches_pattern(std::string_view pattern, std::string_view name);

/// Fills the results of a hooked_binary. Errors of count_bench.
void count_hooked(BenchSession& session, BenchCount& count);

/// Labels of the cases, as the counted ones have them.
BenchLabels list_hooked(BenchSession& session);
BenchLabels list_functions(BenchSession& session, const ElfSymbols& symbols);

/// Functions without parameters whose name, as people write it, matches BenchOptions::functions. Error{kUsage} when
/// none does.
void count_functions(BenchSession& session, const ElfSymbols& symbols, BenchCount& count);

}  // namespace icount
