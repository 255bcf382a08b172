// Flat tables out of a cost graph: what each function, file, object or line costs, and who calls a function or is
// called by it. Rendered by report/profile_text; reads callgraph/cost_graph.h and callgraph/cost_graph.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "icount/callgraph/cost_graph.h"

namespace icount {

enum class GroupBy { kFunction, kFile, kObject, kLine };

/// One row; costs in the order of the graph's events. Views live as long as the graph.
struct CostRow {
  std::string_view name;    ///< by function; by line: the function the line belongs to
  std::string_view file;    ///< not by object
  std::string_view object;  ///< by function and by object
  uint64_t line = 0;        ///< by line; 0: not known
  int64_t calls = 0;        ///< by function
  uint32_t cycle_size = 1;  ///< by function: members of its recursive cycle, which share the inclusive cost
  std::vector<int64_t> self;
  std::vector<int64_t> inclusive;  ///< by function only, else empty
};

struct CostTableOptions {
  GroupBy by = GroupBy::kFunction;
  size_t event = 0;        ///< to sort by
  bool inclusive = false;  ///< sort by inclusive instead of self cost; by function only
};

/// All rows, costliest first, then by name, file, object, line. By line needs a graph with lines.
std::vector<CostRow> make_cost_table(const CostGraph& graph, const CostTableOptions& options);

/// The head of a cost table and what stands below it.
struct CostTableTop {
  std::vector<CostRow> rows;
  size_t more = 0;        ///< rows with a cost that were left out
  int64_t more_self = 0;  ///< self cost of all that was left out
};

/// The first `top` rows of make_cost_table (0: all) that have a cost. By function the rest is never made.
CostTableTop make_cost_table_top(const CostGraph& graph, const CostTableOptions& options, size_t top);

/// One caller or callee of a function.
struct CallRow {
  FunctionIndex other = 0;
  int64_t calls = 0;
  std::vector<int64_t> inclusive;  ///< of the calls, per event
  bool in_cycle = false;  ///< of functions that reach each other: the profile counts what lies below once for every
                          ///< level, which is no cost
};

/// Callers (or callees) of `function`, self edges included, costliest in `event` first, then by name; calls in a
/// recursive cycle last, by their number.
std::vector<CallRow> make_call_table(const CostGraph& graph, FunctionIndex function, bool callers, size_t event);

/// Functions that `name` means: those with exactly this name; else those whose name without parameters and template
/// arguments is it ("lex" for "lex(char const*)"), also behind "::"; else those whose name contains it. Costliest in
/// `event` first.
std::vector<FunctionIndex> find_functions(const CostGraph& graph, std::string_view name, size_t event);

}  // namespace icount
