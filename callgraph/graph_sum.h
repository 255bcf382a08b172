// Cost graphs made of others. Several as one: the processes of one program, or the programs that one process ran one
// after the other.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/callgraph/cost_graph.h"
#include "icount/callgraph/function_code.h"

namespace icount {

// What happens inside the functions of several cost graphs as that of their sum: processes of one program, parts of one
// process.

/// One of the graphs that were added up, with the numbers that its functions have in the sum.
struct CodeOfPart {
  const CostGraph* graph = nullptr;
  std::vector<FunctionIndex> numbers;
};

/// Kept of the functions of which the parts together have all costs. Where an object lay at different places in two
/// parts its code is moved to the first one. Null where parts have other events than the sum, and where nothing is
/// left.
std::shared_ptr<const ProfileCode> sum_code(std::span<const CodeOfPart> parts, const CostGraph& sum);

/// All costs and calls added up by function (object, file, name); events in the order of first sight, zero where a
/// graph lacks one. Call counts are trusted when all are. An empty graph without events for none. Error{kMalformed}
/// when a self cost overflows.
CostGraph sum_graphs(std::span<const CostGraph* const> graphs);

/// Gives back what the calls lost that were active when parts of a profile were written: Callgrind adds the cost of a
/// call when it returns, and only since the last dump. For each component of the call graph, what its members and the
/// calls that leave it cost and no call that enters it accounts for goes to such an entering call: to the one with the
/// largest share of the graph's calls so far. Self costs and numbers of calls stay as they are.
void complete_inclusive(CostGraph& graph);

/// Removes the functions that `is_foreign` names: their self cost leaves the totals, the calls from and to them are
/// gone. What they called stays.
void remove_functions(CostGraph& graph, const std::function<bool(FunctionIndex)>& is_foreign);

/// Removes the functions that were active when the profile began and did nothing since: callers without a call and
/// without self cost, with the edges that were not called.
void remove_outer_callers(CostGraph& graph);

/// Every function's name becomes `rewrite` of it; functions whose (object, file, name) become equal are added up, their
/// calls, rows and lines too, and calls between them become recursion. Totals stay. Returns how many functions got
/// another name. Error{kMalformed} when a sum overflows.
size_t rename_functions(CostGraph& graph, const std::function<std::string(std::string_view)>& rewrite);

}  // namespace icount
