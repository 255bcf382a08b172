// Work that went away, or came, beside an inlining move: a function that is inlined into its caller and no longer calls
// strlen costs less for both reasons, and only the first is inlining. Between explain/inlining.h and
// explain/cause_list.cc.
#pragma once

#include <cstdint>
#include <vector>

#include "icount/explain/inlining.h"

namespace icount {

/// Calls out of inlined code into another library, which the caller does not make in its place.
struct SavedCalls {
  uint32_t edge = 0;  ///< of the condensed graph: from the inlined function, or one inlined with it, to the library
  uint32_t term = 0;  ///< the move's term, calls of the inlined function, whose value they are a part of
  int64_t calls = 0;  ///< on the side that makes them
  int64_t value = 0;  ///< what they contribute to the term
};

/// `values`: by term, whole instructions. Only of a move whose callee is known to be inlined; a compiler does not
/// inline code of another library by itself, so that what is no longer called there is no longer done. The largest
/// first. Nothing where they are less than a quarter of what the move comes to, or go the other way: code that the
/// compiler puts in place of a call (a short copy) is a part of the inlining. Swapping the sides negates the values.
std::vector<SavedCalls> find_saved_calls(const JoinedGraph& joined, const OpenedFlow& flow, const InliningMove& move,
                                         const std::vector<int64_t>& values);

}  // namespace icount
