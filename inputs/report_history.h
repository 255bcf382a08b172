// A store's benchmarks over its runs, as an HTML report draws them. Used by `icount report --store` and `icount serve`.
#pragma once

#include "icount/inputs/report_benchmarks.h"
#include "icount/store/history.h"

namespace icount {

/// More points than that are closer together than a pixel.
inline constexpr size_t kMostReportPoints = 200;

/// Cost per run of every benchmark in the newest runs, oldest first.
ReportHistory load_report_history(History& history);

}  // namespace icount
