#include "icount/base/error.h"
#include "icount/harness/stubs/cuda_measure.cuh"
#include "icount/timer/cuda_timer.h"

namespace icount {
namespace {

CudaMeasureOptions measure_options(const CudaTimerOptions& options) {
  CudaMeasureOptions out;
  out.min_samples = options.min_samples;
  out.max_samples = options.max_samples;
  out.use_entropy = options.use_entropy;
  out.max_noise = options.max_noise;
  out.min_seconds = options.min_seconds;
  out.time_out_seconds = options.time_out_seconds;
  out.statement_synchronises = options.synchronises;
  return out;
}

DeviceFacts device_facts(const CudaDeviceFacts& facts) {
  DeviceFacts out;
  out.index = facts.index;
  out.name = facts.name;
  out.architecture = "sm_" + std::to_string(facts.sm_major) + std::to_string(facts.sm_minor);
  out.sm_count = facts.sm_count;
  out.driver = cuda_version_text(facts.driver_version);
  out.runtime = cuda_version_text(facts.runtime_version);
  out.default_sm_clock_hz = facts.default_sm_clock_hz;
  out.peak_bytes_per_second = facts.peak_bytes_per_second;
  out.peak_fp32_flops = facts.peak_fp32_flops;
  return out;
}

}  // namespace

std::string probe_cuda() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess) return std::string("no usable CUDA device: ") + cudaGetErrorString(status);
  return count > 0 ? std::string() : std::string("no usable CUDA device: the driver lists none");
}

DeviceMeasurement CudaTimer::measure(const std::function<void(CudaStream)>& launch) const {
  try {
    const CudaSamples samples = CudaMeasure(measure_options(options_)).run(launch);
    DeviceMeasurement out;
    out.device = device_facts(samples.device);
    out.cold_seconds = samples.cold_seconds;
    out.cold_launch_seconds = samples.cold_launch_seconds;
    out.hot_seconds = samples.hot_seconds;
    out.hot_runs_per_batch = samples.hot_runs_per_batch;
    out.launch_share = samples.launch_share;
    out.launch_bound = samples.is_launch_bound;
    out.capped_clock_hz = samples.capped_clock_hz;
    out.throttled = samples.throttled;
    out.sm_clock_hz = samples.sm_clock_hz;
    out.stop_reason = to_text(samples.stop);
    out.bytes_moved = options_.bytes_moved;
    out.flops = options_.flops;
    return out;
  } catch (const CudaMeasureError& error) {
    throw Error(ErrorKind::kTool, error.what());
  }
}

}  // namespace icount
