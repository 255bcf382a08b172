// The cost graph: what one profile (all its parts added up) says about functions and the calls between them. The
// callgrind reader makes it, explain() compares two of them, result files and the history keep it. Start here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/base/string_pool.h"
#include "icount/callgraph/components.h"

namespace icount {

struct ProfileCode;  // callgraph/function_code.h

using FunctionIndex = uint32_t;

/// A function is the triple (object, file of its definition, name); names are kept exactly as the profile has them.
struct Function {
  StringId name = kEmptyString;
  StringId file = kEmptyString;
  StringId object = kEmptyString;
};

/// All calls from one function to another, every call site added up. Self edges (recursion) are edges like any other.
struct Edge {
  FunctionIndex caller = 0;
  FunctionIndex callee = 0;
  int64_t calls = 0;
};

/// Self cost of one function under one file: code inlined into it from a header has a row under that header.
struct Row {
  FunctionIndex function = 0;
  StringId file = kEmptyString;
};

/// Self cost of one function on one source line; line 0 is unknown. Present only when the reader was asked for lines.
struct LineRow {
  FunctionIndex function = 0;
  StringId file = kEmptyString;
  uint64_t line = 0;
};

/// Whether call counts mean what they say (docs/explaining_diff.md, "When call counts can't be trusted").
struct CallCounts {
  bool trusted = true;
  std::string reason;  ///< one line for the user when not trusted
};

/// A plain value; every cost table is row-major with events.size() numbers per entry.
/// Invariants: (object, file, name) occurs once; (caller, callee) occurs once; (function, file) occurs once;
/// sum of self = sum of row_self (= sum of line_self) = totals, per event; all indices are in range.
struct CostGraph {
  std::vector<std::string> events;  ///< at least one, distinct
  StringPool strings;
  std::vector<Function> functions;
  std::vector<int64_t> self;
  std::vector<Edge> edges;
  std::vector<int64_t> inclusive;  ///< of edges; sums over call sites saturate at int64
  std::vector<Row> rows;
  std::vector<int64_t> row_self;
  std::vector<LineRow> lines;
  std::vector<int64_t> line_self;
  std::vector<int64_t> totals;  ///< per event
  int64_t parts = 1;            ///< dumps and threads that were added up
  CallCounts call_counts;
  /// What happens inside the functions that cost most, with indices of this graph; null where it was not recorded.
  std::shared_ptr<const ProfileCode> code;

  size_t event_count() const { return events.size(); }
  /// Column of an event; nullopt when the graph has none of that name.
  std::optional<size_t> event_index(std::string_view event) const;

  std::string_view name(FunctionIndex f) const { return strings.view(functions[f].name); }
  std::string_view file(FunctionIndex f) const { return strings.view(functions[f].file); }
  std::string_view object(FunctionIndex f) const { return strings.view(functions[f].object); }
  int64_t self_of(FunctionIndex f, size_t event) const { return self[f * events.size() + event]; }
  int64_t inclusive_of(size_t edge, size_t event) const { return inclusive[edge * events.size() + event]; }
};

/// Calls that enter each function: the sum over its incoming edges, self edges included; saturating.
std::vector<int64_t> calls_into(const CostGraph& graph);

/// Throws Error{kMalformed} naming the first broken invariant of the struct; for graphs from files and for tests.
void check_cost_graph(const CostGraph& graph);

/// Adds row `at` of `from` to row `entry` of `table`, which grows as needed; both have `events` numbers a row.
/// Error{kMalformed} on overflow.
void add_costs(std::vector<int64_t>& table, size_t entry, const std::vector<int64_t>& from, size_t at, size_t events);

/// The same for sums over calls, which count nested calls again and again: they saturate.
void add_costs_saturating(std::vector<int64_t>& table, size_t entry, const std::vector<int64_t>& from, size_t at,
                          size_t events);

// Inclusive cost that stays right under recursion: a cycle of functions is one unit, and what it costs is its members'
// own cost plus the calls that leave it. Read cost_graph.h and components.h first.

/// For every component C of the call graph: inclusive(C) = self of its members + cost of the edges that leave C.
/// A function's inclusive cost is that of its component; members of one component share the figure, so a report
/// states component_size beside it. Sums saturate at int64.
struct InclusiveCosts {
  Components components;
  size_t events = 0;
  std::vector<int64_t> cost;      ///< per component, row-major by event
  std::vector<int64_t> entering;  ///< same shape: cost of the edges that enter the component from outside

  int64_t of(FunctionIndex f, size_t event) const { return cost[components.of[f] * events + event]; }
  /// Equals of() for every component that something enters, but for the few cut by exit or signals.
  int64_t entering_of(FunctionIndex f, size_t event) const { return entering[components.of[f] * events + event]; }
  uint32_t component_size(FunctionIndex f) const { return components.sizes[components.of[f]]; }
};

InclusiveCosts make_inclusive_costs(const CostGraph& graph);

}  // namespace icount
