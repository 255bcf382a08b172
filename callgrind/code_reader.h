// The second, selective read of a profile: what happens inside chosen functions. The first read (parser.h) adds costs
// up by function and knows nothing of addresses; this one keeps rows by address, jumps and call sites, and only for the
// functions that are looked into, so that the others are read as fast as ever.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "icount/callgraph/function_code.h"

namespace icount {

/// Functions of which each, with all its pieces (recursion levels, clones), is at least `part` of the total of the
/// first event. In the order of the graph.
std::vector<FunctionIndex> costly_functions(const CostGraph& graph, double part);

/// The inside of `functions` and of their other pieces in the same object, with the indices of `graph`, which was made
/// from the same bytes. Empty where the profile has no addresses, no Ir or no jumps. Error{kMalformed} as the parser's;
/// `consumed` as in ParseOptions.
ProfileCode read_code(std::string_view bytes, std::string_view name, const CostGraph& graph,
                      std::span<const FunctionIndex> functions,
                      const std::function<void(std::string_view piece)>& consumed = {});

}  // namespace icount
