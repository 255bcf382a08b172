// In which order runs follow each other: by time, but never a commit before its parent, whatever the clocks said. Pure;
// store/history.h returns its runs in this order.
#pragma once

#include <vector>

#include "icount/store/history.h"

namespace icount {

/// When the commit was made, or the run where that is unknown.
int64_t time_of(const RunTag& tag);

/// Sorted by time_of, then the run's own time, then id, except that every run of a commit comes after all runs of those
/// of its ancestors that are reached through parents within `runs`. A circle of parents (no repository has one) is
/// broken.
std::vector<RunInfo> in_history_order(std::vector<RunInfo> runs);

}  // namespace icount
