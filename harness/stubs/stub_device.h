// Whether a CUDA device does the work: its driver's library is asked, which nothing here is linked with.
#pragma once

#include <dlfcn.h>
#include <link.h>
#include <string.h>

namespace icount_stub {

/// Whether this process has made a CUDA context: asked of the driver's library where one is loaded, which costs nothing
/// elsewhere.
inline bool has_cuda_context() {
  // dlopen would search the disk for a library that is not loaded.
  const auto is_driver = [](dl_phdr_info* info, size_t, void*) {
    return strstr(info->dlpi_name, "/libcuda.so") ? 1 : 0;
  };
  if (dl_iterate_phdr(is_driver, nullptr) == 0) return false;
  void* driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (!driver) return false;
  const auto count_devices = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDeviceGetCount"));
  const auto device_at = reinterpret_cast<int (*)(int*, int)>(dlsym(driver, "cuDeviceGet"));
  const auto primary_state =
      reinterpret_cast<int (*)(int, unsigned*, int*)>(dlsym(driver, "cuDevicePrimaryCtxGetState"));
  const auto current = reinterpret_cast<int (*)(void**)>(dlsym(driver, "cuCtxGetCurrent"));
  void* context = nullptr;
  if (current && current(&context) == 0 && context) return true;
  int devices = 0;
  if (!count_devices || !device_at || !primary_state || count_devices(&devices) != 0) return false;
  for (int i = 0; i < devices; ++i) {
    int device = 0, active = 0;
    unsigned flags = 0;
    if (device_at(&device, i) == 0 && primary_state(device, &flags, &active) == 0 && active) return true;
  }
  return false;
}

}  // namespace icount_stub
