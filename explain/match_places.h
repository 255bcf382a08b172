// Functions without a symbol: their names are addresses, which shift with every build. They pair by their order in the
// object and by what they do. A step of explain/match.h.
#pragma once

#include "icount/explain/pairing.h"

namespace icount {

/// Object by object: equal addresses when that agrees best with calls and costs, else an alignment in order of address
/// (functions with the same unmistakable figures are anchors, what lies between them pairs in order).
void match_by_place(Pairing& pairing);

}  // namespace icount
