// One edge's change as a sentence: how often a function calls another one now, and how often before. For
// explain/cause_text, which has the sentences of whole causes.
#pragma once

#include <cstdint>
#include <string>

#include "icount/explain/cause_text.h"

namespace icount {

/// Calls of a node on a side.
int64_t calls_at(const SentenceSource& source, size_t side, uint32_t node);

/// "`f` calls `g` 3 times per call instead of 2 (20 calls of `f`, 20 more of `g`)" and the like; of a function's calls
/// of itself, how many calls one from outside becomes.
std::string edge_text(const SentenceSource& source, uint32_t edge);

/// Which function of a cycle makes (or takes) most of the calls that changed: "; mostly by `eval`"; empty outside
/// cycles.
std::string leading_members(const SentenceSource& source, uint32_t edge);

}  // namespace icount
