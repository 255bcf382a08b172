// One benchmark's numbers against the limits: what changed, crept or cannot be judged. The part of the gate that looks
// at figures; verdict/gate.h calls it for every benchmark that has them on both sides.
#pragma once

#include "icount/verdict/gate.h"

namespace icount {

/// Appends what there is to say about each of the benchmark's values to `verdict.findings`, in no order of weight. A
/// value over its own limit is not reported as creep, too. Throws Error{kMalformed} where figures leave int64.
void judge_numbers(const GateBenchmark& benchmark, const LimitSet& limits, Verdict& verdict);

}  // namespace icount
