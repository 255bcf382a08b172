// Annotated sources of listed functions (report/annotated_source.h) for the page: the part "inside" of a benchmark in
// an HTML report's data. report/assets/inside.js draws it.
#pragma once

#include <vector>

#include "icount/base/json.h"
#include "icount/explain/function_listing.h"
#include "icount/report/report_limits.h"

namespace icount {

/// One object per listing that has rows, the first limits.opened of them.
Json listings_to_page_json(const std::vector<FunctionListing>& listings, const ReportLimits& limits);

}  // namespace icount
