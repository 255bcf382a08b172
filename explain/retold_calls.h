// Causes inside an opened function that are one call's: where a branch taken more often comes to nothing but more calls
// of one function, or compilers wrote one call at several places, the call is told, and the places are its members.
// Between explain/inside_causes.h and explain/function_opening.h.
#pragma once

#include <cstdint>
#include <vector>

#include "icount/explain/explain.h"

namespace icount {

/// `inside` are the causes inside one function, rounded, that add up to `delta`; `told` those of the function as a
/// whole, which they stand for. Gives `inside` back with the calls of one callee joined; all of it as one cause where
/// one of `told` is a call that comes to the whole change and no loop says it better; and `told` itself where `inside`
/// says less: its parts cancel, or branches lead to calls of several functions. Sums stay; swapping the sides
/// changes signs and nothing else.
std::vector<Cause> retell_calls(const std::vector<Cause>& told, std::vector<Cause> inside, int64_t delta);

}  // namespace icount
