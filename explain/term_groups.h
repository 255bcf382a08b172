// In which noise group (callgraph/noise_groups.h) a term of the decomposition happens, so that explain/noise_fold.h can
// put causes of one group into one line. Used by explain/cause_list.cc.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "icount/explain/cluster_opening.h"
#include "icount/explain/joined_graph.h"

namespace icount {

/// What a library's routine that calls nothing costs is up to its caller's arguments: where one caller's calls changed
/// what they cost the change is told with that caller's calls, by moving it from one term of `flow` to another.
void tell_by_caller(const JoinedGraph& joined, OpenedFlow& flow, int64_t delta);

/// How the function of a node was matched; of a cycle kName.
MatchedBy matched_by(const JoinedGraph& joined, const OpenedFlow& flow, uint32_t node);
/// Whether a function kept its name, or had none.
bool matched_silently(MatchedBy by);

/// Both must outlive it.
class TermGroups {
 public:
  TermGroups(const JoinedGraph& joined, const OpenedFlow& flow) : joined_(joined), flow_(flow) {}

  /// The group of the function itself, or of the caller; empty where it is in none. A routine exchanged by dispatch is
  /// a cause, no noise; so is a call most of whose worth lies outside of groups.
  std::string_view of_term(const Term& term);

  /// The group that all functions of a node of the condensed graph are in; empty where they are not in one.
  std::string_view of_node(uint32_t node);

 private:
  bool binds_a_symbol(uint32_t callee) const;
  bool is_inside_groups(uint32_t node);
  long double worth_in_groups(const SideFigures& side, uint32_t node, int depth);

  const JoinedGraph& joined_;
  const OpenedFlow& flow_;
  std::vector<std::optional<std::string_view>> groups_;  ///< by node, once asked for
};

}  // namespace icount
