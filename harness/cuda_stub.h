// A statement for the GPU -> the source of a CUDA program that times it (harness/stubs/cuda_main.cuh), its build with
// nvcc and its run. Instruction counts end where the device begins; this is the way on. Result:
// stats/device_measurement.h.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "icount/base/process.h"
#include "icount/harness/environment.h"
#include "icount/harness/timer_args.h"
#include "icount/harness/toolchain.h"
#include "icount/stats/device_measurement.h"

namespace icount {

/// What the generated program may include beside the CUDA runtime, and how it is measured.
struct CudaStubOptions {
  std::filesystem::path nvcc;         ///< empty: the one in PATH, else /usr/local/cuda/bin/nvcc
  std::string arch = "native";        ///< nvcc's -arch: code for the device that is there; empty: nvcc's own default
  std::optional<int> device;          ///< as nvidia-smi numbers them; absent: the runtime's first one
  std::vector<std::string> cxxflags;  ///< after our own
  std::vector<std::string> link_flags;
  std::optional<LibTorch> torch;  ///< for statements with args.torch
  bool use_entropy = false;
  bool synchronises = false;  ///< the statement waits for the device itself
  double min_seconds = 0.5;
  double max_noise = 0.005;
  int max_samples = 0;
  double bytes_moved = 0;  ///< per run, declared by the user
  double flops = 0;
  Seconds time_limit{120};
  std::function<bool()> cancelled;
};

/// How it ended: a measurement, or one line that says why there is none.
struct CudaOutcome {
  std::optional<DeviceMeasurement> measurement;
  std::string error;
  std::string details;  ///< the compiler's message or the program's output
};

/// The program's text. The statement sees what set-up declares and `cudaStream_t stream`, on which it has to queue its
/// work; with args.torch that stream is LibTorch's current one, so its operators need not be told. Nothing is
/// substituted inside the user's text; #line leads messages back to it.
std::string make_cuda_source(const TimerArgs& args);

/// An nvcc that can be run; empty when there is none.
std::filesystem::path probe_nvcc(const CudaStubOptions& options);

/// The environment in which a program sees this device alone, numbered as nvidia-smi does; unchanged without one.
Environment with_cuda_device(Environment environment, std::optional<int> device);

/// What nvcc is given beside source and output, the user's flags last. Pure.
std::vector<std::string> cuda_compile_flags(const TimerArgs& args, const CudaStubOptions& options);

/// The statement's kernels as a cubin in `work_dir`. Error{kTool} when there is no nvcc, or it makes none: of several
/// architectures.
std::filesystem::path build_cuda_cubin(const TimerArgs& args, const CudaStubOptions& options,
                                       const std::filesystem::path& work_dir);

/// Builds in `work_dir` and runs on the device. An nvcc that does not know -arch=native (before CUDA 11.5) is asked
/// again without. Error{kTool} when there is no nvcc, or for a LibTorch statement when options.torch is absent or was
/// built without CUDA.
CudaOutcome run_cuda_stub(const TimerArgs& args, const CudaStubOptions& options, const std::filesystem::path& work_dir);

}  // namespace icount
