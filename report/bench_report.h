// What `icount bench` found, as text, Markdown and JSON (schema icount-bench 1, docs/json.md). Value:
// stats/bench_count.h.
#pragma once

#include <iosfwd>

#include "icount/base/json.h"
#include "icount/report/results_text.h"
#include "icount/report/text_style.h"
#include "icount/stats/bench_count.h"

namespace icount {

/// A row per case, then what was refused and how families grow. With view.top above 0 the costliest functions of each
/// case follow.
void render_bench_text(std::ostream& out, const BenchCount& count, const ResultsView& view, const TextStyle& style);
void render_bench_markdown(std::ostream& out, const BenchCount& count);

/// The fields of `count`, and framework, refused, complexities.
Json bench_to_json(const BenchCount& count);

}  // namespace icount
