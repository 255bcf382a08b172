// The inside of an opened function as a flow graph: its body, two nodes for each loop, blocks where branches are told,
// and its callees as leaves of known worth. The same identity as the whole explanation's (explain/flow_table.h), on a
// graph without cycles; terms add up to what the function's own terms do. See docs/inside_functions.md, "The identity".
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "icount/explain/flow_graph.h"
#include "icount/explain/opened_function.h"

namespace icount {

enum class InsideKind : uint8_t {
  kBody,       ///< the function outside its loops
  kEntry,      ///< a loop, once per entry: its last test, and all of a reshaped one
  kIteration,  ///< a loop, once per iteration
  kBlock,      ///< a block of a body or a loop whose branches are told
  kCallee,
};

struct InsideNode {
  InsideKind kind = InsideKind::kBody;
  uint32_t number = 0;  ///< of the region, the block or the callee (a node of the condensed graph)
  BothSides self{};
};

struct InsideEdge {
  uint32_t from = 0, to = 0;
  BothSides times{};
  bool is_share = false;  ///< where control goes next: shares of one node add up to one
};

struct InsideGraph {
  std::vector<InsideNode> nodes;  ///< 0 is the body
  std::vector<InsideEdge> edges;  ///< by (from, to), each once
};

/// By node: its edges, as positions in `edges`.
std::vector<std::vector<uint32_t>> edges_out(const InsideGraph& graph);

/// A function's callees and what the whole graph says of them: calls by both sides, and what one call is worth.
struct InsideCallee {
  uint32_t node = 0;
  BothSides calls{};
  std::array<long double, 2> worth{};
  bool told_with_calls = false;  ///< the change of its worth is told by these calls, not by the callee's own terms
};

/// `of_callee`: by side and folded function, a node of the condensed graph or kNoFunction. `told_by_branches`: regions.
/// What the shapes lack of `self` and of the callees' calls belongs to the body.
InsideGraph make_inside_graph(const OpenedFunction& opened, const CalleeNodes& of_callee, const BothSides& self,
                              const std::vector<InsideCallee>& callees, const std::set<uint32_t>& told_by_branches);

}  // namespace icount
