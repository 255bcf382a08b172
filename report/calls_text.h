// The callers or callees of one function as text: `icount show --callers` and `--callees`. Value: make_call_table in
// callgraph/cost_table.h.
#pragma once

#include <iosfwd>

#include "icount/callgraph/cost_graph.h"
#include "icount/report/profile_text.h"
#include "icount/report/text_style.h"

namespace icount {

/// One section: the callers (or callees) of a function with calls, inclusive cost and cost per call.
void render_calls_text(std::ostream& out, const CostGraph& graph, FunctionIndex function, bool callers,
                       const ProfileTextOptions& options, const TextStyle& style);

}  // namespace icount
