// `icount fuzz`: what a statement costs over many drawn inputs, and where two statements differ.
#pragma once

#include "icount/console/command_spec.h"

namespace icount {

const CommandSpec& fuzz_command();

}  // namespace icount
