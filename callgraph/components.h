// Strongly connected components of any directed graph given as a list of arcs: the cycles of a call graph, each taken
// as one node. Inclusive costs and the explanation build on it; no knowledge of costs here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace icount {

struct Arc {
  uint32_t from = 0;
  uint32_t to = 0;
};

/// A partition of the nodes. Components are numbered callees first: an arc that leaves component c for d has d < c,
/// so that 0, 1, 2, ... is an order in which every node comes after all that it reaches outside its own component.
struct Components {
  std::vector<uint32_t> of;     ///< component of each node
  std::vector<uint32_t> sizes;  ///< nodes in each component

  size_t count() const { return sizes.size(); }
  /// Nodes by component, ascending inside: members of c are those from starts[c] to starts[c + 1].
  struct Members {
    std::vector<uint32_t> nodes;
    std::vector<uint32_t> starts;
    std::span<const uint32_t> of(uint32_t component) const {
      return std::span(nodes).subspan(starts[component], starts[component + 1] - starts[component]);
    }
  };
  Members members() const;
};

/// Tarjan's algorithm on an explicit stack (chains of a million calls are fine): O(nodes + arcs). Self arcs and double
/// arcs are allowed. Equal input gives equal numbers. All arcs must stay below `nodes`.
Components find_components(size_t nodes, std::span<const Arc> arcs);

// Dominators of a directed graph: what every way from a root to a node passes through.

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
