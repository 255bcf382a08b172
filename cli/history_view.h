// From stored values to what `icount history` shows: which of a benchmark's figures, its noise, its steps, where runs
// were not measured alike. Renders with report/history_text.h.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "icount/report/history_text.h"
#include "icount/store/history.h"

namespace icount {

enum class HistoryMetric { kCounts, kWall };

/// One BenchmarkHistory per series, in their order; those without a value of that kind are left out. Each run is
/// compared with that of its nearest measured ancestor, never with one of another branch. Where that is not known, it
/// is compared with the run before of the same branch, if that has a name, and the row says so. Where two runs can't be
/// compared (stats/fingerprint.h), each stretch is judged by itself.
std::vector<BenchmarkHistory> make_histories(History& store, const std::vector<BenchmarkSeries>& series,
                                             HistoryMetric metric);

/// Of each run, that of its nearest measured ancestor among them, likewise; 0: none.
std::map<int64_t, int64_t> runs_before(const std::vector<RunInfo>& runs);

}  // namespace icount
