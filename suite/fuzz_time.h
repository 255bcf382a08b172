// The wall-clock side of a fuzzer run: times each statement in a native stub server and hands the result over
// in the form that counts come in, so that suite/fuzz_run.h takes either.
#pragma once

#include <span>
#include <vector>

#include "icount/timer/collect_callgrind.h"

namespace icount {

/// One CollectResult per statement: per_run is the median in seconds of blocks of together `min_run_time`
/// seconds, one statement after the other (never two at once: they would disturb each other). One that the compiler
/// removed is dead. With `on_device` blocks wait for the CUDA device once each. Of the options
/// only toolchain, environment, cache_dir, time_limit (of a block), and the callbacks are used.
std::vector<CollectResult> collect_wall_time(std::span<const TimerArgs> statements, const CollectOptions& options,
                                             double min_run_time = 0.05, bool on_device = false);

}  // namespace icount
