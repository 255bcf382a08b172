// `icount show` as text and Markdown: what each function, file, object or line of one profile costs. Callers and
// callees: calls_text.h. Tables come from callgraph/cost_table.h.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

#include "icount/base/json.h"
#include "icount/callgraph/cost_graph.h"
#include "icount/callgraph/cost_table.h"
#include "icount/report/text_style.h"
#include "icount/stats/name_rules.h"

namespace icount {

/// What Callgrind writes for a file or an object that it does not know.
inline constexpr std::string_view kUnknownPlace = "???";

/// The file's name without its folders; the whole path with `raw`.
std::string base_of(std::string_view path, bool raw);

/// "dl-lookup.c, ld-linux-x86-64.so.2"; what is not known is left out.
std::string place_of(std::string_view file, std::string_view object, bool raw);

/// "12.34%"; "-" of nothing.
std::string percent_of(int64_t part, int64_t total);

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

/// One section: the callers (or callees) of a function with calls, inclusive cost and cost per call.
void render_calls_text(std::ostream& out, const CostGraph& graph, FunctionIndex function, bool callers,
                       const ProfileTextOptions& options, const TextStyle& style);

/// Functions by self cost of the first event, then name; edges by caller and callee index. Names are never shortened.
/// With a filter the functions that it keeps, the edges between them, and "left_out".
Json profile_to_json(const CostGraph& graph, const FunctionFilter& filter = {});

}  // namespace icount
