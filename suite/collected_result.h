// From what collect_callgrind found to the Result that files keep: one conversion for the suite and for `icount count`.
#pragma once

#include <vector>

#include "icount/harness/timer_args.h"
#include "icount/stats/result.h"
#include "icount/timer/collect_callgrind.h"

namespace icount {

/// What was measured, for the record.
ResultTask make_task(const TimerArgs& args);

/// The result with its label, task, figures and circumstances; the graph is moved in.
Result make_result(const TimerArgs& args, CollectResult collected);

/// A result without figures: `status` is skipped or one of CollectStatus's, `error` says why.
Result make_failed_result(const TimerArgs& args, std::string_view status, std::string_view error);

/// The `limit` functions with the most self cost in the graph's first event, by self cost, then name.
std::vector<TopFunction> top_functions(const CostGraph& graph, size_t limit);

}  // namespace icount
