// The terms of an opened function's graph as causes with one sentence each: loops that iterate more often, iterations
// that cost more, branches that go another way. Between explain/inside/inside_graph.h and
// explain/inside/function_opening.h.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "icount/explain/explain.h"
#include "icount/explain/inside/inlined_code.h"
#include "icount/explain/inside/inside_graph.h"
#include "icount/explain/inside/region_lines.h"

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

// What the parts of an opened function are called in sentences, and what every cause inside it has. Between
// explain/inside/inside_graph.h and the files that make causes of its terms (inside_causes, own_cost_causes).

class InsideNames {
 public:
  explicit InsideNames(const InsideSource& source) : source_(source) {}

  const InsideSource& source() const { return source_; }
  const OpenedFunction& opened() const { return source_.opened; }
  const InsideNode& node(uint32_t n) const { return source_.graph.nodes[n]; }
  long double times(size_t side, uint32_t n) const { return source_.figures.times[side][n]; }

  /// The region of a body, a loop or a block.
  uint32_t region_of(const InsideNode& one) const;
  /// The region around one.
  uint32_t parent_of(uint32_t region) const;

  /// Whether a node's iterations are the runs of a statement.
  bool is_statement(uint32_t n) const;

  /// With its function and place, and the loop's figures where the region is one.
  Cause new_cause(CauseKind kind, uint32_t region) const;
  /// Places the cause, where the line is known. Code of another file than the function's, which was inlined, keeps that
  /// file's name.
  void set_line(Cause& cause, LineKey place) const;

  fact::LoopName loop_name(uint32_t region) const;
  /// Executions on both sides.
  fact::Rates both_times(uint32_t n) const { return {times(0, n), times(1, n)}; }
  fact::Doer doer(uint32_t n) const;
  /// "scan.c:9" of a block's last or first instruction.
  std::string place_text(uint32_t block, bool last) const;
  /// Where a branch goes.
  fact::Target target(uint32_t to) const;

 protected:
  const InsideSource& source_;
};

// What a loop or a branch of an opened function comes to, part by part: self cost there, and calls of each callee. For
// explain/inside/inside_causes; the figures are those of explain/inside/inside_graph.h.

/// Of `whole`, whose value are the terms of `edges`, none of which leads to a callee. They add up to it; empty where
/// its calls are less than a hundredth of it. In the order of callees' names, which does not depend on which side is
/// base.
std::vector<InsideCause> make_inside_parts(const InsideSource& source, const InsideCause& whole,
                                           const std::vector<uint32_t>& edges);

// Causes that tell of own cost inside an opened function: of its body, of an iteration, of a loop's last test, of a
// loop that was reshaped, and of an inlined function's part. Part of explain/inside/inside_causes.

/// All that a node of the graph costs itself.
Cause own_cost_cause(const InsideNames& names, uint32_t n);

/// A part of it: one inlined function's, or what is left when those that are told have been taken out.
Cause inlined_part_cause(const InsideNames& names, uint32_t n, const InlinedPart& part);

}  // namespace icount
