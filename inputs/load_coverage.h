// Which lines, functions and branches of the source ran, of a graph that has the code of all its functions: executions
// by address from the count, what could have run from the object files and their debug information. For `icount export
// --to lcov`.
#pragma once

#include <string>
#include <vector>

#include "icount/callgraph/cost_graph.h"
#include "icount/report/exports.h"

namespace icount {

struct Coverage {
  std::vector<CoveredSource> sources;  ///< by name; those alone whose files are at hand
  std::vector<std::string> notes;      ///< what was left out, and why
};

/// A line was executed as often as that of its instructions which ran most often, in each function that has it and each
/// place where it was inlined, added up; of an instruction that repeats itself (rep) repetitions don't count.
Coverage load_coverage(const CostGraph& graph);

}  // namespace icount
