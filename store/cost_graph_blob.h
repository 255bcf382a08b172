// A cost graph as a few kilobytes: a canonical binary form under zstd, for result files and the history. Equal graphs
// give equal bytes whatever order their tables had, so that a store can keep each once.
//
// Layout of the zstd frame: "icgraph1", then numbers as LEB128 (signed ones zigzag) and texts as length and bytes, in
// this order: events and their totals; parts; whether call counts are trusted and why not; the strings, sorted, each as
// the length that it shares with the one above and the rest; functions (columns object, file, name as string numbers,
// then self cost per event); edges (caller, callee, calls, inclusive cost per event); rows (function, file, self cost
// per event); lines (function, file, line, self cost per event). Index columns hold differences to the entry above.
// What happens inside functions follows where it was recorded (store/cost_graph_blob.cc).
#pragma once

#include <string>
#include <string_view>

#include "icount/callgraph/cost_graph.h"
#include "icount/stacks/call_stacks.h"

namespace icount {

/// The graph packed. Deterministic for one zstd version; tables are sorted, strings that nothing uses are left out.
std::string encode_cost_graph(const CostGraph& graph);

/// The canonical form itself, not compressed: what the history keeps differences of.
std::string cost_graph_bytes(const CostGraph& graph);

/// The graph of a canonical form; otherwise as decode_cost_graph.
CostGraph parse_cost_graph_bytes(std::string_view bytes, std::string_view name);

/// The graph back, tables in canonical order. Error{kMalformed} beginning with `name` for anything that
/// encode_cost_graph did not write; memory stays within a small multiple of the unpacked size, which is bounded too.
CostGraph decode_cost_graph(std::string_view blob, std::string_view name);

// Call stacks as a few kilobytes, beside the packed cost graph in result files.
//
// Layout of the zstd frame: "icstack1", events and their totals, how many callers each context named, whether the
// stacks are approximate, the strings as in a graph (store/cost_graph_blob.h), then the frames, callers before callees:
// columns object, file, name as string numbers, number of the calling frame plus one (0: outermost), kind (0 function,
// 1 recursion joined, 2 deeper stacks joined, 3 other), self cost per event. Self costs add up to the graph's totals.

/// The stacks packed. Deterministic for one zstd version.
std::string encode_call_stacks(const CallStacks& stacks);

/// The stacks back. Error{kMalformed} beginning with `name` for anything that encode_call_stacks did not write.
CallStacks decode_call_stacks(std::string_view blob, std::string_view name);

}  // namespace icount
