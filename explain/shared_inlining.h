// One function that is inlined into several callers, or no longer is: one cause, not one for each caller. Between the
// causes of explain/inlining.h's moves and the list of explain/cause_list.cc.
#pragma once

#include <cstdint>
#include <vector>

#include "icount/explain/inlining.h"
#include "icount/explain/noise_fold.h"
#include "icount/explain/term_causes.h"

namespace icount {

/// A move that has a cause, with what its own terms and its calls' terms come to in that.
struct ToldMove {
  const InliningMove* move = nullptr;
  int64_t own = 0, calls = 0;

  int64_t delta() const { return own + calls; }
};

/// Two moves or more of one callee in one direction, none of them with nearly all of their sum, become one cause of
/// CauseKind::kSum with theirs as its members: "`get` is no longer inlined into `map`, `put` and 2 more: +1,237,488 -
/// 927,584 = +309,904 (88,392 more calls of `get`)". `moves` are those of `causes`.
void join_shared_inlining(TermCauses& single, const std::vector<ToldMove>& moves, std::vector<GroupedCause>& causes);

}  // namespace icount
