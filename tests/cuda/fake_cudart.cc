// A stand-in for the CUDA runtime (libcudart.so of CUDA 13): one device with one stream at a time, whose work takes
// time of its own and none of ours. Programs of nvcc that are linked with -cudart=shared run with it on machines
// without a device (tests/cuda/cuda_stub_test.cc, scripts/check-cuda). Kernels do nothing; what they take follows from
// their names: "spin(ns)" as many nanoseconds as its argument says, "reads(...)" 20 us and 60 us after a flush, any
// other 100 us. FAKE_CLOCK_MHZ is the SM clock (default: that of the device, 2,000).
#include <cuda_runtime.h>

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <string>

namespace {

struct Work {
  double seconds = 0;
  double* mark = nullptr;  // an event: takes the time, costs nothing
};

struct Device {
  std::map<const void*, std::string> kernels;
  std::deque<Work> queue;
  double now = 0;  // of the device
  bool flushed = false, capturing = false;
  size_t captured = 0;
  const volatile int* release = nullptr;  // of the kernel that holds the stream
  volatile int* timed_out = nullptr;
};

Device& device() {
  static Device the_device;
  return the_device;
}

double clock_mhz() {
  const char* text = std::getenv("FAKE_CLOCK_MHZ");
  return text ? std::atof(text) : 2000;
}

/// Waits for the flag that the host raises; a host that waits for us instead has made a deadlock.
void wait_for_release() {
  Device& d = device();
  if (!d.release) return;
  if (*d.release == 0) {
    usleep(20'000);
    if (*d.release == 0) *d.timed_out = 1;
  }
  d.release = nullptr;
}

cudaError_t synchronise() {
  Device& d = device();
  wait_for_release();
  for (; !d.queue.empty(); d.queue.pop_front()) {
    d.now += d.queue.front().seconds;
    if (d.queue.front().mark) *d.queue.front().mark = d.now;
  }
  return cudaSuccess;
}

template <typename T>
T argument(void** arguments, int i) {
  T value;
  std::memcpy(&value, arguments[i], sizeof value);
  return value;
}

void launch(const std::string& name, void** arguments) {
  Device& d = device();
  const auto is = [&](const char* part) { return name.find(part) != std::string::npos; };
  if (d.capturing) {
    ++d.captured;
  } else if (is("block_stream_kernel")) {
    d.release = argument<const volatile int*>(arguments, 0);
    d.timed_out = argument<volatile int*>(arguments, 1);
  } else if (is("read_clock_kernel")) {
    auto* out = argument<unsigned long long*>(arguments, 0);
    out[1] = 20'000;
    out[0] = static_cast<unsigned long long>(clock_mhz() * 20);
  } else {
    double seconds = 100e-6;
    if (is("spin")) seconds = static_cast<double>(argument<unsigned long long>(arguments, 0)) * 1e-9;
    if (is("reads")) seconds = d.flushed ? 60e-6 : 20e-6;
    d.flushed = false;
    d.queue.push_back({seconds});
  }
}

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void*) {
  static void* handle = nullptr;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 1; }
void __cudaRegisterFunction(void**, const char* host, char*, const char* name, int, void*, void*, void*, void*, int*) {
  device().kernels[host] = name;
}
void __cudaRegisterVar(void**, char*, char*, const char*, int, size_t, int, int) {}
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t, void*) { return 0; }
cudaError_t __cudaPopCallConfiguration(dim3*, dim3*, size_t*, void*) { return cudaSuccess; }
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(function));
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3, dim3, void** arguments, size_t, cudaStream_t) {
  launch(device().kernels[kernel], arguments);
  return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void* function, dim3, dim3, void** arguments, size_t, cudaStream_t) {
  launch(device().kernels[function], arguments);
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) { return *count = 1, cudaSuccess; }
cudaError_t cudaGetDevice(int* index) { return *index = 0, cudaSuccess; }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  std::memset(properties, 0, sizeof *properties);
  std::strcpy(properties->name, "Stand-in");
  properties->major = 9;
  properties->multiProcessorCount = 4;
  properties->l2CacheSize = 1 << 20;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) { return *version = 13000, cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int* version) { return *version = 13000, cudaSuccess; }
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  *value = attribute == cudaDevAttrClockRate ? 2'000'000 : attribute == cudaDevAttrMemoryClockRate ? 1'000'000 : 512;
  return cudaSuccess;
}
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorName(cudaError_t) { return "error"; }
const char* cudaGetErrorString(cudaError_t) { return "an error"; }

cudaError_t cudaMalloc(void** memory, size_t size) { return *memory = std::calloc(1, size), cudaSuccess; }
cudaError_t cudaFree(void* memory) { return std::free(memory), cudaSuccess; }
cudaError_t cudaHostAlloc(void** memory, size_t size, unsigned) { return *memory = std::calloc(1, size), cudaSuccess; }
cudaError_t cudaFreeHost(void* memory) { return std::free(memory), cudaSuccess; }
cudaError_t cudaHostGetDevicePointer(void** there, void* here, unsigned) { return *there = here, cudaSuccess; }
cudaError_t cudaMemsetAsync(void*, int, size_t, cudaStream_t) { return device().flushed = true, cudaSuccess; }
cudaError_t cudaMemset(void* memory, int value, size_t size) { return std::memset(memory, value, size), cudaSuccess; }
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t size, cudaMemcpyKind, cudaStream_t) {
  return std::memcpy(to, from, size), cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  static int the_stream;
  return *stream = reinterpret_cast<cudaStream_t>(&the_stream), cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return synchronise(); }
cudaError_t cudaDeviceSynchronize() { return synchronise(); }
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return *event = reinterpret_cast<cudaEvent_t>(new double(0)), cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) { return delete reinterpret_cast<double*>(event), cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  device().queue.push_back({0, reinterpret_cast<double*>(event)});
  return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  const double seconds = *reinterpret_cast<double*>(end) - *reinterpret_cast<double*>(begin);
  return *milliseconds = static_cast<float>(seconds * 1e3), cudaSuccess;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) {
  device().capturing = true;
  device().captured = 0;
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t* graph) {
  device().capturing = false;
  return *graph = reinterpret_cast<cudaGraph_t>(&device()), cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t, cudaGraphNode_t*, size_t* count) {
  return *count = device().captured, cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t) { return cudaSuccess; }

}  // extern "C"
