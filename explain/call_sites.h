// Which inlined function the calls of a callee come from inside an opened function: "`main` now calls `malloc`, in
// `Config::Config(Config const&)` (inlined at line 34)". Between explain/opened_function.h and the sentences on calls
// (inside_causes, function_opening).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "icount/explain/explain.h"
#include "icount/explain/opened_function.h"

namespace icount {

/// Where calls of `callee` (a node of the condensed graph) come from that one side makes more often, or all of them
/// where both make as many: the inlined function that nine tenths of these are in. Of several around them it is the
/// one that frame_to_name() picks. Its `file` is that of its declaration, its `line` that of the call it stands for.
/// `region`: calls in that region alone, and no inlined function around its loop; nothing: all calls.
/// Nothing where they are the function's own, of several inlined functions, or where it is not known.
std::optional<CauseInlined> inlined_around_calls(const OpenedFunction& opened, const CalleeNodes& of_callee,
                                                 uint32_t callee, std::optional<uint32_t> region = std::nullopt);

}  // namespace icount
