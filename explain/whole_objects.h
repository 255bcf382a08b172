// Where one object was built differently and most of the change happens in it, all causes become one: that build. The
// last join of explain/cause_list.cc.
#pragma once

#include <vector>

#include "icount/explain/inlining.h"
#include "icount/explain/joined_graph.h"
#include "icount/explain/noise_fold.h"

namespace icount {

/// Objects with other options, another compiler or version (explain/optimisation_change.h), then those that one side
/// optimised at link time (explain/link_time.h).
void join_other_builds(const JoinedGraph& joined, const OpenedFlow& flow, const std::vector<InliningMove>& moves,
                       std::vector<GroupedCause>& causes);

}  // namespace icount
