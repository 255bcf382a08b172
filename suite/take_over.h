// Results of an earlier run stand for benchmarks of which nothing has changed that their counts depend on: those of a
// baseline (`suite run --skip-unchanged`), those of an interrupted run (--resume). Between suite/plan.h, which chooses
// benchmarks, and suite/batch.h, which measures the others.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/stats/result.h"
#include "icount/suite/benchmark_identity.h"
#include "icount/suite/expand.h"

namespace icount {

/// Why -> the names of benchmarks.
using Reasons = std::map<std::string, std::vector<std::string>>;

struct TakenOver {
  std::vector<Result> results;  ///< as they go into the new file: marked, with the record of this run's suite
  std::vector<Benchmark> rest;  ///< to be measured, in their order
  Reasons reasons;              ///< why they are
};

/// `base` is the earlier run's file, `name` what it is called in results and messages. Wall times are not taken over:
/// they do not follow from the code.
TakenOver take_over(std::span<const Benchmark> benchmarks, const ResultFile& base, const std::string& name,
                    BenchmarkIdentities& identities);

/// One line for people: "12 benchmarks are taken over from main.icount, unchanged; measuring 2: ...".
std::string describe(const TakenOver& taken, const std::string& name);

struct Resumed {
  std::vector<Result> results;  ///< those that stay
  Reasons changed;              ///< why others do not
  Reasons unknown;              ///< why it cannot be known of results whether they should; they have a note
};

/// Of the `results` of an interrupted run those whose benchmarks have not changed. Somebody asked to go on with that
/// run, so results stay of which not everything can be known; what is known has not changed. Failures do not stay.
Resumed resume_results(std::span<const Benchmark> benchmarks, std::vector<Result> results,
                       BenchmarkIdentities& identities);

/// "2: sort / C++ (changed: statement); parse (sh is an interpreter)", with `which` behind the number.
std::string describe(const Reasons& reasons, std::string_view which = {});

}  // namespace icount
