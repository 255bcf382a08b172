// What the parts of an opened function are called in sentences, and what every cause inside it has. Between
// explain/inside_graph.h and the files that make causes of its terms (inside_causes, own_cost_causes).
#pragma once

#include <string>
#include <string_view>

#include "icount/explain/explain.h"
#include "icount/explain/inside_causes.h"

namespace icount {

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
  /// Places the cause. Code of another file than the function's, which was inlined, keeps that file's name.
  void set_line(Cause& cause, std::string_view file, uint64_t line) const;

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

}  // namespace icount
