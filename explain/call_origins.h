// Which caller of a function the calls that it makes come from: a dispatcher (js_callfunction, qsort) calls one thing
// for one caller and another for the next, and the recorded costs often leave no other choice. Makes
// explain/caller_split.h exact where that is so.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "icount/explain/flow_graph.h"

namespace icount {

inline constexpr uint32_t kAnyCaller = std::numeric_limits<uint32_t>::max();

/// By edge of the graph: the edge by which the caller was called when it made these calls, where exactly one
/// distribution of all its calls among its callers gives every caller what its calls cost, on both sides; else
/// kAnyCaller. Calls that hardly cost anything are kAnyCaller in any case. Only functions that `of` holds of are looked
/// at.
std::vector<uint32_t> find_call_origins(const FlowGraph& graph, const std::vector<bool>& of);

}  // namespace icount
