// Functions and cycles that do more of what they did, or less, though they are called as often. Sums of terms as those
// of explain/headed_sums.h; what all changed by one factor is explain/proportional_sums.h.
#pragma once

#include <vector>

#include "icount/explain/headed_sums.h"

namespace icount {

/// Functions whose own cost is most of what changed about them, all of it in one direction; that term is the first.
/// What the same means where it is known what happens inside them: explain/retold_calls.h.
std::vector<HeadedSum> find_grown_functions(const OpenedFlow& flow, const std::vector<bool>& taken);

/// Cycles that changed in several terms which nearly all go one way, none of them most of it: a recursion that does
/// more.
std::vector<HeadedSum> find_grown_cycles(const OpenedFlow& flow, const std::vector<bool>& taken);

}  // namespace icount
