// Folds causes inside a noise group (callgraph/noise_groups.h) into one line with its sum. Nothing is dropped: the
// members stay in the line's `inside`. A cause that reaches into a group from outside (more calls of malloc) is no
// noise and stays.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "icount/explain/explain.h"

namespace icount {

/// A cause with the noise group of the function in which it happens; empty: none.
struct GroupedCause {
  Cause cause;
  std::string_view group;
  std::array<std::string_view, 2> objects;  ///< in which it happens on each side; empty: in none, or in several
  /// The node of the condensed graph of which this tells own cost or calls and nothing else; else kNoNode.
  uint32_t node = kNoNode;
  static constexpr uint32_t kNoNode = ~uint32_t{0};
  /// Of an inlining move: the node that has the callee's code inside it, and the side on which it has.
  uint32_t inlined_into = kNoNode;
  size_t inlined_on = 1;
  /// The nodes of which this tells own cost or calls, however many; empty: not known.
  std::vector<uint32_t> within{};
};

/// By magnitude, then kind, then names: the order of Explanation::causes, also of every inside.
void sort_causes(std::vector<Cause>& causes);

/// Groups with two causes or more become one CauseKind::kGroup each; the rest is passed through.
std::vector<Cause> fold_noise(std::vector<GroupedCause> causes);

}  // namespace icount
