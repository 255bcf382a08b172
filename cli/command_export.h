// `icount export`: call stacks and profiles in the formats of other viewers (report/folded.h, speedscope.h, pprof.h,
// callgrind/writer.h).
#pragma once

#include "icount/console/command_spec.h"

namespace icount {

const CommandSpec& export_command();

}  // namespace icount
