// `icount diff` of two saved results with several benchmarks: a table by label, then the causes per changed benchmark.
#pragma once

#include <iosfwd>
#include <span>

#include "icount/base/json.h"
#include "icount/inputs/compare_files.h"
#include "icount/report/text_style.h"

namespace icount {

/// Benchmarks whose causes are shown below the table unless all are asked for.
inline constexpr size_t kBenchmarksExplained = 3;

void render_diff_set_text(std::ostream& out, std::span<const BenchmarkDiff> diffs, const ExplanationView& view,
                          const TextStyle& style);
void render_diff_set_markdown(std::ostream& out, std::span<const BenchmarkDiff> diffs, const ExplanationView& view);

/// Schema icount-diff-set 1: every benchmark with its state and, when compared, the fields of icount-diff.
Json diff_set_to_json(std::span<const BenchmarkDiff> diffs);

}  // namespace icount
