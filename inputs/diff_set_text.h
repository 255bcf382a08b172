// `icount diff` of two saved results with several benchmarks: a table by label, then the causes per changed benchmark.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "icount/base/json.h"
#include "icount/inputs/compare_files.h"
#include "icount/report/document.h"

namespace icount {

// What a comparison of many benchmarks comes to: how many cost more or less, and the largest change of each direction.
// First thing that `icount diff` says of two suites. Values: inputs/compare_files.h.

/// Benchmarks whose change has one direction; null pointers where there are none.
struct ChangedBenchmarks {
  size_t count = 0;
  const BenchmarkDiff* largest = nullptr;              ///< by instructions; of equal ones the first
  const BenchmarkDiff* largest_of_its_base = nullptr;  ///< by share of base; those without a base cost are left out
};

struct DiffSetSummary {
  ChangedBenchmarks more, less;
  size_t unchanged = 0;
};

/// Of the compared ones.
DiffSetSummary summarize_diff_set(std::span<const BenchmarkDiff> diffs);

/// "37 cost more: at most +1,898,561 Ir (LABEL) and +67.60% (LABEL)", and the same for less; without what there is
/// none of. One benchmark that is both is named once.
std::vector<std::string> summary_sentences(const DiffSetSummary& summary);

/// Benchmarks whose causes are shown below the table unless all are asked for.
inline constexpr size_t kBenchmarksExplained = 3;

Document make_diff_set_document(std::span<const BenchmarkDiff> diffs, const ExplanationView& view, size_t width);

/// Schema icount-diff-set 1: every benchmark with its state and, when compared, the fields of icount-diff.
Json diff_set_to_json(std::span<const BenchmarkDiff> diffs);

}  // namespace icount
