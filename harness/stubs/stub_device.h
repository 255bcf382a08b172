// Whether a CUDA device does the work: its driver's library is asked, which nothing here is linked with.
#pragma once

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
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

/// The stream that torch has chosen in this thread of a Python process; null, the default one, elsewhere.
inline void* current_stream() {
  static void* stream;
  stream = nullptr;
  const auto run = reinterpret_cast<int (*)(const char*)>(dlsym(RTLD_DEFAULT, "PyRun_SimpleString"));
  if (!run) return nullptr;
  char code[600];
  snprintf(code, sizeof code,
           "def icount_stream_():\n"
           "  import ctypes, sys\n"
           "  torch = sys.modules.get('torch')\n"
           "  if torch is not None and torch.cuda.is_initialized():\n"
           "    ctypes.c_void_p.from_address(%llu).value = torch.cuda.current_stream().cuda_stream\n"
           "icount_stream_()\n",
           static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(&stream)));
  run(code);
  return stream;
}

/// One block of a statement whose work a device does: waits for the device before its clock starts and, once, before it
/// ends, as torch.utils.benchmark does; and records an event on the current stream at both places.
class DeviceBlock {
 public:
  void begin() {
    if (!find_driver()) return;
    wait();
    if (!begin_ && event_create_) {
      event_create_(&begin_, 0);
      event_create_(&end_, 0);
    }
    stream_ = current_stream();
    if (begin_ && event_record_) event_record_(begin_, stream_);
  }

  /// False where the process has no context: nothing was waited for.
  bool end() {
    if (!find_driver() || !has_cuda_context()) return false;
    if (end_ && event_record_) event_record_(end_, stream_);
    return wait();
  }

  /// Between the events of the last block; negative where there are none.
  double event_seconds() const {
    float milliseconds = 0;
    if (!begin_ || !event_elapsed_ || event_elapsed_(&milliseconds, begin_, end_) != 0) return -1;
    return static_cast<double>(milliseconds) * 1e-3;
  }

 private:
  bool find_driver() {
    if (wait_) return true;
    void* driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (!driver) return false;
    wait_ = reinterpret_cast<int (*)()>(dlsym(driver, "cuCtxSynchronize"));
    event_create_ = reinterpret_cast<int (*)(void**, unsigned)>(dlsym(driver, "cuEventCreate"));
    event_record_ = reinterpret_cast<int (*)(void*, void*)>(dlsym(driver, "cuEventRecord"));
    event_elapsed_ = reinterpret_cast<int (*)(float*, void*, void*)>(dlsym(driver, "cuEventElapsedTime"));
    return wait_ != nullptr;
  }
  bool wait() { return wait_() == 0; }

  int (*wait_)() = nullptr;
  int (*event_create_)(void**, unsigned) = nullptr;
  int (*event_record_)(void*, void*) = nullptr;
  int (*event_elapsed_)(float*, void*, void*) = nullptr;
  void* begin_ = nullptr;
  void* end_ = nullptr;
  void* stream_ = nullptr;
};

inline DeviceBlock& device_block() {
  static DeviceBlock block;
  return block;
}

}  // namespace icount_stub
