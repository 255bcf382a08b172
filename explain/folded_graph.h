// One side of a comparison, for one event: the functions of a cost graph with their recursion levels and compiler
// clones folded into one, and the calls between them. Made from callgraph/cost_graph.h, paired up by explain/match.h.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "icount/callgraph/cost_graph.h"

namespace icount {

inline constexpr uint32_t kNoFunction = std::numeric_limits<uint32_t>::max();

/// All pieces of one function: `f`, `f'2`, `f.part.0`. The views point into the cost graph's strings.
struct FoldedFunction {
  std::string_view name;  ///< without level and clone tags; as it is with raw names
  std::string_view file, object;
  int64_t self = 0;
};

struct FoldedEdge {
  uint32_t caller = 0;
  uint32_t callee = 0;
  int64_t calls = 0;
  int64_t inclusive = 0;  ///< saturating; nested calls are counted again and again
};

/// Views into `graph`, which must outlive it. Edges are sorted by (caller, callee) and occur once; those of function f
/// are [first_edge[f], first_edge[f + 1]).
struct FoldedGraph {
  const CostGraph* graph = nullptr;
  size_t event = 0;
  std::vector<FoldedFunction> functions;
  std::vector<uint32_t> folded_of;  ///< FunctionIndex of the cost graph -> index here
  std::vector<FoldedEdge> edges;
  std::vector<uint32_t> first_edge;
  int64_t total = 0;
};

/// Whether a call from one piece of a function to another, by their clone tags, is a call of the whole function; else
/// it is a step within one invocation (`f` -> `f.part.0`).
bool begins_invocation(std::string_view caller_tags, std::string_view callee_tags);

/// Functions of one object and one canonical name are one function, unless two of them have the same symbol in
/// different files (statics): then one per file. A call from a piece to another piece of the same invocation
/// (`f` -> `f.part.0`) is dropped, a call of the whole function (`f` -> `f'2`) becomes a self edge.
/// A jump through a linkage table (callgraph/linkage_jumps.h) is a piece of what it jumps to. With `raw_names` nothing
/// is folded.
FoldedGraph fold_graph(const CostGraph& graph, size_t event, bool raw_names);

}  // namespace icount
