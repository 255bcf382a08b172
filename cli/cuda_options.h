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

/// Problems are noted on `parsed`.
void read_cuda_options(const ParsedOptions& parsed, CudaStubOptions& cuda);

}  // namespace icount
