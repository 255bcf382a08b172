// Another allocator under the same program (jemalloc preloaded in place of the C library's malloc): all that happens in
// either is one cause. Used by explain/cause_list.cc as explain/headed_sums.h is.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/explain/cluster_opening.h"
#include "icount/explain/joined_graph.h"

namespace icount {

struct AllocatorChange {
  std::array<std::string_view, 2> libraries;  ///< callgraph/allocations.h's allocator_library_of
  std::vector<uint32_t> terms;                ///< positions in the decomposition's list
};

/// Where nearly all that the allocators of one side cost is another library's on the other side. `taken` terms are left
/// alone. That a caller allocates more or less often is no part of it.
std::optional<AllocatorChange> find_allocator_change(const JoinedGraph& joined, const OpenedFlow& flow,
                                                     const std::vector<bool>& taken);

}  // namespace icount
