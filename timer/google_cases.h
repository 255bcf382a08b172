// The cases of a binary with Google Benchmark, as it lists them, and those that are asked for. Used by
// timer/count_google.
#pragma once

#include <string>
#include <vector>

#include "icount/stats/bench_count.h"
#include "icount/timer/bench_session.h"
#include "icount/timer/google_benchmark.h"

namespace icount {

struct GoogleCases {
  std::vector<GoogleCase> cases;
  std::vector<std::string> labels;  ///< of the results: equal names told apart
  bool is_whole = true;             ///< what the user's filter leaves is what is counted
};

/// Asks the binary. Cases that can't be counted are added to `refused`. Error{kTool} when it does not list them,
/// Error{kUsage} when the filter matches none, Error{kCannotJudge} when there is none.
GoogleCases load_google_cases(const BenchSession& session, std::vector<RefusedCase>& refused);

/// Leaves out what was not asked for. Cases of one name stay together, a filter cannot tell them apart.
void choose_google_cases(const BenchSession& session, const std::vector<RefusedCase>& refused, GoogleCases& found);

}  // namespace icount
