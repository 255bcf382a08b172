// The explaining diff of programs that consist of several processes: what both sides ran is explained as one graph, and
// a process that only one side ran is one cause with all that it cost. Read explain/explain.h first.
#pragma once

#include <span>
#include <string>

#include "icount/explain/explain.h"

namespace icount {

/// A process of one side. Keys are what the two sides' processes are matched by, unique on their side.
struct ProcessGraph {
  std::string key;
  const CostGraph* graph = nullptr;
};

/// As explain() of the sums of either side, where the sides ran the same processes. Otherwise a process of one side has
/// a cause of its kind and a row among the functions; its functions are in no other cause. Causes add up to the change.
/// Error as explain().
Explanation explain_processes(std::span<const ProcessGraph> base, std::span<const ProcessGraph> head,
                              const ExplainOptions& options);

}  // namespace icount
