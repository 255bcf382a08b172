// Statements whose work is on a CUDA device: which of them are (asked for, or seen in a native run), and their
// wall-clock figures, which are all that can be had. `icount count` falls back on this; `icount time --device cuda` is
// it. Method: docs/cuda.md; the work: harness/cuda_stub.h.
#pragma once

#include <string>
#include <vector>

#include "icount/console/command_spec.h"
#include "icount/harness/cuda_stub.h"
#include "icount/harness/timer_args.h"
#include "icount/timer/stub_timing.h"

namespace icount {

/// For each statement whether one native run of it made a CUDA context. All false, without a run, where no CUDA driver
/// (libcuda.so.1) can be loaded.
std::vector<bool> find_cuda_statements(const std::vector<TimerArgs>& statements, const StubTimingOptions& options);

/// Times one statement on the current device: with LibTorch when its texts name it or `toolchain` asks for one, as
/// plain CUDA C++ otherwise. Whatever keeps it from that (no nvcc, no device, a LibTorch without CUDA) is the outcome's
/// error.
CudaOutcome time_on_cuda(TimerArgs statement, CudaStubOptions options, const ToolchainOptions& toolchain,
                         const CommandContext& context);

/// "LABEL: no instruction count: ...": the reason, in one line.
std::string describe_no_count(const std::string& label);

}  // namespace icount
