// How far the repeats of a result lie apart, in words and as JSON.
#pragma once

#include <string>

#include "icount/base/json.h"
#include "icount/stats/result.h"

namespace icount {

/// "moves by 51 (0.003 %)": largest minus smallest count, and its share of the median. Of a result with counts.
std::string describe_spread(const Result& result);

/// {"min": 1926197, "max": 1926248}: the smallest and the largest count. Of a result with counts.
Json spread_to_json(const Result& result);

}  // namespace icount
