// The progress of a suite run as one line: on a terminal it is rewritten in place, elsewhere it is printed now and
// then. Pure; the clock is the caller's.
#pragma once

#include <cstddef>
#include <string>

#include "icount/base/process.h"
#include "icount/suite/batch.h"

namespace icount {

/// " 57/181, 2 failed, 3.2 per second, about 39 s to go: Pointwise / Math / add / Case:  0 / C++", cut to `width`
/// columns (0: not at all). Rate and time to go are there from the fifth result on; `elapsed` counts from when
/// measuring began.
std::string progress_text(const BatchProgress& progress, Seconds elapsed, size_t width);

/// "39 s", "3 min 20 s", "2 h 5 min": rounded up.
std::string duration_text(Seconds duration);

}  // namespace icount
