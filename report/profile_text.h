// `icount show` as text and Markdown: what each function, file, object or line of one profile costs. Callers and
// callees: calls_text.h. Tables come from callgraph/cost_table.h; the JSON form is report/profile_json.h.
#pragma once

#include <iosfwd>
#include <string>

#include "icount/callgraph/cost_table.h"
#include "icount/report/text_style.h"
#include "icount/stats/function_filter.h"

namespace icount {

/// What is said above the table.
struct ProfileHeading {
  std::string name;     ///< the file
  std::string command;  ///< what was profiled; empty: not known
};

struct ProfileTextOptions {
  CostTableOptions table;
  size_t top = 25;        ///< rows; 0: all
  bool raw = false;       ///< names and paths as they are
  FunctionFilter filter;  ///< by function only
};

/// The heading, the rows, a line for the rest, so that the column of self costs adds up to the total.
void render_profile_text(std::ostream& out, const CostGraph& graph, const ProfileHeading& heading,
                         const ProfileTextOptions& options, const TextStyle& style);

/// The same as a Markdown table.
void render_profile_markdown(std::ostream& out, const CostGraph& graph, const ProfileHeading& heading,
                             const ProfileTextOptions& options);

}  // namespace icount
