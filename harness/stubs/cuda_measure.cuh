// Timing of GPU work, for generated CUDA stubs and for users' own programs (timer/cuda_timer.h): cold samples with the
// L2 cache flushed before each, hot batches, both with the stream blocked until everything is queued, so that only the
// device's own time lies between two events. Method: nvbench's, see docs/cuda.md. CUDA runtime and standard library
// only.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "cuda_check.cuh"
#include "cuda_device_facts.cuh"
#include "cuda_workbench.cuh"
#include "sample_rules.h"

namespace icount {

struct CudaMeasureOptions {
  int min_samples = 10;
  int max_samples = 0;               ///< above 0: exactly so many, no stopping rule
  bool use_entropy = false;          ///< stop by entropy instead of relative deviation
  double max_noise = 0.005;          ///< relative deviation at which cold samples are enough
  double min_seconds = 0.5;          ///< of device time, cold and hot each
  double time_out_seconds = 15;      ///< wall time of the cold part
  double throttle_threshold = 0.75;  ///< share of the default SM clock below which a sample is thrown away
  bool stream_is_sure = false;  ///< whatever the statement queues is on the timed stream (LibTorch's current one is)
  bool statement_synchronises = false;  ///< no blocking kernel: the statement waits for the device itself
};

struct CudaSamples {
  CudaDeviceFacts device;
  std::vector<double> cold_seconds;         ///< device time, L2 flushed before
  std::vector<double> cold_launch_seconds;  ///< host time of the same launches
  std::vector<double> hot_seconds;          ///< device time per run, one entry per batch
  std::int64_t hot_runs_per_batch = 0;
  std::int64_t throttled = 0;  ///< samples thrown away because the clock was below the threshold
  double sm_clock_hz = 0;      ///< median over the samples kept; 0 when it can't be read
  double flush_seconds = 0;
  SampleStop stop = SampleStop::kNone;
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
    samples_.device = load_cuda_device_facts(device);
  }

  CudaSamples run(const Launch& launch) {
    CudaWorkbench bench(samples_.device.l2_bytes);
    warm_up(bench, launch);
    measure_cold(bench, launch);
    check_something_was_timed(bench, launch);
    measure_hot(bench, launch);
    return samples_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  /// First run (lazy loading, allocation), and the check that the statement's work really is on our stream.
  void warm_up(CudaWorkbench& bench, const Launch& launch) {
    launch(bench.stream());
    check_cuda(cudaGetLastError(), "launching the statement");
    check_cuda(cudaDeviceSynchronize(), "running the statement");
    launch(bench.stream());
    bench.synchronise("running the statement");
    const auto begin = Clock::now();
    check_cuda(cudaDeviceSynchronize(), "running the statement");
    constexpr double kIdleDeviceSeconds = 100e-6;
    if (seconds_since(begin) > kIdleDeviceSeconds)
      throw CudaMeasureError(
          "the device is still at work when the timed stream is done: the statement uses another stream; pass "
          "`stream` to its launches");
  }

  /// Kernels too short for the check of the warm-up, on another stream, would leave two events with nothing between
  /// them: a small number. So where the time is that of an empty stream or little more, the statement is captured once
  /// instead of run.
  void check_something_was_timed(CudaWorkbench& bench, const Launch& launch) {
    constexpr double kHardlyAnything = 8e-6;
    std::vector<double> cold = samples_.cold_seconds;
    std::nth_element(cold.begin(), cold.begin() + static_cast<std::ptrdiff_t>(cold.size() / 2), cold.end());
    if (options_.statement_synchronises || options_.stream_is_sure || cold[cold.size() / 2] > kHardlyAnything) return;
    if (!queues_work(bench.stream(), launch))
      throw CudaMeasureError("the statement queues nothing on the timed stream: pass `stream` to its launches");
  }

  /// True also when the statement can't be captured: then nothing is known.
  static bool queues_work(cudaStream_t stream, const Launch& launch) {
    if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) != cudaSuccess) {
      cudaGetLastError();
      return true;
    }
    bool launched = true;
    try {
      launch(stream);
    } catch (...) {
      launched = false;
    }
    cudaGraph_t graph = nullptr;
    const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
    cudaGetLastError();
    if (!launched || ended != cudaSuccess || !graph) return true;
    std::size_t nodes = 1;
    cudaGraphGetNodes(graph, nullptr, &nodes);
    cudaGraphDestroy(graph);
    return nodes > 0;
  }

  double one_cold(CudaWorkbench& bench, const Launch& launch, double& launch_seconds) {
    bench.flush_l2();
    bench.synchronise("flushing the L2 cache");
    const bool block = !options_.statement_synchronises;
    if (block) bench.block();
    bench.record_begin();
    const auto begin = Clock::now();
    launch(bench.stream());
    launch_seconds = seconds_since(begin);
    bench.record_end();
    if (block) bench.release();
    bench.synchronise("running the statement");
    if (block) bench.check_not_timed_out();
    check_cuda(cudaGetLastError(), "running the statement");
    return bench.elapsed_seconds();
  }

  void measure_cold(CudaWorkbench& bench, const Launch& launch) {
    RelativeDeviationRule deviation(options_.max_noise, options_.min_seconds);
    EntropyRule entropy;
    std::vector<double> clocks;
    const auto begin = Clock::now();
    auto pause = std::chrono::milliseconds(50);
    while (samples_.stop == SampleStop::kNone) {
      double launch_seconds = 0;
      const double seconds = one_cold(bench, launch, launch_seconds);
      const double clock_hz = bench.read_clock_hz();
      const bool throttled =
          clock_hz > 0 && clock_hz < options_.throttle_threshold * samples_.device.default_sm_clock_hz;
      const bool late = seconds_since(begin) > options_.time_out_seconds;
      if (throttled) {
        ++samples_.throttled;
        if (late) break;
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::milliseconds(1000));
        continue;
      }
      samples_.cold_seconds.push_back(seconds);
      samples_.cold_launch_seconds.push_back(launch_seconds);
      clocks.push_back(clock_hz);
      deviation.add(seconds);
      entropy.add(seconds);
      samples_.stop = look(options_.use_entropy ? entropy.look() : deviation.look(), late);
    }
    if (samples_.cold_seconds.empty())
      throw CudaMeasureError("every sample was discarded: the SM clock stays below " +
                             std::to_string(static_cast<int>(options_.throttle_threshold * 100)) +
                             " % of its default (throttled by heat, power or another user of the device)");
    std::nth_element(clocks.begin(), clocks.begin() + static_cast<std::ptrdiff_t>(clocks.size() / 2), clocks.end());
    samples_.sm_clock_hz = clocks[clocks.size() / 2];
  }

  SampleStop look(SampleStop rule, bool late) const {
    const auto taken = static_cast<int>(samples_.cold_seconds.size());
    if (options_.max_samples > 0) return taken >= options_.max_samples ? SampleStop::kSampleCount : SampleStop::kNone;
    if (late) return SampleStop::kTimeOut;
    return taken >= options_.min_samples ? rule : SampleStop::kNone;
  }

  /// Batches back to back without a flush. Only the first launches are queued while the stream is held: the queue is
  /// finite.
  void measure_hot(CudaWorkbench& bench, const Launch& launch) {
    std::vector<double> cold = samples_.cold_seconds;
    std::nth_element(cold.begin(), cold.begin() + static_cast<std::ptrdiff_t>(cold.size() / 2), cold.end());
    const double guess = std::max(cold[cold.size() / 2], 1e-6);
    constexpr int kBatches = 5;
    constexpr std::int64_t kHeldLaunches = 256;
    const double wanted = options_.min_seconds / kBatches / guess;
    samples_.hot_runs_per_batch = static_cast<std::int64_t>(std::clamp(wanted, 4.0, 1e6));
    for (int batch = 0; batch < kBatches; ++batch) {
      const bool block = !options_.statement_synchronises;
      if (block) bench.block();
      bench.record_begin();
      for (std::int64_t i = 0; i < samples_.hot_runs_per_batch; ++i) {
        launch(bench.stream());
        if (block && i + 1 == kHeldLaunches) bench.release();
      }
      bench.record_end();
      if (block) bench.release();
      bench.synchronise("running the statement in a batch");
      if (block) bench.check_not_timed_out();
      samples_.hot_seconds.push_back(bench.elapsed_seconds() / static_cast<double>(samples_.hot_runs_per_batch));
    }
  }

  CudaMeasureOptions options_;
  CudaSamples samples_;
};

}  // namespace icount
