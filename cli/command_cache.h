// `icount cache info` and `icount cache clear`: what compilers made is kept, and can be looked at and thrown away.
#pragma once

#include "icount/console/command_spec.h"

namespace icount {

const CommandSpec& cache_info_command();
const CommandSpec& cache_clear_command();

}  // namespace icount
