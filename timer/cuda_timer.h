// GPU timing for users' own kernels, from C++: hand it a callable that queues work on a stream and get cold and hot
// figures with what the device is. Link icount::cuda_timer. The method is docs/cuda.md; statements as text go through
// harness/cuda_stub.h instead. Variants by file: cuda_timer_cuda.cu where a CUDA compiler is found, cuda_timer_none.cc
// elsewhere.
#pragma once

#include <functional>
#include <string>

#include "icount/stats/device_measurement.h"

struct CUstream_st;  // cudaStream_t is a pointer to it; keeps CUDA's headers out of this one

namespace icount {

using CudaStream = CUstream_st*;

struct CudaTimerOptions {
  bool use_entropy = false;      ///< stop by entropy instead of relative deviation
  double max_noise = 0.005;      ///< relative deviation at which cold samples are enough
  double min_seconds = 0.5;      ///< of device time, cold and hot each
  double time_out_seconds = 15;  ///< wall time of the cold part
  int min_samples = 10;
  int max_samples = 0;        ///< above 0: exactly so many cold samples
  bool synchronises = false;  ///< the callable waits for the device itself
  double bytes_moved = 0;     ///< per run; turned into a share of the peak bandwidth
  double flops = 0;           ///< per run; turned into a share of the peak
};

class CudaTimer {
 public:
  explicit CudaTimer(CudaTimerOptions options = {}) : options_(options) {}

  /// Measures on the current device. `launch` must queue all its work on the stream it is given. Error{kTool} in one
  /// line when there is no usable device, when work runs on another stream, when it waits for the device without
  /// `synchronises`, or when the clock stays throttled.
  DeviceMeasurement measure(const std::function<void(CudaStream)>& launch) const;

 private:
  CudaTimerOptions options_;
};

/// Empty when a device can be used, else the reason in one line.
std::string probe_cuda();

}  // namespace icount
