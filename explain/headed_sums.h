// Terms that many share, found before they become causes: one callee gained or lost by many callers, a recursion that
// grew (work that grew as a whole: explain/proportional_sums.h). Each becomes one cause with its members inside; used
// by explain/cause_list.cc as explain/inlining.h is. Works on the decomposition (explain/cluster_opening.h).
#pragma once

#include <cstdint>
#include <vector>

#include "icount/explain/cluster_opening.h"
#include "icount/explain/term_facts.h"

namespace icount {

/// `terms` are positions in the decomposition's list, in its order; nodes are those of the condensed graph.
struct HeadedSum {
  uint32_t node = 0;
  std::vector<uint32_t> terms;
  uint32_t instead_of = SentenceSource::kNoNode;  ///< of a shared callee: what the same callers called in its place
};

/// No term has this part of a sum; it would say it alone.
inline constexpr long double kMostByOneTerm = 0.6L;

long double largest_term(const OpenedFlow& flow);

/// From here on a sum matters, beside the largest term.
long double least_sum(const OpenedFlow& flow);

/// Functions that two callers or more call on one side only, or ten times as often there, none of them for most of
/// the sum. Where the same callers called another one as often on the other side, that is in the same sum: head's
/// function stands in for base's.
std::vector<HeadedSum> find_shared_callees(const OpenedFlow& flow, const std::vector<bool>& taken);

/// `by` calls a dispatcher more often, which calls `callee` as many times more: one call told in two terms, the first
/// at what all that is dispatched costs on average.
struct DispatchedCalls {
  uint32_t by = 0, through = 0;  ///< edges: the dispatcher's caller's, and the dispatcher's
  std::vector<uint32_t> terms;
};
std::vector<DispatchedCalls> find_dispatched_calls(const OpenedFlow& flow, const std::vector<bool>& taken);

/// Functions that call themselves more often and cost more themselves, or both less: a recursion that grew. Where its
/// calls of itself are most of all that changed about it, all of that is in the sum, unless it has a call that one side
/// alone makes.
std::vector<HeadedSum> find_grown_recursions(const OpenedFlow& flow, const std::vector<bool>& taken);

}  // namespace icount
