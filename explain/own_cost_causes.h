// Causes that tell of own cost inside an opened function: of its body, of an iteration, of a loop's last test, of a
// loop that was reshaped, and of an inlined function's part. Part of explain/inside_causes.
#pragma once

#include "icount/explain/inlined_code.h"
#include "icount/explain/inside_names.h"

namespace icount {

/// All that a node of the graph costs itself.
Cause own_cost_cause(const InsideNames& names, uint32_t n);

/// A part of it: one inlined function's, or what is left when those that are told have been taken out.
Cause inlined_part_cause(const InsideNames& names, uint32_t n, const InlinedPart& part);

}  // namespace icount
