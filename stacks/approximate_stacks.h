// Call stacks guessed from a call graph, for profiles without contexts: what a function costs is divided among its
// callers in proportion to the cost of their calls. Right where a function costs the same whoever calls it, and marked
// approximate everywhere. Read stacks/call_stacks.h first.
#pragma once

#include <cstddef>

#include "icount/callgraph/cost_graph.h"
#include "icount/stacks/call_stacks.h"

namespace icount {

struct ApproximateStacksOptions {
  /// The costliest are told apart, half as many at most; the rest joins in frames "… other", in which functions have
  /// leaves, as many again or, where these are more, one for each.
  size_t max_frames = 20000;
  size_t max_depth = 1000;
  double min_share = 1e-6;  ///< of the total; a frame below it is not told apart
};

/// One event. The frames of a function add up to its self cost exactly, those of all to the total. Functions that call
/// each other in a circle: the one that is entered holds the others below "… recursion joined". Time and memory are
/// bounded by graph size and max_frames, whatever the graph looks like.
CallStacks make_approximate_stacks(const CostGraph& graph, size_t event, const ApproximateStacksOptions& options = {});

}  // namespace icount
