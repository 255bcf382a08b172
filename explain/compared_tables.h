// Every function and call edge of two profiles side by side: self and inclusive cost and calls on both sides. What the
// report's sortable tables show; explain() says why the figures differ. Read explain/match/joined_graph.h for how the
// two are matched.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/callgraph/allocations.h"
#include "icount/callgraph/cost_graph.h"
#include "icount/explain/flow/flow_table.h"

namespace icount {

/// One function of either or both sides, recursion levels and clones folded. What a side lacks is 0 there.
struct ComparedFunction {
  std::string name, file, object;  ///< head's, or base's where head has none
  std::string base_name;           ///< set when matched under another name
  bool in_base = false, in_head = false;
  BothSides self{};
  BothSides inclusive{};  ///< of the recursive cluster it is in, as in callgraph/cost_graph.h; saturating
  BothSides calls{};      ///< from other functions and itself, and from outside the profile
};

/// All calls from one function to another, by index into functions. Inclusive cost of a recursive edge counts nested
/// calls again.
struct ComparedEdge {
  uint32_t caller = 0;
  uint32_t callee = 0;
  BothSides calls{};
  BothSides inclusive{};
};

/// Functions by magnitude of the change of self cost, then self cost, then name; edges by magnitude of the change of
/// inclusive cost, then inclusive cost, then (caller, callee). The self costs of a side add up to its total.
struct ComparedTables {
  std::vector<ComparedFunction> functions;
  std::vector<ComparedEdge> edges;
  BothSides totals{};
};

/// ICOUNT_CHECKs that both graphs have the event. With `raw_names` only equal names match.
ComparedTables make_compared_tables(const CostGraph& base, const CostGraph& head, std::string_view event,
                                    bool raw_names);

/// A graph without functions, with one event: the other side of a table when there is nothing to compare with.
CostGraph make_empty_graph(std::string_view event);

// Self cost of every source line of two profiles side by side, for reports of profiles that have lines. Functions and
// calls: explain/compared_tables.h.

/// One line; what a side lacks is 0 there.
struct ComparedLine {
  std::string file;      ///< as head has it, or base where head lacks it
  std::string function;  ///< the one that spent most on this line
  uint64_t line = 0;
  BothSides self{};
};

/// Lines are the same when number, file name and folder name agree (builds lie in different places). Unknown lines are
/// left out. By magnitude of the change, then cost, then file and line. Empty when neither graph has lines or the
/// event.
std::vector<ComparedLine> compare_lines(const CostGraph& base, const CostGraph& head, std::string_view event);

// What changed in how often memory is asked for: the totals of two graphs and the functions behind it. Beside
// explain/explain.h, which explains the cost itself; report/allocation_text.h has the words.

struct CallerAllocations {
  std::string name;
  std::array<int64_t, 2> allocations{};  ///< base, head
  int64_t delta() const { return allocations[1] - allocations[0]; }
};

struct AllocationChange {
  std::array<AllocationCounts, 2> totals;
  std::vector<CallerAllocations> callers;  ///< that allocate more or less, those with the largest change first
};

/// Functions are matched by name. Nothing where no total changed or a side does not know.
std::optional<AllocationChange> find_allocation_change(const CostGraph& base, const CostGraph& head);

}  // namespace icount
