// What `icount bench` found out about a benchmark binary: results, cases that can't be counted, how families grow.
// timer/count_bench fills it, report/bench_report shows it. Read stats/result.h first.
#pragma once

#include <string>
#include <vector>

#include "icount/stats/result.h"

namespace icount {

/// A case that can't be counted, and why.
struct RefusedCase {
  std::string label;
  std::string reason;
};

/// How the cost of a family of cases grows, fitted to the slopes of its cases.
struct BenchComplexity {
  std::string label;  ///< the family's name
  std::string big_o;  ///< "(1)", "lgN", "N", "NlgN", "N^2", "N^3": the best fit
  double coefficient = 0;
  double rms = 0;  ///< root mean square of the residuals over the mean
};

struct BenchCount {
  std::string framework;        ///< "google-benchmark"
  std::vector<Result> results;  ///< a failed case has a status and no counts
  std::vector<RefusedCase> refused;
  std::vector<BenchComplexity> complexities;
  std::vector<std::string> notes;
};

}  // namespace icount
