// A decomposed flow whose calls, costs and terms are written down in a test, for what joins terms
// (explain/claims/relations.h and its neighbours).
#pragma once

#include <cstdint>
#include <vector>

#include "icount/explain/flow/opened_flow.h"

namespace icount {

struct WrittenTerm {
  TermKind kind = TermKind::kCalls;
  uint32_t caller = 0, callee = 0;  ///< of own cost the function is `caller`
  BothSides figure{};               ///< calls, or self cost
  long double value = 0;
  BothSides inclusive = {};
};

/// A flow whose functions are nodes of their own; function 0 is entered once on both sides. Edges are numbered in
/// order.
inline OpenedFlow flow_of(uint32_t nodes, const std::vector<WrittenTerm>& terms) {
  OpenedFlow flow;
  FlowGraph& graph = flow.condensed.graph;
  graph.nodes.resize(nodes);
  graph.nodes[0].entries = {1, 1};
  for (uint32_t node = 0; node < nodes; ++node) flow.condensed.members.push_back({node});
  for (const WrittenTerm& term : terms) {
    if (term.kind == TermKind::kCalls)
      graph.edges.push_back({term.caller, term.callee, term.figure, term.inclusive});
    else
      graph.nodes[term.caller].self = term.figure;
  }
  index_edges(graph);
  for (const WrittenTerm& term : terms) {
    uint32_t index = term.caller;
    for (uint32_t e = 0; term.kind == TermKind::kCalls && e < graph.edges.size(); ++e)
      if (graph.edges[e].caller == term.caller && graph.edges[e].callee == term.callee) index = e;
    if (term.value != 0) flow.figures.terms.push_back({term.kind, index, term.value});
  }
  return flow;
}

/// None of its terms is taken.
inline std::vector<bool> none(const OpenedFlow& flow) { return std::vector<bool>(flow.figures.terms.size(), false); }

}  // namespace icount
