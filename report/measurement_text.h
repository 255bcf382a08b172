// Measurements and counts as text. One Measurement as PyTorch prints it, byte for byte, without the first line (class
// and object address).
#pragma once

#include <string>

#include "icount/stats/callgrind_stats.h"
#include "icount/stats/device_measurement.h"
#include "icount/stats/function_counts.h"
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

// FunctionCounts and CallgrindStats as PyTorch prints them, byte for byte, without the first line (class
// and object address). Cli and library users print these; the explaining diff has its own text in
// report/explanation_document.h.

constexpr size_t kDefaultLineWidth = 80;

/// Rows "  count  name" without a final line break: names longer than the line are cut in the middle, and of
/// more than 18 rows the middle is left out when the counts allow it. Exclusive counts end with a blank line
/// and their total.
std::string render_counts(const FunctionCounts& counts, size_t line_width = kDefaultLineWidth);

/// Summary, instructions with and without noise, the same for the baseline, runs and threads; a warning
/// without debug symbols.
std::string render_callgrind_stats(const CallgrindStats& stats);

// A GPU measurement for people: cold and hot figures, launch time, shares of the device's peak, and whatever makes the
// figures doubtful. Value: stats/device_measurement.h; method: docs/cuda.md.

/// Several lines, each indented by two blanks, with a line break at the end.
std::string render_device_measurement(const DeviceMeasurement& measurement);

}  // namespace icount
