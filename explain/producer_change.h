// What the debug information of an object says about how each side was compiled: it confirms what the profile alone
// lets one guess (explain/optimisation_change.h).
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "icount/explain/joined_graph.h"

namespace icount {

/// "-O0 instead of -O2", "-flto in head only", "clang version 14.0.6 instead of GNU C17 12.2.0": head's first. Empty
/// where a side's is not known, and where both are the same. `objects`: its path on each side.
std::string producer_change(const JoinedGraph& joined, const std::array<std::string_view, 2>& objects);

/// The same of two values of DW_AT_producer.
std::string producer_change(std::string_view base, std::string_view head);

}  // namespace icount
