// `icount diff` of two saved results with several benchmarks: a table by label, then the causes per changed benchmark.
#pragma once

#include <span>

#include "icount/base/json.h"
#include "icount/inputs/compare_files.h"
#include "icount/report/document.h"

namespace icount {

/// Benchmarks whose causes are shown below the table unless all are asked for.
inline constexpr size_t kBenchmarksExplained = 3;

Document make_diff_set_document(std::span<const BenchmarkDiff> diffs, const ExplanationView& view, size_t width);

/// Schema icount-diff-set 1: every benchmark with its state and, when compared, the fields of icount-diff.
Json diff_set_to_json(std::span<const BenchmarkDiff> diffs);

}  // namespace icount
