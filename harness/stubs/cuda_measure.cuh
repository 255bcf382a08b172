// Timing of GPU work, for generated CUDA stubs and for users' own programs (timer/cuda_timer.h): the course of
// device_measure.h on a CudaWorkbench of the current device. CUDA runtime and standard library only.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <string>

#include "cuda_check.cuh"
#include "cuda_device_facts.cuh"
#include "cuda_workbench.cuh"
#include "device_measure.h"

namespace icount {

struct CudaSamples : DeviceSamples {
  CudaDeviceFacts device;
};

/// Measures one launcher: a callable that queues the statement's work on the stream it is given.
class CudaMeasure {
 public:
  using Launch = std::function<void(cudaStream_t)>;

  explicit CudaMeasure(CudaMeasureOptions options) : options_(options) {
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess || count == 0)
      throw CudaMeasureError(std::string("no usable CUDA device: ") +
                             (status == cudaSuccess ? "the driver lists none" : cudaGetErrorString(status)));
    int device = 0;
    check_cuda(cudaGetDevice(&device), "asking for the current device");
    device_ = load_cuda_device_facts(device);
  }

  CudaSamples run(const Launch& launch) {
    CudaWorkbench bench(device_.l2_bytes);
    CudaSamples samples;
    static_cast<DeviceSamples&>(samples) =
        DeviceMeasure<CudaWorkbench, Launch>(options_, device_.default_sm_clock_hz, bench, launch).run();
    samples.device = device_;
    return samples;
  }

 private:
  CudaMeasureOptions options_;
  CudaDeviceFacts device_;
};

}  // namespace icount
