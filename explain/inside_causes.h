// The terms of an opened function's graph as causes with one sentence each: loops that iterate more often, iterations
// that cost more, branches that go another way. Between explain/inside_graph.h and explain/function_opening.h.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "icount/explain/explain.h"
#include "icount/explain/inside_solver.h"
#include "icount/explain/region_lines.h"

namespace icount {

/// What a callee is called in a sentence, in backticks, and in Cause::callee.
struct CalleeName {
  std::string in_sentence, in_field;
};

/// What the sentences are made from. Names in sentences are in backticks.
struct InsideSource {
  const OpenedFunction& opened;
  const CalleeNodes& of_callee;
  const InsideGraph& graph;
  const InsideFigures& figures;
  std::string function;                    ///< its name in a sentence
  std::string function_field;              ///< and for Cause::function
  std::map<uint32_t, CalleeName> callees;  ///< by number of the callee
  std::vector<std::string> loops;          ///< loop_names
  std::string file;                        ///< of the function, as the profile has it
  std::string object;                      ///< of the function
  uint64_t line = 0;
  bool in_total = false;  ///< figures are of the whole program instead of per call
};

struct InsideCause {
  long double value = 0;
  Cause cause;  ///< without its delta and its `inside`
  /// Of a loop or a branch whose calls matter: its self cost and its calls, which add up to `value`.
  std::vector<InsideCause> parts = {};
};

/// Every term that is not nothing, those of one branch as one; in an order that does not depend on which side is base.
std::vector<InsideCause> make_inside_causes(const InsideSource& source);

}  // namespace icount
