// The figures of a result: those that follow from its cost graph, allocations and frees (callgraph/allocations.h),
// added where results are made, before a graph may be dropped; and the names of those of memory
// (timer/program_memory.h).
#pragma once

#include <array>
#include <string_view>

#include "icount/stats/result.h"

namespace icount {

/// Adds what the graph knows and the result does not have yet; nothing without a graph.
void add_figures(Result& result);

/// Bytes and blocks allocated in all, in use when most bytes were, and bytes in use at the end.
inline constexpr std::array<std::string_view, 5> kMemoryFigures = {"bytes", "blocks", "peak_bytes", "peak_blocks",
                                                                   "end_bytes"};
/// Whether `event` is one of these names.
bool is_memory_event(std::string_view event);
/// Whether it is a peak: of the whole region, and nothing that a run has a share of.
bool is_peak_event(std::string_view event);

}  // namespace icount
