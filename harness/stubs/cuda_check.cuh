// Failures of the CUDA runtime as exceptions with one line for the user. Read by the other .cuh files of this folder;
// like them it is embedded into icount and pasted beside generated stubs.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "device_measure.h"

namespace icount {

inline void check_cuda(cudaError_t status, const char* what) {
  if (status != cudaSuccess)
    throw CudaMeasureError(std::string(what) + ": " + cudaGetErrorName(status) + ": " + cudaGetErrorString(status));
}

}  // namespace icount
