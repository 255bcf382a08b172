// What one measurement holds on the device: a stream that can be blocked from the host, events around the timed work, a
// buffer that flushes the L2 cache, a reading of the SM clock. Read by cuda_measure.cuh, which decides what is done
// with it when.
#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>

#include "cuda_check.cuh"

namespace icount {

/// Spins until the host raises `release` or `limit_ns` have passed; then tells through `timed_out`.
static __global__ void block_stream_kernel(const volatile int* release, volatile int* timed_out,
                                           unsigned long long limit_ns) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  while (*release == 0) {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    if (now - begin > limit_ns) {
      *timed_out = 1;
      __threadfence_system();
      return;
    }
  }
}

/// SM cycles and nanoseconds over about 20 us of spinning: their ratio is the clock the SM runs at.
static __global__ void read_clock_kernel(unsigned long long* out) {
  unsigned long long t0, t1;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
  const long long c0 = clock64();
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t1));
  } while (t1 - t0 < 20000);
  const long long c1 = clock64();
  out[0] = static_cast<unsigned long long>(c1 - c0);
  out[1] = t1 - t0;
}

/// Device memory, mapped host flags, events and the stream of one measurement; frees them all.
class CudaWorkbench {
 public:
  explicit CudaWorkbench(std::int64_t l2_bytes) : l2_bytes_(static_cast<std::size_t>(l2_bytes)) {
    check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
    check_cuda(cudaEventCreate(&begin_), "creating an event");
    check_cuda(cudaEventCreate(&end_), "creating an event");
    if (l2_bytes_ > 0) check_cuda(cudaMalloc(&l2_, l2_bytes_), "allocating the buffer that flushes the L2 cache");
    check_cuda(cudaMalloc(&clock_, 2 * sizeof(unsigned long long)), "allocating device memory");
    check_cuda(cudaHostAlloc(&flags_, 2 * sizeof(int), cudaHostAllocMapped), "allocating mapped host memory");
    check_cuda(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device_flags_), flags_, 0), "mapping host memory");
  }
  CudaWorkbench(const CudaWorkbench&) = delete;
  CudaWorkbench& operator=(const CudaWorkbench&) = delete;
  ~CudaWorkbench() {
    if (flags_) flags_[0] = 1;  // a blocked stream would hold the destruction for ever
    cudaStreamSynchronize(stream_);
    cudaFreeHost(flags_);
    cudaFree(clock_);
    cudaFree(l2_);
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
    cudaStreamDestroy(stream_);
  }

  cudaStream_t stream() const { return stream_; }

  void flush_l2() {
    if (l2_) check_cuda(cudaMemsetAsync(l2_, 0, l2_bytes_, stream_), "flushing the L2 cache");
  }
  void block() {
    static_cast<volatile int*>(flags_)[0] = 0;
    static_cast<volatile int*>(flags_)[1] = 0;
    constexpr unsigned long long kLimitNs = 5'000'000'000ull;
    block_stream_kernel<<<1, 1, 0, stream_>>>(device_flags_, device_flags_ + 1, kLimitNs);
    check_cuda(cudaGetLastError(), "launching the blocking kernel");
  }
  void release() { static_cast<volatile int*>(flags_)[0] = 1; }
  void check_not_timed_out() const {
    if (static_cast<volatile int*>(flags_)[1] != 0)
      throw CudaMeasureError(
          "the statement waited for the device while its stream was held (a deadlock, ended after 5 s): it "
          "synchronizes; pass --cuda-sync, or remove the synchronization from the statement");
  }
  void record_begin() { check_cuda(cudaEventRecord(begin_, stream_), "recording an event"); }
  void record_end() { check_cuda(cudaEventRecord(end_, stream_), "recording an event"); }
  double elapsed_seconds() const {
    float milliseconds = 0;
    check_cuda(cudaEventElapsedTime(&milliseconds, begin_, end_), "reading the events");
    return milliseconds * 1e-3;
  }
  void synchronise(const char* what) { check_cuda(cudaStreamSynchronize(stream_), what); }
  void synchronise_device(const char* what) { check_cuda(cudaDeviceSynchronize(), what); }
  void check_launch(const char* what) { check_cuda(cudaGetLastError(), what); }

  /// Of a steady clock of the host.
  double host_seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  void sleep(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

  /// Whether the launcher queues anything on the stream, by capturing it; true also when it can't be captured: then
  /// nothing is known.
  template <typename Launch>
  bool queues_work(const Launch& launch) {
    if (cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed) != cudaSuccess) {
      cudaGetLastError();
      return true;
    }
    bool launched = true;
    try {
      launch(stream_);
    } catch (...) {
      launched = false;
    }
    cudaGraph_t graph = nullptr;
    const cudaError_t ended = cudaStreamEndCapture(stream_, &graph);
    cudaGetLastError();
    if (!launched || ended != cudaSuccess || !graph) return true;
    std::size_t nodes = 1;
    cudaGraphGetNodes(graph, nullptr, &nodes);
    cudaGraphDestroy(graph);
    return nodes > 0;
  }

  /// The SM clock now, in Hz.
  double read_clock_hz() {
    read_clock_kernel<<<1, 1, 0, stream_>>>(clock_);
    unsigned long long values[2] = {0, 0};
    check_cuda(cudaMemcpyAsync(values, clock_, sizeof values, cudaMemcpyDeviceToHost, stream_), "reading the SM clock");
    synchronise("reading the SM clock");
    return values[1] == 0 ? 0 : static_cast<double>(values[0]) / static_cast<double>(values[1]) * 1e9;
  }

 private:
  std::size_t l2_bytes_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
  void* l2_ = nullptr;
  unsigned long long* clock_ = nullptr;
  int* flags_ = nullptr;
  int* device_flags_ = nullptr;
};

}  // namespace icount
