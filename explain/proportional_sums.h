// Work that grew as a whole: a function below which nearly all changed by one factor, and one that does all it does so
// many times as often. Sums of terms as those of explain/headed_sums.h.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "icount/explain/headed_sums.h"

namespace icount {

/// A function below which nearly all that changed changed by one factor, though it is called as often: its input is
/// longer. The deepest such function; nothing where one term says it, or where it is not nearly the whole change.
std::optional<HeadedSum> find_longer_work(const OpenedFlow& flow, const std::vector<bool>& taken, int64_t change);

/// Functions called as often as before whose self cost and calls nearly all changed by one factor.
std::vector<HeadedSum> find_longer_loops(const OpenedFlow& flow, const std::vector<bool>& taken);

}  // namespace icount
