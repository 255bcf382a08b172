// The regions that a counted program named itself, over all its processes. Between callgrind/run.h and
// timer/count_program; reads callgrind/named_regions.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "icount/callgraph/cost_graph.h"
#include "icount/callgrind/run.h"
#include "icount/objects/name_code.h"

namespace icount {

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
