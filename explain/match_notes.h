// What matching has to say aloud before any cause: functions under other names, variants picked at run time, functions
// without names. The lines go into Explanation::notes.
#pragma once

#include <string>
#include <vector>

#include "icount/explain/explanation_notes.h"
#include "icount/explain/joined_graph.h"

namespace icount {

struct MatchNotes {
  std::vector<ExplanationNote> notes;
  bool renames_are_summed = false;  ///< one of the notes tells the renamed functions, which need no line each
};

/// "7 functions matched under another name: `geometry` is now `solids`", "3 functions of the C library run as another
/// variant ...".
MatchNotes match_notes(const JoinedGraph& joined);

}  // namespace icount
