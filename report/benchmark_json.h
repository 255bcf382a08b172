// One benchmark of an HTML report as JSON: totals, causes, and the tables of functions and calls as columns of numbers,
// cut to the limits with what was left out summed up. Part of report/report_json.h.
#pragma once

#include "icount/base/json.h"
#include "icount/report/report_data.h"
#include "icount/report/report_limits.h"
#include "icount/report/report_strings.h"

namespace icount {

/// Names go into `strings`; tables refer to them by number. Sums of what is shown and what is said to be left out are
/// exact.
Json benchmark_to_json(const ReportBenchmark& benchmark, const ReportLimits& limits, ReportStrings& strings);

}  // namespace icount
