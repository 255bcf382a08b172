// The cores that this process may run on: what work is divided by.
#pragma once

namespace icount {

/// At least 1. Less than the machine has under `taskset`, in a cpuset or on a cluster's node;
/// std::thread::hardware_concurrency() does not say so.
int count_usable_cores();

}  // namespace icount
