// Calls that only one side makes, or nearly so, cost what was recorded for them: the average over all callers of what
// lies below would say something else where other callers' calls are cheaper or dearer. Changes a explain/flow_table.h
// after its average was solved.
#pragma once

#include "icount/explain/flow_table.h"

namespace icount {

/// Takes calls that one side alone makes, or twenty times as often for each call of their caller, and whose recorded
/// cost differs from the average, out of that side's half of the table: what they cost becomes a part of their caller's
/// cost per call (FlowTable::recorded), and what they contribute to functions that others call, too, is taken out of
/// these functions' own cost, so that the rest costs what is left. Each side's total stays what it is. `solution` is
/// the table's; to be solved anew where this returns true. Calls that take part in a detour, within a cycle, or with a
/// cost that contradicts what lies below stay as they are. Calls that the average misses by less than `least` stay,
/// too.
bool price_recorded_calls(const FlowGraph& graph, const FlowSolver& solver, const FlowSolution& solution,
                          long double least, FlowTable& table);

}  // namespace icount
