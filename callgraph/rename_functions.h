// A cost graph whose functions have other names: the last resort where two sides of a comparison do not match. Read
// callgraph/cost_graph.h first; stats/name_rules.h has rewriting rules.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "icount/callgraph/cost_graph.h"

namespace icount {

/// Every function's name becomes `rewrite` of it; functions whose (object, file, name) become equal are added up, their
/// calls, rows and lines too, and calls between them become recursion. Totals stay. Returns how many functions got
/// another name. Error{kMalformed} when a sum overflows.
size_t rename_functions(CostGraph& graph, const std::function<std::string(std::string_view)>& rewrite);

}  // namespace icount
