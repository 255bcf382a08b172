// What the change of an edge inside an opened function is of: a loop that is entered more often costs by itself and by
// what it calls. Between explain/inside_solver.h and explain/inside_causes.h.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "icount/explain/inside_graph.h"
#include "icount/explain/inside_solver.h"

namespace icount {

/// Calls of one callee behind an edge, head's less base's.
struct CallsBehind {
  long double value = 0, calls = 0;
};

/// Self cost of the function and its calls, by callee (InsideNode::number); they add up to the terms of the edges.
struct InsideContents {
  long double own_cost = 0;
  std::map<uint32_t, CallsBehind> calls;
};

/// Of edges that lead to no callee.
InsideContents contents_behind(const InsideGraph& graph, const InsideFigures& figures,
                               const std::vector<uint32_t>& edges);

}  // namespace icount
