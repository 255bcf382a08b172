// Dominators of a directed graph: what every way from a root to a node passes through. Knows nothing of costs;
// stacks/stack_contexts.h finds with it how far a joined stack is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "icount/callgraph/components.h"

namespace icount {

/// Stands for the root above all roots.
inline constexpr uint32_t kAboveAll = std::numeric_limits<uint32_t>::max();

struct Dominators {
  std::vector<uint32_t>
      immediate;  ///< of each node: the nearest node on all ways to it; kAboveAll for roots and where ways part at once
  std::vector<uint32_t> order;  ///< all nodes, each after its immediate dominator
};

/// Nodes without incoming arcs (self arcs apart) are roots; of nodes that no root reaches, the first one that is still
/// out of reach is made a root until none is left. Lengauer and Tarjan's algorithm ("A fast algorithm for finding
/// dominators in a flowgraph", 1979) without recursion: O(arcs log nodes).
Dominators find_dominators(size_t nodes, std::span<const Arc> arcs);

}  // namespace icount
