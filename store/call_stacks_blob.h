// Call stacks as a few kilobytes, beside the packed cost graph in result files.
//
// Layout of the zstd frame: "icstack1", events and their totals, how many callers each context named, whether the
// stacks are approximate, the strings as in a graph (store/cost_graph_blob.h), then the frames, callers before callees:
// columns object, file, name as string numbers, number of the calling frame plus one (0: outermost), kind (0 function,
// 1 recursion joined, 2 deeper stacks joined, 3 other), self cost per event. Self costs add up to the graph's totals.
#pragma once

#include <string>
#include <string_view>

#include "icount/stacks/call_stacks.h"

namespace icount {

/// The stacks packed. Deterministic for one zstd version.
std::string encode_call_stacks(const CallStacks& stacks);

/// The stacks back. Error{kMalformed} beginning with `name` for anything that encode_call_stacks did not write.
CallStacks decode_call_stacks(std::string_view blob, std::string_view name);

}  // namespace icount
