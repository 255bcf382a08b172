// Whether what was found inside an opened function says more than what its own cost and calls say: a cause inside is an
// elaboration of the function's own sentence, never its competitor. Between explain/inside/inside_causes.h and
// explain/inside/function_opening.h.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "icount/explain/explain.h"

namespace icount {

/// `inside` are the causes inside one function, rounded, that add up to `delta`; `told` those of the function as a
/// whole, which they stand for; `of_one_side` names callees that only one side calls. In this order:
/// * a branch that comes to the whole change, or a loop entered more often, leads to a call of one side, which is three
///   quarters of it: `told`, with that branch or loop at the call;
/// * one of `inside` comes to the whole change (to a tenth), and no call of the function does, or it is that call:
///   `inside`, with the calls of one callee joined;
/// * one of `told` does: that one, with `inside` as its members, the largest of which is told with it where it is half
///   of it; beside it calls of others that come to the same inside;
/// * `inside` is as concentrated as `told` (its largest is as large a part of all magnitudes) and cancels no more (its
///   magnitudes come to at most one and a half times those of `told`): `inside`;
/// * mostly own cost, and calls that went the same way: one sum;
/// * else `told` itself; its largest is told with the largest of `inside`, as above.
/// `told` itself, too, where `inside` cancels twentyfold or branches lead to calls of several functions. Sums stay;
/// swapping the sides changes signs and nothing else.
std::vector<Cause> retell_calls(std::vector<Cause> told, std::vector<Cause> inside, int64_t delta,
                                const std::set<std::string>& of_one_side = {});

}  // namespace icount
