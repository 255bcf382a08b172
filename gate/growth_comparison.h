// Benchmarks that differ in their size alone -> how each side's cost grows, as the verdict judges it. Used by
// gate/gate_comparison; read verdict/growth_limit.h first.
#pragma once

#include <vector>

#include "icount/gate/gate_sides.h"
#include "icount/verdict/gate.h"

namespace icount {

/// Of those in `comparison` that were counted at three sizes or more: every label that ends in "n = 400", and the
/// families of the suite's [[growth]] tables. The base is that of the results, else what was accepted.
std::vector<GateGrowth> make_gate_growths(const GateSides& sides, const Comparison& comparison);

}  // namespace icount
