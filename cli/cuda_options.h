// The options of statements on a CUDA device: rows and reader, shared by `icount count` and `icount time`.
#pragma once

#include "icount/console/options.h"
#include "icount/harness/cuda_stub.h"

namespace icount {

inline constexpr OptionSpec kCudaArchOption{
    "cuda-arch", "ARCH",
    "cuda: the architecture to compile for, sm_90 for example (default: native, the device's own)"};
inline constexpr OptionSpec kCudaDeviceOption{"cuda-device", "N",
                                              "cuda: the device, as nvidia-smi numbers them (default: the first)"};

inline constexpr OptionSpec kCudaSyncOption{
    "cuda-sync", "",
    "the statement waits for the CUDA device itself: its stream is not held; without this, icount refuses to time a "
    "statement that uses a device, except with --device cuda"};

/// Problems are noted on `parsed`.
void read_cuda_options(const ParsedOptions& parsed, CudaStubOptions& cuda);

/// What `icount time` was given that has no meaning where the statements run; each is a problem noted on `parsed`.
void check_time_on_cuda(const ParsedOptions& parsed, bool on_cuda, bool is_python);

}  // namespace icount
