// Plots of an HTML report as JSON: a Fuzzer run (cost over input size, statement against statement) and tables of wall
// times beside instructions. Part of report/report_json.h.
#pragma once

#include <string_view>

#include "icount/base/json.h"
#include "icount/stats/compare.h"
#include "icount/stats/fuzz_result.h"

namespace icount {

/// Points as columns {elements, cost, against, shape}; failed ones are counted. Fits {factor, exponent} where there are
/// any.
Json fuzz_plot_json(std::string_view name, const FuzzResult& result);

/// {label, columns, rows: [{name, threads, env, cells: [{median, p25, p75, times, number_per_run, instructions}]}]};
/// seconds per run, at most kMostTimes of them, evenly taken from the ordered times.
Json timing_plot_json(const CompareTable& table);
inline constexpr size_t kMostTimes = 60;

}  // namespace icount
