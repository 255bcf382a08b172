// What functions and condensed cycles are called in an explanation's sentences. Used by explain/cause_text.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "icount/explain/cluster_opening.h"
#include "icount/explain/joined_graph.h"

namespace icount {

/// A function's name short and in backticks; an address without its zeros.
std::string quoted(std::string_view name);
/// The same, or the name as it is where the graph asks for raw names.
std::string quoted(const JoinedGraph& joined, std::string_view name);
/// The member with the most self cost on both sides.
const JoinedFunction& most_expensive_of(const JoinedGraph& joined, const std::vector<uint32_t>& members);
/// Name of every node for sentences: a function in backticks, or "the cycle of `eval` and 6 more (functions that call
/// each other)".
std::vector<std::string> name_nodes(const JoinedGraph& joined, const CondensedFlow& condensed);
/// The same for a second mention in one sentence: "the cycle", an address without its object, a long name without
/// parameters and template arguments, a very long one without its scope.
std::vector<std::string> name_nodes_again(const JoinedGraph& joined, const CondensedFlow& condensed);

}  // namespace icount
