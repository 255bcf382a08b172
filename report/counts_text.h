// FunctionCounts and CallgrindStats as PyTorch prints them, byte for byte, without the first line (class
// and object address). Cli and library users print these; the explaining diff has its own text in
// report/explanation_document.h.
#pragma once

#include <string>

#include "icount/stats/callgrind_stats.h"
#include "icount/stats/function_counts.h"

namespace icount {

constexpr size_t kDefaultLineWidth = 80;

/// Rows "  count  name" without a final line break: names longer than the line are cut in the middle, and of
/// more than 18 rows the middle is left out when the counts allow it. Exclusive counts end with a blank line
/// and their total.
std::string render_counts(const FunctionCounts& counts, size_t line_width = kDefaultLineWidth);

/// Summary, instructions with and without noise, the same for the baseline, runs and threads; a warning
/// without debug symbols.
std::string render_callgrind_stats(const CallgrindStats& stats);

}  // namespace icount
