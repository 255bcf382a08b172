// The words for a change in how often memory is asked for (explain/compared_tables.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "icount/explain/compared_tables.h"

namespace icount {

/// "allocations 300 -> 1,200, frees unchanged: `parse` now allocates 3 times per call; ..." with at most `most`
/// functions, those of a tenth of the change each. `runs` divides the totals: how often the statement ran.
std::string allocation_change_text(const AllocationChange& change, int64_t runs = 1, size_t most = 2);

}  // namespace icount
