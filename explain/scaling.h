// What scales with the calls of a function and what does not: an initialisation or a loop that runs once per program is
// taken in total, and where it grows with the calls all the same, as a fixed part and so much for each further call
// (docs/explaining_diff.md, "What does not scale"). The first step of explain/decompose.
#pragma once

#include <array>
#include <vector>

#include "icount/explain/decompose.h"
#include "icount/explain/flow_graph.h"
#include "icount/explain/flow_table.h"

namespace icount {

/// `calls` are those of each node. Worths are left empty.
SideFigures per_call_figures(const FlowGraph& graph, const std::vector<BothSides>& calls, size_t side);

/// Head's less base's.
long double difference(const BothSides& figures);

/// Fills what is fixed, and what a further call takes, from result.sides.
void find_fixed(const FlowGraph& graph, Decomposition& result);

/// Figures with their fixed parts taken out: of self cost they are constants, which no call carries, and of calls they
/// are sources. A split function's callers tell which calls are dear; it has no fixed parts.
FlowTable scaling_table(const FlowGraph& graph, const Components& components, const Decomposition& figures,
                        const std::vector<bool>& split);

}  // namespace icount
