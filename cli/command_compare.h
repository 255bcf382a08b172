// `icount compare FILE...`: saved timings as PyTorch's tables, with ratios and verdicts on request.
#pragma once

#include "icount/console/options.h"

namespace icount {

const CommandSpec& compare_command();

}  // namespace icount
