// `suite run --skip-unchanged BASELINE`: results of an earlier run stand for benchmarks of which nothing has changed
// that their counts depend on. Between suite/plan.h, which chooses benchmarks, and suite/batch.h, which measures the
// others.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "icount/stats/result.h"
#include "icount/suite/benchmark_identity.h"
#include "icount/suite/expand.h"

namespace icount {

struct TakenOver {
  std::vector<Result> results;  ///< as they go into the new file: marked, with the record of this run's suite
  std::vector<Benchmark> rest;  ///< to be measured, in their order
  std::map<std::string, std::vector<std::string>> reasons;  ///< why they are -> their names
};

/// `base` is the earlier run's file, `name` what it is called in results and messages. Wall times are not taken over:
/// they do not follow from the code.
TakenOver take_over(std::span<const Benchmark> benchmarks, const ResultFile& base, const std::string& name,
                    BenchmarkIdentities& identities);

/// One line for people: "12 benchmarks are taken over from main.icount, unchanged; measuring 2: ...".
std::string describe(const TakenOver& taken, const std::string& name);

}  // namespace icount
