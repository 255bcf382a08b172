// The instruction counts of one task: PyTorch's CallgrindStats, immutable, with its four tables of
// FunctionCounts. Made from a cost graph here or read from a result file; printed by report/measurement_text.h.
// Read function_counts.h first.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "icount/callgraph/cost_graph.h"
#include "icount/stats/function_counts.h"
#include "icount/stats/measurement.h"
#include "icount/stats/name_rules.h"

namespace icount {

// Build roots: where two builds of one source tree lay. Found by comparing the files of both sides, so that
// /home/a/src/x.cc and /ci/42/src/x.cc are known to be one file. Used by explain() and by standardised counts.

/// Files below `base` on the base side are the files below `head` on the head side. Both end with '/' or are empty.
struct RootPair {
  std::string base;
  std::string head;
  bool operator==(const RootPair&) const = default;
};

/// Pairs of roots under which files that only one side knows become equal, the pair that settles most files first.
/// Only files that are not on both sides take part, and a pair must leave at least one folder and the file name, or
/// the file name when it occurs once on each side.
std::vector<RootPair> find_build_roots(std::span<const std::string_view> base_files,
                                       std::span<const std::string_view> head_files);

/// `file` of the head side as the base side would spell it: the first fitting pair's root replaced; else as it is.
std::string to_base_root(std::string_view file, std::span<const RootPair> roots);

/// What delta() does when the two sides were run a different number of times.
enum class UnequalRuns {
  kRefuse,  ///< Error{kCannotJudge} naming both numbers
  kScale,   ///< other's counts are brought to this side's number of runs, each rounded to the nearest
  kIgnore   ///< subtracts the raw counts, as PyTorch does
};

class CallgrindStats {
 public:
  /// What a CallgrindStats is made of. Counts are for all `number_per_run` runs together, never per run.
  struct Parts {
    TaskSpec task_spec;
    int64_t number_per_run = 1;
    bool built_with_debug_symbols = false;
    FunctionCounts baseline_inclusive{{}, true};
    FunctionCounts baseline_exclusive{{}, false};
    FunctionCounts stmt_inclusive{{}, true};
    FunctionCounts stmt_exclusive{{}, false};
    std::optional<std::string> stmt_callgrind_out;  ///< text of the profile when it was kept
  };

  /// Error{kUsage} when number_per_run is below 1.
  explicit CallgrindStats(Parts parts);

  const TaskSpec& task_spec() const { return parts_.task_spec; }
  int64_t number_per_run() const { return parts_.number_per_run; }
  bool built_with_debug_symbols() const { return parts_.built_with_debug_symbols; }
  const std::optional<std::string>& stmt_callgrind_out() const { return parts_.stmt_callgrind_out; }
  const FunctionCounts& baseline(bool inclusive = false) const {
    return inclusive ? parts_.baseline_inclusive : parts_.baseline_exclusive;
  }
  /// The statement's table; the baseline is not subtracted.
  const FunctionCounts& stats(bool inclusive = false) const {
    return inclusive ? parts_.stmt_inclusive : parts_.stmt_exclusive;
  }

  /// Instructions of all runs: the sum of the exclusive table, without PyTorch's noise when asked.
  int64_t counts(bool denoise = false) const;
  /// counts() / number_per_run, for people.
  double counts_per_run() const;

  /// This side's table minus other's.
  FunctionCounts delta(const CallgrindStats& other, bool inclusive = false,
                       UnequalRuns unequal = UnequalRuns::kRefuse) const;

  /// PyTorch's as_standardized: compatible_rules() over whole names, equal names added up after every
  /// rule; the kept profile text is dropped.
  CallgrindStats as_standardized() const;
  /// The better form: `rules` see the file alone, the object keeps its file name only, the function stays
  /// whole (clone tags too). The kept profile text is dropped.
  CallgrindStats as_standardized(const NameRules& file_rules) const;

  /// Every table replaced by `rewrite` of it; the kept profile text is dropped.
  CallgrindStats rewritten(const std::function<FunctionCounts(const FunctionCounts&)>& rewrite) const;

 private:
  Parts parts_;
};

/// Rules for the file part alone: sources of PyTorch, generated ATen, CPython, glibc's own spellings.
const NameRules& standard_file_rules();

/// Both sides in the better form of as_standardized, after build roots that differ were made alike
/// (stats/callgrind_stats.h).
std::pair<CallgrindStats, CallgrindStats> standardized_together(const CallgrindStats& base, const CallgrindStats& head);

/// Counts of one event of a graph, under names "file:function [object]", in descending order. A function that
/// holds the whole total is a row like any other (PyTorch drops it). Inclusive cost is that of
/// callgraph/cost_graph.h.
FunctionCounts make_function_counts(const CostGraph& graph, size_t event, bool inclusive);

}  // namespace icount
