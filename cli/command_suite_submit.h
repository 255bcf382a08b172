// `icount suite submit`: a suite in shards, on the machines of a cluster or here, and their results as one file.
#pragma once

#include "icount/console/command_spec.h"

namespace icount {

const CommandSpec& suite_submit_command();

}  // namespace icount
