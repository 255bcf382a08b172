// Two written graphs, joined by equal names and decomposed with every cycle as one node: what the files between
// joining and causes work on. Everything in it may be changed before it is asked.
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "icount/explain/claims/term_causes.h"
#include "icount/report/cause_sentence.h"
#include "support/graph_builder.h"

namespace icount {

/// What a cause with these facts says.
inline std::string sentence(CauseFacts facts) { return cause_sentence({.facts = std::move(facts)}); }

class JoinedPair {
 public:
  JoinedPair(const GraphBuilder& base, const GraphBuilder& head) : JoinedPair(base.graph(), head.graph()) {}
  JoinedPair(CostGraph base, CostGraph head)
      : graphs_{std::move(base), std::move(head)},
        folded_{fold_graph(graphs_[0], 0, false), fold_graph(graphs_[1], 0, false)},
        joined(join_graphs(folded_[0], folded_[1], match_functions(folded_[0], folded_[1], true))) {
    const Components components = flow_components(joined.flow);
    flow.condensed = condense(joined.flow, components, std::vector<bool>(components.count(), false));
    ClusterFactors factors;
    flow.figures = decompose_on_average(flow.condensed.graph, factors);
  }
  JoinedPair(const JoinedPair&) = delete;

  /// Number of a function, by the name that a side has.
  uint32_t function(std::string_view name) const {
    for (uint32_t i = 0; i < joined.functions.size(); ++i)
      if (joined.functions[i].name == name || joined.functions[i].base_name == name) return i;
    throw std::runtime_error("no function " + std::string(name));
  }
  /// The condensed graph's node of a function.
  uint32_t node(std::string_view name) const { return flow.condensed.node_of[function(name)]; }
  /// The condensed graph's edge between two functions' nodes.
  uint32_t edge(std::string_view caller, std::string_view callee) const {
    const uint32_t from = node(caller), to = flow.condensed.entered_by[function(callee)];
    for (uint32_t e = 0; e < flow.condensed.graph.edges.size(); ++e)
      if (flow.condensed.graph.edges[e].caller == from && flow.condensed.graph.edges[e].callee == to) return e;
    throw std::runtime_error("no call of " + std::string(callee));
  }
  SentenceSource source() const { return make_sentence_source(joined, flow); }

 private:
  std::array<CostGraph, 2> graphs_;
  std::array<FoldedGraph, 2> folded_;

 public:
  JoinedGraph joined;
  OpenedFlow flow;
};

}  // namespace icount
