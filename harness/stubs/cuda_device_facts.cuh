// What the device is, as the figures of a measurement need it: clocks, peaks, cache size. Read by cuda_measure.cuh.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>

#include "cuda_check.cuh"

namespace icount {

/// Of one device.
struct CudaDeviceFacts {
  int index = 0;
  std::string name;
  int sm_major = 0, sm_minor = 0, sm_count = 0;
  int driver_version = 0, runtime_version = 0;
  double default_sm_clock_hz = 0;
  double peak_bytes_per_second = 0;
  double peak_fp32_flops = 0;  ///< 0 where the number of cores per SM is not known
  std::int64_t l2_bytes = 0;
};

/// 12040 -> "12.4".
inline std::string cuda_version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

inline int fp32_cores_per_sm(int major, int minor) {
  if (major == 7) return 64;
  if (major == 8) return minor == 0 ? 64 : 128;
  return major >= 9 ? 128 : 0;
}

inline CudaDeviceFacts load_cuda_device_facts(int device) {
  CudaDeviceFacts facts;
  facts.index = device;
  cudaDeviceProp properties;
  check_cuda(cudaGetDeviceProperties(&properties, device), "reading the device's properties");
  facts.name = properties.name;
  facts.sm_major = properties.major;
  facts.sm_minor = properties.minor;
  facts.sm_count = properties.multiProcessorCount;
  facts.l2_bytes = properties.l2CacheSize;
  check_cuda(cudaDriverGetVersion(&facts.driver_version), "reading the driver's version");
  check_cuda(cudaRuntimeGetVersion(&facts.runtime_version), "reading the runtime's version");
  int clock_khz = 0, memory_khz = 0, bus_bits = 0;
  check_cuda(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, device), "reading the SM clock");
  check_cuda(cudaDeviceGetAttribute(&memory_khz, cudaDevAttrMemoryClockRate, device), "reading the memory clock");
  check_cuda(cudaDeviceGetAttribute(&bus_bits, cudaDevAttrGlobalMemoryBusWidth, device), "reading the memory bus");
  facts.default_sm_clock_hz = clock_khz * 1e3;
  facts.peak_bytes_per_second = 2.0 * memory_khz * 1e3 * bus_bits / 8;  // two transfers a clock
  facts.peak_fp32_flops =
      2.0 * facts.sm_count * fp32_cores_per_sm(facts.sm_major, facts.sm_minor) * facts.default_sm_clock_hz;
  return facts;
}

}  // namespace icount
