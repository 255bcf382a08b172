// A flow table (explain/flow_table.h) with its solution and its terms, and what these come to: whether a function is
// better told by its callers is decided by comparing two of them (explain/decompose.cc).
#pragma once

#include <vector>

#include "icount/explain/decompose.h"
#include "icount/explain/flow_graph.h"
#include "icount/explain/flow_table.h"

namespace icount {

struct Solved {
  std::vector<bool> split;  ///< by node of the graph: which functions are split by caller
  FlowTable table;
  FlowSolution solution;
  TellingPlaces told;
  FlowTerms terms;
  long double gross = 0;  ///< sum of magnitudes of the terms; what a split made up counts more
};

/// Of a table in which `split` are split. `figures` say what is fixed.
Solved solve_table(const FlowGraph& graph, FlowTable table, const std::vector<bool>& split,
                   const Decomposition& figures, ClusterFactors& factors);

/// The same with calls that one side makes at their recorded cost (explain/recorded_calls.h).
void price_as_recorded(const FlowGraph& graph, const Decomposition& figures, ClusterFactors& factors, Solved& solved);

/// Own cost by node of the graph; what does not scale at all is its own term.
std::vector<long double> own_terms(const FlowGraph& graph, const FlowTable& table, const FlowTerms& terms,
                                   const std::vector<bool>& split, const Decomposition& figures);

}  // namespace icount
