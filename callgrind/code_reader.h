// The second, selective read of a profile: what happens inside chosen functions. The first read (parser.h) adds costs
// up by function and knows nothing of addresses; this one keeps rows by address, jumps and call sites, and only for the
// functions that are looked into, so that the others are read as fast as ever.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "icount/callgraph/function_code.h"
#include "icount/callgrind/profile.h"

namespace icount {

/// Functions are looked into from this part of all cost on.
inline constexpr double kCostlyPart = 0.001;

/// Functions of which each, with all its pieces (recursion levels, clones), is at least `part` of the total of the
/// first event. In the order of the graph.
std::vector<FunctionIndex> costly_functions(const CostGraph& graph, double part);

/// What `insides` (Profile::code) say inside the functions of its graph that are a
/// thousandth of all cost and more; null where that is nothing. Functions of which `graph` does not have all costs,
/// because parts of the profile were left out, are left out.
std::shared_ptr<const ProfileCode> take_code(const std::vector<FunctionCode>& insides, const CostGraph& graph);

/// The inside of `functions` and of their other pieces in the same object, with the indices of `graph`, which was made
/// from the same bytes. Empty where the profile has no addresses, no Ir or no jumps. Error{kMalformed} as the parser's;
/// `consumed` as in ParseOptions.
ProfileCode read_code(std::string_view bytes, std::string_view name, const CostGraph& graph,
                      std::span<const FunctionIndex> functions,
                      const std::function<void(std::string_view piece)>& consumed = {});

}  // namespace icount
