// Self cost of every source line of two profiles side by side, for reports of profiles that have lines. Functions and
// calls: explain/compared_tables.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "icount/callgraph/cost_graph.h"
#include "icount/explain/flow_graph.h"

namespace icount {

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

}  // namespace icount
