// Functions that have a name on one side only: two builds of a library of which one is stripped. What stands in the
// place of the other is that function: the same caller, as many calls, like work below. A step of
// explain/match/match.h.
#pragma once

#include "icount/explain/match/match.h"

namespace icount {

/// Pairs an open function without a name with an open one that has a name, in objects of different builds, where a
/// matched caller calls each as often per call of its own, the costliest first, and where what they lead to (the
/// nearest matched functions below them, by cost) is mostly the same; leaves have to cost about the same per call. From
/// callers to callees. True when any was found, which may give the other steps something to go on.
bool match_nameless(Pairing& pairing);

// Functions without a symbol: their names are addresses, which shift with every build. They pair by their order in the
// object and by what they do. A step of explain/match/match.h.

/// Object by object: equal addresses when that agrees best with calls and costs, else an alignment in order of address
/// (functions with the same unmistakable figures are anchors, what lies between them pairs in order).
void match_by_place(Pairing& pairing);

}  // namespace icount
