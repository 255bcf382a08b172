// Which of a suite's benchmarks a run is to measure: filter, languages, shard of a bigger run. Between suite/expand.h
// and suite/batch.h.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/suite/expand.h"

namespace icount {

/// Part `index` (from 1) of `count` parts of a run that is spread over machines: every count-th benchmark, or parts
/// that cost about the same.
struct Shard {
  int index = 1;
  int count = 1;
  /// What each benchmark cost in an earlier run, by benchmark_name(); one that is not there is taken to cost as much as
  /// the (lower) median one. Empty: every count-th benchmark.
  std::map<std::string, double> costs = {};
};

/// "2/4"; Error{kUsage} that shows the form for anything else.
Shard parse_shard(std::string_view text);

struct PlanOptions {
  std::string filter;               ///< RE2, searched in benchmark_name(); empty: all
  std::vector<Language> languages;  ///< empty: all, programs too
  Shard shard;
  std::set<std::string> left_out;  ///< names
  bool may_be_empty = false;       ///< nothing left is no error: another commit's suite may lack what is asked for

  bool restricts() const { return !filter.empty() || !languages.empty() || shard.count > 1; }
};

/// PlanOptions::filter compiled.
class NameFilter {
 public:
  /// Error{kUsage} for a text that is no regular expression.
  explicit NameFilter(const std::string& pattern);
  ~NameFilter();
  bool matches(std::string_view name) const;

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
};

/// "Pointwise / Math / add / Case:  0 / C++ [2 threads]": what filters match and people read. Unique within a suite.
std::string benchmark_name(const Benchmark& benchmark);

/// The benchmarks that the options leave, in their order. Error{kUsage} for a filter that is no regular expression and,
/// naming the suite and what was asked for, when none is left: an empty run must not look like a good one.
std::vector<Benchmark> select_benchmarks(std::span<const Benchmark> benchmarks, const PlanOptions& options,
                                         std::string_view suite_name);

/// Error{kUsage} with one line for each benchmark that wants more threads than there are cores.
void check_threads(std::span<const Benchmark> benchmarks, int cores);

}  // namespace icount
