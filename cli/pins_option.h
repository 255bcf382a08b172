// The option --release-pin of the commands that measure.
#pragma once

#include "icount/console/options.h"
#include "icount/harness/pins.h"

namespace icount {

/// Every --release-pin into `pins`; an unknown name is a problem of the command line.
void read_pins(const ParsedOptions& parsed, Pins& pins);

}  // namespace icount
