// One benchmark of a run against the same benchmark of a base. Used by gate/gate_comparison. Pure.
#pragma once

#include "icount/gate/gate_sides.h"
#include "icount/stats/fingerprint.h"
#include "icount/verdict/gate.h"
#include "icount/verdict/gate_limit.h"

namespace icount {

/// Whether two results can be compared.
Comparability comparable_to_base(const GateSides& sides, const Result& head, const Result& base);

/// Fills state, values and notes; `base` and with it `alike`, their comparable_to_base, may be null.
void judge_by_base(const GateSides& sides, const LimitSet& limits, const Result& head, const Result* base,
                   const Comparability* alike, GateBenchmark& benchmark);

/// The wall times of both sides where a limit asks for them.
void add_wall_time(const GateSides& sides, const LimitSet& limits, const Result& head, const Result* base,
                   GateBenchmark& benchmark);

}  // namespace icount
