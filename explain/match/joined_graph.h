// Two folded graphs as one, by their matches: a flow graph (explain/flow/flow_table.h) and, node by node, the names
// behind it. explain() decomposes the flow; texts are made from the names.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/explain/flow/flow_table.h"
#include "icount/explain/match/match.h"
#include "icount/explain/same_lines.h"

namespace icount {

/// A function of either or both sides. Names are head's, or base's where head has none (or but an address).
struct JoinedFunction {
  std::string_view name, file, object;
  std::string_view base_name, head_name;  ///< empty on a side that has none
  std::array<uint32_t, 2> folded = {kNoFunction, kNoFunction};
  MatchedBy by = MatchedBy::kNothing;
  std::string evidence;
  bool name_is_shared = false;  ///< another function is called the same; texts add the file
};

/// Node i of `flow` is functions[i]. Nodes are in an order that does not depend on which side is base.
struct JoinedGraph {
  std::vector<JoinedFunction> functions;
  FlowGraph flow;
  std::array<const FoldedGraph*, 2> sides{};
  std::array<std::vector<uint32_t>, 2> node_of;     ///< folded function of a side -> node
  std::array<std::vector<bool>, 2> lists_mappings;  ///< folded functions that run for nothing else, if any do
  bool raw_names = false;                           ///< sentences leave names alone
  SameLines same_lines;
};

/// What the C library runs to find a thread's stack (pthread_getattr_np): for the main thread it reads the list of the
/// process's memory mappings, so the cost is one per mapping, which libraries, the loader and the environment decide.
/// Every Rust program begins with it.
inline constexpr std::string_view kMappingsGroup = "memory mappings";

/// The noise group (kMappingsGroup, or of callgraph/noise_groups.h) that the function is in on each side that has it
/// and knows its name, or its object where that is enough; empty where the sides differ: what moved from a library into
/// an allocator is no noise of it, whichever side is base.
std::string_view noise_group_of(const JoinedGraph& joined, const JoinedFunction& function);

/// Entries are found, edges sorted. The folded graphs must outlive the result.
JoinedGraph join_graphs(const FoldedGraph& base, const FoldedGraph& head, std::vector<FunctionMatch> matches);

/// The source lines of both sides, and where those of one lie on the other; read when first asked for. The joined graph
/// must outlive it.
class JoinedLines {
 public:
  explicit JoinedLines(const JoinedGraph& joined) : joined_(joined) {}
  const SourceLines& of(size_t side);
  const LineShifts& shifts();

 private:
  const JoinedGraph& joined_;
  std::vector<SourceLines> sides_;
  std::optional<LineShifts> shifts_;
};

}  // namespace icount
