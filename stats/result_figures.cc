#include "icount/stats/result_figures.h"

#include <algorithm>

#include "icount/callgraph/allocations.h"

namespace icount {

void add_figures(Result& result) {
  if (!result.graph || find_figure(result, kAllocations)) return;
  const std::optional<AllocationCounts> counts = count_allocations(*result.graph);
  if (!counts) return;
  result.figures.push_back({std::string(kAllocations), counts->allocations});
  result.figures.push_back({std::string(kFrees), counts->frees});
}

bool is_memory_event(std::string_view event) {
  return std::find(kMemoryFigures.begin(), kMemoryFigures.end(), event) != kMemoryFigures.end();
}

bool is_peak_event(std::string_view event) { return event == kMemoryFigures[2] || event == kMemoryFigures[3]; }

}  // namespace icount
