// Recorded Python calls as the graph that is explained: C functions folded under the Python function that called them,
// what the recording cost taken off again, so that the total is the one counted without it. Read
// callgraph/python_calls.h first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "icount/callgraph/cost_graph.h"

namespace icount {

/// Function that holds what is left of the recording once its cost per call is taken off.
inline constexpr std::string_view kRecording = "(recording of Python calls)";

/// Instructions that the recording cost for each call that one Python function makes of another: what was counted with
/// it beyond `counted`, divided among the calls. A call out of C code, which goes through the evaluator's entrance
/// anyway, counts as kOutOfC of one. Both sides of a comparison need one figure (the larger), or functions that did not
/// change would differ. 0 when there are no calls.
double recording_cost(const CostGraph& calls, int64_t counted);
inline constexpr double kOutOfC = 0.15;  // 62 of 421 instructions (CPython 3.12), 61 of 394 (3.13)

/// `calls` of make_python_calls (one event). The cost of recording is taken from who makes a call, where it arises, and
/// from the calls that contain it. Python functions named in `opened` keep their C functions as functions. The total is
/// `counted`, exactly.
CostGraph make_python_view(const CostGraph& calls, int64_t counted, double cost_per_call,
                           const std::vector<std::string>& opened = {});

}  // namespace icount
