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

struct CallerAllocations {
  std::string name;
  std::array<int64_t, 2> allocations{};  ///< base, head
  int64_t delta() const { return allocations[1] - allocations[0]; }
};

struct AllocationChange {
  std::array<AllocationCounts, 2> totals;
  std::vector<CallerAllocations> callers;  ///< that allocate more or less, those with the largest change first
};

/// Functions are matched by name. Nothing where no total changed or a side does not know.
std::optional<AllocationChange> find_allocation_change(const CostGraph& base, const CostGraph& head);

}  // namespace icount
