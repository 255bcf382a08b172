// The second, selective read of a profile: what happens inside chosen functions. The first read (parser.h) adds costs
// up by function and knows nothing of addresses; this one keeps rows by address, jumps and call sites, and only for the
// functions that are looked into, so that the others are read as fast as ever.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "icount/callgraph/function_code.h"
#include "icount/callgrind/costly_functions.h"
#include "icount/callgrind/profile.h"

namespace icount {

/// What `insides` (ProfilePart::code, in terms of the graph) say inside the functions of the graph that are at least
/// `part` of the total of the first event (0: all); null where that is nothing. Functions of which they have not all
/// costs that the graph has are left out.
std::shared_ptr<const ProfileCode> take_code(std::vector<FunctionCode> insides, const CostGraph& graph, double part);

/// Leaves the code of costly functions alone, and the names that they need: of a sum, whose parts keep all.
void keep_costly_code(CostGraph& graph);

/// The same, and the code of functions of which source lines are known, whatever they cost.
void keep_code_of_sources(CostGraph& graph);

/// Functions that are costly or whose source lines are known, in the order of the graph.
std::vector<FunctionIndex> functions_with_sources(const CostGraph& graph);

/// The inside of `functions` and of their other pieces in the same object, with the indices of `graph`, which was made
/// from the same bytes. Empty where the profile has no addresses, no Ir or no jumps. Error{kMalformed} as the parser's;
/// `consumed` as in ParseOptions.
ProfileCode read_code(std::string_view bytes, std::string_view name, const CostGraph& graph,
                      std::span<const FunctionIndex> functions,
                      const std::function<void(std::string_view piece)>& consumed = {});

}  // namespace icount
