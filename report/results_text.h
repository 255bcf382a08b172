// What `icount count` found, for people: per statement the count, cost per run, fixed cost, spread, top functions.
// Value: stats/result.h.
#pragma once

#include <span>
#include <string>

#include "icount/base/json.h"
#include "icount/report/document.h"
#include "icount/stats/name_rules.h"
#include "icount/stats/result.h"

namespace icount {

/// "moves by 51 (0.003 %)": largest minus smallest count, and its share of the median. Of a result with counts.
std::string describe_spread(const Result& result);

/// {"min": 1926197, "max": 1926248}: the smallest and the largest count. Of a result with counts.
Json spread_to_json(const Result& result);

struct ResultsView {
  size_t top = 10;    ///< functions per result; 0: all
  bool raw = false;   ///< names as they are
  bool built = true;  ///< say how the code was compiled
  FunctionFilter filter;
};

/// One block per result; before them a table when there are several, whose figures the blocks don't repeat. Failed ones
/// have their status and error. `width`: columns that names are shortened for; 0: they stay whole.
Document make_results_document(std::span<const Result> results, const ResultsView& view, size_t width);

/// describe_build (stats/flag_paths.h) of all results, whose shared facts are `shared`; several joined by " and ".
std::string describe_builds(std::span<const Result> results, const Fingerprint& shared = {});

/// "5,620.98", "5,621" when whole, at most two decimals.
std::string quantity_text(double value);

/// What each run costs: Result::slope, or the mean (per_run) where only one region was counted. Not for a failed
/// result.
std::string run_cost_text(const Result& result);

/// Result::fixed; empty when it was not taken, "-" below zero: runs n + 1 to 2n cost more than the first n, so that the
/// line through the two counts has no fixed part to show.
std::string fixed_text(const Result& result);

/// Every result, failed ones with empty counts and per_run null; functions by self cost of the first event.
Json results_to_json(std::span<const Result> results, const FunctionFilter& filter = {});

}  // namespace icount
