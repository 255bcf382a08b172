// Results, accepted values and a base -> the Comparison that verdict/gate.h judges, benchmark by benchmark. No effects:
// what is read from disk or measured comes in as values. Called by command_gate.cc; read verdict/gate.h and
// gate_sides.h first.
#pragma once

#include "icount/gate/gate_sides.h"
#include "icount/verdict/gate.h"
#include "icount/verdict/gate_limit.h"

namespace icount {

Comparison make_comparison(const GateSides& sides, const LimitSet& limits);

}  // namespace icount
