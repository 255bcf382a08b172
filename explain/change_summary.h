// What kind of functions a change is made of, for the one line that says so before any cause. Read off the joined
// graph; explain() puts it into its result.
#pragma once

#include <cstddef>

#include "icount/explain/match/joined_graph.h"

namespace icount {

/// Functions whose own cost changed by a hundredth of all such changes or more.
struct ChangeSummary {
  size_t added = 0;           ///< only head runs them
  size_t removed = 0;         ///< only base does
  size_t changed = 0;         ///< both do, and it is mostly the cost of a call that is another one
  bool called_alike = false;  ///< these are several, in about the same proportion
  size_t called = 0;          ///< both do, and it is mostly the number of calls
};

ChangeSummary summarize_change(const JoinedGraph& joined);

}  // namespace icount
