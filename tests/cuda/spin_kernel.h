// Work on a device for tests that are compiled by the C++ compiler.
#pragma once

#include "icount/timer/cuda_timer.h"

namespace icount {

/// Queues a kernel of that length.
void queue_spin(CudaStream stream, unsigned long long nanoseconds);
/// Waits for what is queued, as a callable of a user may.
void wait_for_stream(CudaStream stream);

}  // namespace icount
