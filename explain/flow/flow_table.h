// Two matched profiles as one graph: what a function costs itself, how often it is entered and called, on the base side
// [0] and on the head side [1]; the table of figures per call that is made of it; and the solver of that table. The
// arithmetic of the explaining diff works on these alone; names stay outside.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "icount/callgraph/components.h"

namespace icount {

/// A pair of figures, base [0] and head [1].
using BothSides = std::array<int64_t, 2>;

struct FlowNode {
  BothSides self{};
  BothSides entries{};  ///< calls from outside the profile
};

struct FlowEdge {
  uint32_t caller = 0;
  uint32_t callee = 0;
  BothSides calls{};
  BothSides inclusive{};  ///< what these calls cost with all below them, as recorded
};

/// The side that alone makes these calls; nothing where both do, or none.
std::optional<size_t> only_side(const FlowEdge& edge);

/// Edges are sorted by (caller, callee) and occur once. Nothing here may depend on which side is called base, so that
/// swapping the sides changes signs and nothing else.
struct FlowGraph {
  std::vector<FlowNode> nodes;
  std::vector<FlowEdge> edges;
  std::vector<uint32_t> first_edge;  ///< edges of node i: [first_edge[i], first_edge[i + 1])

  std::span<const FlowEdge> edges_of(uint32_t node) const {
    return {edges.data() + first_edge[node], edges.data() + first_edge[node + 1]};
  }

  static constexpr uint32_t kNoEdge = ~uint32_t{0};
  /// The number of the edge between two nodes; kNoEdge where there is none.
  uint32_t edge_between(uint32_t caller, uint32_t callee) const;
};

/// Sorts edges by (caller, callee) and joins equal ones by `add(sum, edge)`. Returns where the edges of each node
/// begin.
template <typename Edge, typename Add>
std::vector<uint32_t> sort_edges(size_t nodes, std::vector<Edge>& edges, const Add& add) {
  std::vector<uint32_t> starts(nodes + 1, 0), first(nodes + 1, 0);
  for (const Edge& edge : edges) ++starts[edge.caller + 1];
  for (size_t i = 0; i < nodes; ++i) starts[i + 1] += starts[i];
  std::vector<Edge> placed(edges.size());
  std::vector<uint32_t> next(starts.begin(), starts.end() - 1);
  for (const Edge& edge : edges) placed[next[edge.caller]++] = edge;
  edges.clear();
  for (size_t node = 0; node < nodes; ++node) {
    const auto begin = placed.begin() + starts[node], end = placed.begin() + starts[node + 1];
    std::sort(begin, end, [](const Edge& a, const Edge& b) { return a.callee < b.callee; });
    first[node] = static_cast<uint32_t>(edges.size());
    for (auto edge = begin; edge != end; ++edge)
      if (edge != begin && edge->callee == edges.back().callee)
        add(edges.back(), *edge);
      else
        edges.push_back(*edge);
  }
  first.back() = static_cast<uint32_t>(edges.size());
  return first;
}

/// Sorts the edges, adds up equal ones and fills first_edge.
void index_edges(FlowGraph& graph);

/// Recursive clusters over the edges that either side has.
Components flow_components(const FlowGraph& graph);

/// Fills FlowNode::entries: 1 for the root of every part that has cost or calls others and that no call from another
/// part reaches, on each side. The root of a part of several functions is the one that costs most on both sides
/// together, the first among equals, so that both sides begin at the same.
void find_entries(FlowGraph& graph);

/// A graph in which every recursive cluster that is not in `opened` is one node. Where others call several of its
/// functions, each of these is a node, too, a door: calls enter by it, it costs nothing itself and calls the cluster
/// once. So what a call costs may be told by where it enters.
struct CondensedFlow {
  FlowGraph graph;
  std::vector<uint32_t> node_of;               ///< node of the full graph -> node here; never a door
  std::vector<uint32_t> entered_by;            ///< node of the full graph -> its door, or node_of where it has none
  std::vector<std::vector<uint32_t>> members;  ///< node here -> nodes of the full graph; of a door its function

  bool is_door(uint32_t node) const { return node_of[members[node].front()] != node; }
};

/// `opened[c]` says whether component c of the full graph stays as it is. Calls inside a condensed cluster vanish;
/// the self edge of a single function stays.
CondensedFlow condense(const FlowGraph& graph, const Components& components, const std::vector<bool>& opened);

/// By node: whether `top` is that node or leads to it by calls of either side.
std::vector<bool> nodes_below(const FlowGraph& graph, uint32_t top);

/// The edge by which one other node calls `node`; nullptr where several do, or none.
const FlowEdge* only_call_of(const FlowGraph& graph, uint32_t node);

/// Calls of every node: entries plus incoming edges; saturating.
std::vector<BothSides> calls_of(const FlowGraph& graph);

/// A graph without figures: who calls whom. Edges of node i: [first_edge[i], first_edge[i + 1]).
struct FlowShape {
  std::vector<uint32_t> callee;      ///< by edge
  std::vector<uint32_t> first_edge;  ///< one more than there are nodes
  size_t nodes() const { return first_edge.size() - 1; }
};

/// A call inside a cluster, by the members' places in it.
struct InnerCall {
  int64_t row = 0, column = 0;
  long double rate = 0;
  bool operator==(const InnerCall&) const = default;
};

/// Clusters that were factorised. Tables that differ elsewhere only, as those of several trials do, ask for the same.
class ClusterFactors {
 public:
  ClusterFactors();
  ~ClusterFactors();
  ClusterFactors(const ClusterFactors&) = delete;
  ClusterFactors& operator=(const ClusterFactors&) = delete;

  /// Solves (I - A) y = b with A given by its entries. `values` holds b and gets y: in double, corrected twice by the
  /// residual in long double. Where the matrix is singular (only with saturated counts) the values stay as they are.
  void solve(std::vector<InnerCall> calls, std::vector<long double>& values);

 private:
  struct Factors;
  std::vector<std::unique_ptr<Factors>> kept_;
};

/// Works on a shape; the figures are given with each question. A plain function takes one sum, a recursion 1/(1 - m), a
/// cluster LU (dense when it is small, else sparse), refined to long double.
class FlowSolver {
 public:
  /// All must outlive the solver. `components` are those of the shape's edges.
  FlowSolver(const FlowShape& shape, const Components& components, ClusterFactors& factors)
      : shape_(shape), components_(components), members_(components.members()), factors_(factors) {}

  /// v = s + M v: `own` is s by node, `rates` M by edge.
  std::vector<long double> worth(std::span<const long double> own, std::span<const long double> rates) const;

  /// x = r + M' x: `entries` is r by node, `rates` M by edge.
  std::vector<long double> calls(std::span<const long double> entries, std::span<const long double> rates) const;

 private:
  const FlowShape& shape_;
  const Components& components_;
  const Components::Members members_;
  ClusterFactors& factors_;
};

// The table that the identity of docs/explaining_diff.md is about: own cost and calls per call on both sides, and the
// calls that come from outside. Its functions may be finer than those of the flow graph it was made of: split by caller
// (explain/flow/edge_prices.h). Solved and turned into terms by explain/flow/decompose.h.

enum class TermKind : uint8_t { kOwnCost, kCalls, kEntry };

/// Calls that scale with no caller's: entries (`index` is the graph's node), and calls of an edge that both sides make
/// as often whatever the caller does (`index` is the graph's edge).
struct FlowSource {
  uint32_t node = 0;  ///< of the table
  std::array<long double, 2> calls{};
  TermKind kind = TermKind::kEntry;
  uint32_t index = 0;
};

/// Calls that one side alone makes, or nearly so, at their recorded cost: a part of what a call of the caller costs
/// there, with a term of its own. The edge has no rate on that side.
struct RecordedCalls {
  uint32_t edge = 0, caller = 0;  ///< of the table
  size_t side = 0;
  long double cost_per_call = 0;  ///< of the caller
};

struct FlowTable {
  FlowShape shape;
  Components components;              ///< of the shape
  std::vector<uint32_t> node_of;      ///< node of the table -> node of the graph
  std::vector<uint32_t> edge_of;      ///< edge of the table -> edge of the graph
  std::vector<bool> is_split;         ///< by node of the table: it stands for one caller's calls of several
  std::vector<uint32_t> caller_edge;  ///< node of the table -> the graph's edge by which it is called, or kAllCallers
  std::array<std::vector<long double>, 2> prices;  ///< by node: its part of the average cost per call of the function
  std::array<std::vector<long double>, 2> own, rates;  ///< s by node and M by edge, without what does not scale
  std::vector<FlowSource> sources;
  std::vector<RecordedCalls> recorded;
  /// By side and node: the calls that its own cost is of, where those that `recorded` takes along cost otherwise, else
  /// kAllCalls; empty where nothing is recorded on the side.
  std::array<std::vector<long double>, 2> other_calls;

  static constexpr long double kAllCalls = -1;
  static constexpr uint32_t kAllCallers = ~uint32_t{0};
};

/// What follows from a table: worths of both sides and the calls that both make.
struct FlowSolution {
  std::array<std::vector<long double>, 2> worth;
  std::vector<long double> common_calls;
};
/// Here and below `solver` is the one of the table's shape and components.
FlowSolution solve(const FlowTable& table, const FlowSolver& solver);

/// Where the change of what a call costs is told: below it, term by term, or as a whole.
enum class Told : uint8_t { kBelow, kWithCalls };

/// By node of the table. A node that is told as a whole passes its change on to nothing below.
using TellingPlaces = std::vector<Told>;

/// Terms of own cost by node of the table and of calls and entries by edge and node of the graph; with the constants
/// that a table leaves out they add up to the change, wherever it is told. kWithCalls needs a node of one caller.
struct FlowTerms {
  std::vector<long double> own;           ///< by node of the table
  std::vector<long double> calls;         ///< by edge of the graph
  std::vector<long double> entry;         ///< by node of the graph
  std::vector<long double> common_calls;  ///< by node of the table: those whose change is told below or here
};
FlowTerms terms_of(const FlowTable& table, const FlowSolver& solver, const FlowSolution& solution,
                   const FlowGraph& graph, const TellingPlaces& told);

}  // namespace icount
