// The statements of `icount count` whose work a CUDA device does: Valgrind cannot count them, so they get the device's
// wall-clock times instead. How such a statement is recognized and timed: cli/cuda_fallback.h.
#pragma once

#include <string_view>
#include <vector>

#include "icount/cli/count_options.h"
#include "icount/console/command_spec.h"
#include "icount/harness/timer_args.h"
#include "icount/stats/result.h"

namespace icount {

/// Status of a result that has no count because a device does the work, and of one that has no times either.
inline constexpr std::string_view kOnDevice = "on-device", kDeviceFailed = "device-failed";

/// Takes the statements out of the options whose work a CUDA device does: all of them with --device cuda, else those
/// that create a context in a native run.
std::vector<TimerArgs> take_cuda_statements(CountOptions& options, const CommandContext& context);

/// A result without counts whose error says why; `extra` has the device's times, which are also printed, where
/// --no-fallback does not forbid it and they can be measured (else the status is kDeviceFailed).
Result measure_on_device(const TimerArgs& statement, const CountOptions& options, CommandContext& context);

}  // namespace icount
