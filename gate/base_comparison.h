// One benchmark of a run against the same benchmark of a base. Used by gate/gate_comparison. Pure.
#pragma once

#include <string>

#include "icount/gate/gate_sides.h"
#include "icount/verdict/gate.h"
#include "icount/verdict/gate_limit.h"

namespace icount {

/// Fills state and values; `base` may be null.
void judge_by_base(const GateSides& sides, const LimitSet& limits, const Result& head, const Result* base,
                   GateBenchmark& benchmark);

/// Why the two results can't be compared, one line; empty when they can.
std::string incomparable_results(const GateSides& sides, const Result& head, const Result& base);

/// The wall times of both sides where a limit asks for them.
void add_wall_time(const GateSides& sides, const LimitSet& limits, const Result& head, const Result* base,
                   GateBenchmark& benchmark);

}  // namespace icount
