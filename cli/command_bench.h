// `icount bench BINARY`: the cases of an existing benchmark binary, counted (timer/count_bench.h).
#pragma once

#include "icount/console/command_spec.h"

namespace icount {

const CommandSpec& bench_command();

}  // namespace icount
