// What `icount bench` found, for people and as JSON (schema icount-bench 1, docs/json.md). Value:
// stats/result.h.
#pragma once

#include "icount/base/json.h"
#include "icount/report/document.h"
#include "icount/report/results_text.h"
#include "icount/stats/result.h"

namespace icount {

/// A row per case, then what was refused and how families grow. With view.top above 0 the costliest functions of each
/// case follow.
Document make_bench_document(const BenchCount& count, const ResultsView& view, size_t width);

/// A row per test that was counted, then how many there are of each kind, and those that were not, with the reason.
Document make_tests_document(const BenchCount& count, const ResultsView& view, size_t width);

/// The fields of `count`, and framework, refused, complexities.
Json bench_to_json(const BenchCount& count);

}  // namespace icount
