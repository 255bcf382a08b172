// Counting parts of a program. Within functions (--within): which functions the user's words mean, the parts of a run
// that were inside of them, and the proof that none of these is missing. Used by timer/count_program between
// callgrind/run and the graphs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/callgraph/cost_graph.h"
#include "icount/callgrind/named_regions.h"
#include "icount/callgrind/run.h"
#include "icount/objects/name_code.h"

namespace icount {

/// The functions among `names` (as a profile has them) that a user means by `words`: those that are called so, as a
/// whole or without what compilers and linkers add ("parse.constprop.0", "qsort@@GLIBC_2.2.5"), parameters, and
/// template arguments; where none is ("operator*" is one), those that match, with * for any text and ? for one
/// character.
FunctionNames functions_meant(std::string_view words, const FunctionNames& names);

/// The functions of the run's processes that `patterns` mean. Error{kTool} when one of them means none; for its message
/// are `argv` and `find_uncalled`, the functions that were entered without a call (objects/misplaced_code.h).
FunctionNames find_functions(const std::vector<std::string>& patterns, const std::vector<std::string>& argv,
                             const CallgrindRun& run, const std::function<FunctionNames()>& find_uncalled = {});

/// Error{kTool} unless in `cut`, a run with dumps at the calls of `functions`, every call has its begin, and what ran
/// between begins and ends costs what the calls cost, by its own call graph and by that of `whole`, a run without
/// dumps.
void check_calls_within(const FunctionNames& functions, const std::vector<std::string>& argv, const CallgrindRun& whole,
                        const CallgrindRun& cut);

/// Takes out what none of `functions` was active in, processes that they started included.
void keep_calls_within(const FunctionNames& functions, CallgrindRun& run);

// The regions that a counted program named itself, over all its processes. Between callgrind/run.h and
// timer/count_program; reads callgrind/named_regions.h.

/// A part of the program that it named: icount/region.h, or CALLGRIND_DUMP_STATS_AT("name").
struct CountedRegion {
  std::string name;
  int64_t entries = 0;  ///< how often it was begun
  CostGraph graph;
};

struct ProgramRegions {
  std::vector<CountedRegion> regions;  ///< by name; those that were never instrumented are left out
  int64_t inside = 0;                  ///< cost inside of any region, each instruction once
  std::vector<std::string> notes;      ///< ends without a begin, regions that were still open at the end
};

/// A forked copy begins in the regions that its parent was in. `namer` puts what object files say beside the insides of
/// functions, where they were recorded.
ProgramRegions find_program_regions(const CallgrindRun& run, CodeNamer& namer);

}  // namespace icount
