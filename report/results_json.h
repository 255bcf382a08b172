// `icount count --format json`: schema icount-count 1, documented in docs/json.md.
#pragma once

#include <span>

#include "icount/base/json.h"
#include "icount/stats/function_filter.h"
#include "icount/stats/result.h"

namespace icount {

/// Every result, failed ones with empty counts and per_run null; functions by self cost of the first event.
Json results_to_json(std::span<const Result> results, const FunctionFilter& filter = {});

}  // namespace icount
