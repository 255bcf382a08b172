#include "icount/callgraph/rename_functions.h"

#include "icount/callgraph/graph_sum.h"

namespace icount {

size_t rename_functions(CostGraph& graph, const std::function<std::string(std::string_view)>& rewrite) {
  size_t renamed = 0;
  for (Function& function : graph.functions) {
    const std::string name = rewrite(graph.strings.view(function.name));
    if (name == graph.strings.view(function.name)) continue;
    function.name = graph.strings.intern(name);
    ++renamed;
  }
  if (renamed == 0) return 0;
  const CostGraph* const one[] = {&graph};
  graph = sum_graphs(one);
  return renamed;
}

}  // namespace icount
