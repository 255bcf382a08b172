// From stored values to what `icount history` shows: which of a benchmark's figures, its noise, its steps, where runs
// were not measured alike. Renders with report/history_text.h.
#pragma once

#include <vector>

#include "icount/report/history_text.h"
#include "icount/store/history.h"

namespace icount {

enum class HistoryMetric { kCounts, kWall };

/// One BenchmarkHistory per series, in their order; those without a value of that kind are left out. Where two runs
/// can't be compared (stats/fingerprint.h), each stretch is judged by itself.
std::vector<BenchmarkHistory> make_histories(History& store, const std::vector<BenchmarkSeries>& series,
                                             HistoryMetric metric);

}  // namespace icount
