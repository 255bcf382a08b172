// Results of one benchmark at several sizes -> how its cost grows (stats/growth.h): functions are matched by name and
// file, loops by where their heads are. `icount growth` uses it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "icount/callgraph/cost_graph.h"
#include "icount/stats/growth.h"

namespace icount {

/// Of event `event` of each graph, which is that of the size at its place. Error{kCannotJudge} where a graph lacks it.
Growth make_growth(std::string label, std::string event, std::vector<int64_t> sizes,
                   std::span<const std::shared_ptr<const CostGraph>> graphs);

}  // namespace icount
