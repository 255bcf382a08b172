// What changed in how often memory is asked for: the totals of two graphs and the functions behind it. Beside
// explain/explain.h, which explains the cost itself; report/allocation_text.h has the words.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "icount/callgraph/allocations.h"
#include "icount/callgraph/cost_graph.h"

namespace icount {

/// One function's part on one side.
struct AllocatingCaller {
  int64_t allocations = 0;
  int64_t entries = 0;  ///< calls of the function
};

struct CallerAllocations {
  std::string name;
  std::array<AllocatingCaller, 2> sides;  ///< base, head
  int64_t delta() const { return sides[1].allocations - sides[0].allocations; }
};

struct AllocationChange {
  std::array<AllocationCounts, 2> totals;
  std::vector<CallerAllocations> callers;  ///< that allocate more or less, those with the largest change first
};

/// Functions are matched by name. Nothing where no total changed or a side does not know.
std::optional<AllocationChange> find_allocation_change(const CostGraph& base, const CostGraph& head);

}  // namespace icount
