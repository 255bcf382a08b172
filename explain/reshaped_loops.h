// Loops that iterate several times less often, each time dearer, and do the same: unrolled, vectorised, or no longer.
// Between explain/loop_matching and the terms; they are told per entry.
#pragma once

#include "icount/explain/opened_function.h"

namespace icount {

/// Marks regions that have several times fewer and dearer iterations with the same calls: unrolled, vectorised, or no
/// longer. Chooses per side whether passes that leave from the header are turns, so that turns agree best.
void find_reshaped(OpenedFunction& opened, const CalleeNodes& callees);

}  // namespace icount
