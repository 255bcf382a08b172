// Terms that many share, found before they become causes: one callee gained or lost by many callers, and a function
// that does all it does so many times as often. Each becomes one cause with its members inside; used by
// explain/cause_list.cc as explain/inlining.h is. Works on the decomposition (explain/cluster_opening.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "icount/explain/cause_text.h"
#include "icount/explain/cluster_opening.h"

namespace icount {

/// `terms` are positions in the decomposition's list, in its order; nodes are those of the condensed graph.
struct HeadedSum {
  uint32_t node = 0;
  std::vector<uint32_t> terms;
  uint32_t instead_of = SentenceSource::kNoNode;  ///< of a shared callee: what the same callers called in its place
};

/// A function below which nearly all that changed changed by one factor, though it is called as often: its input is
/// longer. The deepest such function; nothing where one term says it, or where it is not nearly the whole change.
std::optional<HeadedSum> find_longer_work(const OpenedFlow& flow, const std::vector<bool>& taken, int64_t change);

/// Functions that three callers or more call on one side only, or ten times as often there, none of them for most of
/// the sum. Where the same callers called another one as often on the other side, that is in the same sum: head's
/// function stands in for base's.
std::vector<HeadedSum> find_shared_callees(const OpenedFlow& flow, const std::vector<bool>& taken);

/// Functions that call themselves more often and cost more themselves, or both less: a recursion that grew.
std::vector<HeadedSum> find_grown_recursions(const OpenedFlow& flow, const std::vector<bool>& taken);

/// Functions called as often as before whose self cost and calls nearly all changed by one factor.
std::vector<HeadedSum> find_longer_loops(const OpenedFlow& flow, const std::vector<bool>& taken);

/// "`lock` is now called by 21 functions (5,687 calls), most often by `unbind`"
/// or "`lock` takes the place of `spin` in 21 functions (5,687 calls), most often in `unbind`"
std::string shared_callee_text(const SentenceSource& source, const HeadedSum& sum);
/// "`sort` calls itself more often and costs more each time: 601 calls instead of 401, self cost 21 -> 430 per call"
std::string grown_recursion_text(const SentenceSource& source, const HeadedSum& sum);
/// "`render` does 2.01 times the work: it and all below it cost more in proportion"
std::string longer_work_text(const SentenceSource& source, const HeadedSum& sum);
/// "`run` does the same 1.83 times as often: self cost 2,498,231 -> 4,579,701, and 19 calls in proportion"
std::string longer_loop_text(const SentenceSource& source, const HeadedSum& sum);

}  // namespace icount
