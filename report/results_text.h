// What `icount count` found, as text and Markdown: per statement the count, cost per run, fixed cost, spread, top
// functions. Value: stats/result.h. The JSON form is report/results_json.h.
#pragma once

#include <iosfwd>
#include <span>

#include "icount/report/text_style.h"
#include "icount/stats/function_filter.h"
#include "icount/stats/result.h"

namespace icount {

struct ResultsView {
  size_t top = 10;   ///< functions per result; 0: all
  bool raw = false;  ///< names as they are
  FunctionFilter filter;
};

/// One block per result; before them a table when there are several. Failed ones have their status and error.
void render_results_text(std::ostream& out, std::span<const Result> results, const ResultsView& view,
                         const TextStyle& style);
void render_results_markdown(std::ostream& out, std::span<const Result> results, const ResultsView& view);

/// "5,620.98", "5,621" when whole, at most two decimals.
std::string quantity_text(double value);

/// Result::fixed; empty when it was not taken, "-" below zero: runs n + 1 to 2n cost more than the first n, so that the
/// line through the two counts has no fixed part to show.
std::string fixed_text(const Result& result);

}  // namespace icount
