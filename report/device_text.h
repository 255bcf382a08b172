// A GPU measurement for people: cold and hot figures, launch time, shares of the device's peak, and whatever makes the
// figures doubtful. Value: stats/device_measurement.h; method: docs/cuda.md.
#pragma once

#include <string>

#include "icount/stats/device_measurement.h"

namespace icount {

/// Several lines, each indented by two blanks, with a line break at the end.
std::string render_device_measurement(const DeviceMeasurement& measurement);

}  // namespace icount
