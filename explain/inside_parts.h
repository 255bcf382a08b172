// What a loop or a branch of an opened function comes to, part by part: self cost there, and calls of each callee. For
// explain/inside_causes; the figures are those of explain/inside_contents.h.
#pragma once

#include <cstdint>
#include <vector>

#include "icount/explain/inside_causes.h"

namespace icount {

/// Of `whole`, whose value are the terms of `edges`, none of which leads to a callee. They add up to it; empty where
/// its calls are less than a hundredth of it. In the order of callees' names, which does not depend on which side is
/// base.
std::vector<InsideCause> make_inside_parts(const InsideSource& source, const InsideCause& whole,
                                           const std::vector<uint32_t>& edges);

}  // namespace icount
