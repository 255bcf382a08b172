// What the count of a whole program stands on besides its own file, arguments and environment: what it opened and
// looked for while it was counted. Used by timer/count_program.
#pragma once

#include <filesystem>

#include "icount/callgraph/cost_graph.h"
#include "icount/callgrind/traced_calls.h"
#include "icount/harness/reuse.h"

namespace icount {

/// `folder`: its working directory; `graph` names what was loaded without a call of its own.
ReuseRecord record_program_sources(const SystemCalls& calls, const std::filesystem::path& folder,
                                   const CostGraph& graph);

}  // namespace icount
