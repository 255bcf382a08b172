// One Measurement as PyTorch prints it, byte for byte, without the first line (class and object
// address).
#pragma once

#include <string>

#include "icount/stats/measurement.h"

namespace icount {

/// Which figures a text is made for.
enum class TimeText {
  kCompatible,  ///< PyTorch's bytes, also where it shows less than 1 ns as 0.00 s
  kFine         ///< the same, but picoseconds below 1 ns
};

/// Summary, median, quartiles (from four blocks on), blocks and runs, and a warning for each limit that the
/// spread exceeds. Where PyTorch fails (no times, zero or negative medians) the text says what there is.
std::string render_measurement(const Measurement& measurement, TimeText style = TimeText::kFine);

}  // namespace icount
