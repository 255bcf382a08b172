// What matching has to say aloud before any cause: functions under other names, variants picked at run time, functions
// without names. The lines go into Explanation::notes.
#pragma once

#include <string>
#include <vector>

#include "stats/joined_graph.h"

namespace icount {

/// "7 functions go by other names: `geometry` is now `solids` in 7 of them", "3 routines run as other variants ...".
std::vector<std::string> match_notes(const JoinedGraph& joined);

}  // namespace icount
