// Folds causes inside a noise group (callgraph/noise_groups.h) into one line with its sum. Nothing is dropped: the
// members stay in the line's `inside`. A cause that reaches into a group from outside (more calls of malloc) is no
// noise and stays.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "icount/explain/explain.h"
#include "icount/explain/flow/opened_flow.h"
#include "icount/explain/match/joined_graph.h"

namespace icount {

/// A cause with the noise group of the function in which it happens; empty: none.
struct GroupedCause {
  Cause cause;
  std::string_view group;
  std::array<std::string_view, 2> objects;  ///< in which it happens on each side; empty: in none, or in several
  /// The node of the condensed graph of which this tells own cost or calls and nothing else; else kNoNode.
  uint32_t node = kNoNode;
  static constexpr uint32_t kNoNode = ~uint32_t{0};
  /// Of an inlining move: the node that has the callee's code inside it, and the side on which it has.
  uint32_t inlined_into = kNoNode;
  size_t inlined_on = 1;
  /// The nodes of which this tells own cost or calls, however many; empty: not known.
  std::vector<uint32_t> within{};
};

/// By magnitude, then kind, then names: the order of Explanation::causes, also of every inside.
void sort_causes(std::vector<Cause>& causes);

/// Groups with two causes or more become one CauseKind::kGroup each; the rest is passed through, and so is a string
/// routine that makes most of the change `delta`.
std::vector<Cause> fold_noise(std::vector<GroupedCause> causes, int64_t delta);

// In which noise group (callgraph/noise_groups.h) a term of the decomposition happens, so that
// explain/claims/noise_fold.h can put causes of one group into one line. Used by explain/claims/claims.cc.

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
  long double worth_in_groups(size_t side, uint32_t node);

  const JoinedGraph& joined_;
  const OpenedFlow& flow_;
  std::vector<std::optional<std::string_view>> groups_;             ///< by node, once asked for
  std::array<std::map<uint32_t, long double>, 2> worth_in_groups_;  ///< by side, of a call of a node, once asked for
};

}  // namespace icount
