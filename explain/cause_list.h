// From terms to causes: terms are rounded so that they add up, those that tell of one thing are joined, and each cause
// gets its sentence. The last step of explain(); see docs/explaining_diff.md, "From terms to what a person reads".
#pragma once

#include <functional>
#include <vector>

#include "icount/explain/cluster_opening.h"
#include "icount/explain/explain.h"
#include "icount/explain/joined_graph.h"
#include "icount/explain/noise_fold.h"

namespace icount {

/// Exchanges causes for others that come to the same.
using CauseOpener = std::function<void(const OpenedFlow& flow, std::vector<GroupedCause>& causes)>;

/// Every cause of the change `delta`, in no particular order and with nothing folded; they add up to `delta`. `open` is
/// called before what an object's other build explains is joined.
std::vector<GroupedCause> make_causes(const JoinedGraph& joined, OpenedFlow flow, int64_t delta,
                                      const CauseOpener& open = {});

/// Own cost of each function in total, for profiles whose call counts are not trusted.
std::vector<GroupedCause> make_total_cost_causes(const JoinedGraph& joined);

}  // namespace icount
