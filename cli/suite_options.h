// Options that several suite commands take: which benchmarks of a suite file, with which of them TorchScript variants
// are meant. Used by command_suite_list.cc and command_suite_run.cc.
#pragma once

#include <vector>

#include "icount/console/options.h"
#include "icount/suite/plan.h"
#include "icount/suite/suite_spec.h"

namespace icount {

/// --filter, --language and --shard; notes problems on `parsed`.
PlanOptions read_plan_options(const ParsedOptions& parsed);

/// The suite's name, version and checksum over all its keys, for the record.
struct LoadedSuite {
  Suite suite;
  std::vector<Benchmark> benchmarks;  ///< all of them, in order
  std::string identity;
};

/// Loads and expands. Error{kMalformed} with every problem of the file.
LoadedSuite load_suite_benchmarks(const std::string& file, const ExpandOptions& options);

}  // namespace icount
