// Which functions are worth a look inside: those that cost a thousandth of all and more, with all their pieces.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "icount/base/string_pool.h"
#include "icount/callgraph/cost_graph.h"

namespace icount {

/// Functions are looked into from this part of all cost on.
inline constexpr double kCostlyPart = 0.001;

/// What all pieces of a function (recursion levels, clones) share, as a number.
uint64_t piece_key(std::string_view name, std::string_view object);

/// For each function whether it, with all its pieces in the same object, costs something and at least `part` of
/// `total`; `self` is its own cost.
std::vector<bool> find_costly(std::span<const Function> functions, const StringPool& strings,
                              std::span<const int64_t> self, int64_t total, double part);

/// The same of a graph's functions, for its first event, in the order of the graph.
std::vector<FunctionIndex> costly_functions(const CostGraph& graph, double part);

}  // namespace icount
