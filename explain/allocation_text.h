// The words for allocations in an explanation: of the calls that enter an allocator, and of a function's own cost where
// the event is allocations or frees (callgraph/allocation_graph.h). Used by explain/cause_text.
#pragma once

#include <cstdint>
#include <string>

#include "icount/explain/cause_text.h"

namespace icount {

/// What the caller of an edge does: "calls `lex`"; of an allocator's entry, from outside of the allocator, "allocates"
/// or "frees", and unless the sentence names the callee elsewhere, "allocates with `malloc`".
std::string calling_text(const SentenceSource& source, uint32_t edge, bool callee_is_named);

/// The same by the callee's name, for a caller that is no part of an allocator; `callee` is its name in the sentence,
/// empty where that has told it.
std::string calling_text(std::string_view callee_function, const std::string& callee);

/// Whether the event is allocations or frees.
bool is_about_allocations(const SentenceSource& source);

/// Of a graph of allocations: "`parse` now allocates 3 times per call (1,000 calls)"
std::string own_allocations_text(const SentenceSource& source, uint32_t node);

}  // namespace icount
