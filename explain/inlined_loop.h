// Where in its caller an inlined function's code is: inside which loop. Read from debug information beside the
// profile's code (ProfileCode::inlined); explain/function_opening tells it with the inlining move.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "icount/explain/explain.h"
#include "icount/explain/folded_graph.h"

namespace icount {

/// The innermost loop of a side's folded function that holds nearly all that the code inlined from `callee` costs
/// there; nothing where no loop does, or where it is not known.
std::optional<CauseLoop> find_inlined_loop(const FoldedGraph& side, const ProfileCode& code, uint32_t caller,
                                           std::string_view callee);

/// Places a cause of CauseKind::kInlined in the loop, where it is known that its callee was inlined.
void place_in_loop(Cause& cause, const CauseLoop& loop);

}  // namespace icount
