// What happens inside the functions of several cost graphs as that of their sum: processes of one program, parts of one
// process. Used by callgraph/graph_sum.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "icount/callgraph/cost_graph.h"
#include "icount/callgraph/function_code.h"

namespace icount {

/// One of the graphs that were added up, with the numbers that its functions have in the sum.
struct CodeOfPart {
  const CostGraph* graph = nullptr;
  std::vector<FunctionIndex> numbers;
};

/// Kept of the functions of which the parts together have all costs. Where an object lay at different places in two
/// parts its code is moved to the first one. Null where parts have other events than the sum, and where nothing is
/// left.
std::shared_ptr<const ProfileCode> sum_code(std::span<const CodeOfPart> parts, const CostGraph& sum);

}  // namespace icount
