// Kernels for cuda_timer_standin_test.cc, by names that fake_cudart.cc knows.
#include "cuda/spin_kernel.h"

__global__ void spin(unsigned long long) {}

namespace icount {

void queue_spin(CudaStream stream, unsigned long long nanoseconds) { spin<<<1, 1, 0, stream>>>(nanoseconds); }

void wait_for_stream(CudaStream stream) { cudaStreamSynchronize(stream); }

}  // namespace icount
