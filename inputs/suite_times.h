// Wall times out of saved results (stats/result.h keeps them as text), for `suite show`, `suite run` and `diff`.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "icount/stats/measurement.h"
#include "icount/stats/result.h"

namespace icount {

/// The wall time of each result, in order; nullopt where there is none. Error{kMalformed} for one that is damaged.
std::vector<std::optional<Measurement>> load_times(std::span<const Result> results);

}  // namespace icount
