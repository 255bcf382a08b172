// Which loop of base is which of head where the code differs: by aligned source lines, callees, depth, order and
// figures. What is not matched is one side's alone, never guessed. Used by explain/opened_function.h.
#pragma once

#include "icount/explain/opened_function.h"

namespace icount {

/// Fills regions, region_of_loop and lines of a function whose code differs. Does not depend on which side is base.
/// `callees` as in open_function.
void match_loops(OpenedFunction& opened, const CalleeNodes& callees);

}  // namespace icount
