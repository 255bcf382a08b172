// Allocations as the cost of a graph: what explain() needs to tell the causes of a change in allocations as it tells
// those of a change in instructions. Read allocations.h first.
#pragma once

#include <optional>
#include <string_view>

#include "icount/callgraph/cost_graph.h"

namespace icount {

/// The graph with one event, `event` (kAllocations or kFrees): the self cost of a function is the number of its calls
/// into an allocator, and the allocator's own functions are gone. What an edge costs with all below is the callee's
/// cost, shared by its calls. nullopt where count_allocations knows no figure.
std::optional<CostGraph> make_allocation_graph(const CostGraph& graph, std::string_view event);

/// Whether `event` is one of the two.
bool is_allocation_event(std::string_view event);

}  // namespace icount
