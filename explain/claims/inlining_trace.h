// What a caller's own cost says about code inlined into it: code that debug information knows as the callee's, the
// callee's source lines, or its file, seen inside the caller. Used by explain/claims/inlining.cc; the numbers are per
// call of the caller.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "icount/explain/flow/opened_flow.h"
#include "icount/explain/inside/inlined_code.h"
#include "icount/explain/match/folded_graph.h"
#include "icount/explain/match/joined_graph.h"
#include "icount/explain/weights.h"

namespace icount {

/// What the caller's own cost tells about a callee's code inside it.
enum class Trace {
  kSeen,
  kNotSeen,
  kElsewhere,  ///< not seen, and most of the callee is in another file of which the caller has nothing: figures that
               ///< fit are chance
  kUnknown
};

/// Nodes are those of the condensed graph; `from` is the side on which the calls are made.
class InliningTrace {
 public:
  InliningTrace(const JoinedGraph& joined, const OpenedFlow& flow)
      : joined_(joined), flow_(flow), graph_(flow.condensed.graph) {}

  /// Looks for the callee's lines (or its file) in the caller's own cost on the side that does not call it; `times`:
  /// calls that a call of the caller lost.
  Trace look_for(uint32_t caller, uint32_t callee, size_t from, long double times);
  /// What a call of the caller costs more itself on the side that does not make the calls.
  long double own_gain(uint32_t caller, size_t from) const;
  /// Empty for a cluster and for what that side does not have.
  std::string_view object_of(uint32_t node, size_t side) const;

 private:
  /// The callee's own file, its self cost per call of the caller, and what part of all that it cost that is.
  struct Body {
    std::string_view file;
    long double cost = 0, part = 0;
  };
  static constexpr uint32_t kNoNode = std::numeric_limits<uint32_t>::max();

  const SideFigures& side(size_t s) const { return flow_.figures.sides[s]; }
  uint32_t folded(uint32_t node, size_t s) const;
  /// Self cost per call of the caller of code that is the callee's, by debug information; nullopt where it is not known
  /// whose code the caller's is.
  std::optional<long double> inlined_cost(uint32_t caller, std::string_view callee, size_t s);
  bool gain_fits(uint32_t caller, size_t from, long double body) const;
  /// How far a line of one side lies below its place on the other.
  using Shift = int64_t (LineShifts::*)(std::string_view, uint64_t, size_t) const;
  Trace trace_in_lines(uint32_t caller, const std::vector<LineCost>& lines, size_t from, const Body& body, Shift shift);
  long double growth_on_line(uint32_t caller, const LineCost& line, size_t from, Shift shift);
  long double cost_at(uint32_t caller, const LineCost& line, size_t s);
  void read_sources();

  const JoinedGraph& joined_;
  const OpenedFlow& flow_;
  const FlowGraph& graph_;
  std::array<std::optional<InlinedNames>, 2> inlined_names_;
  std::vector<SourceLines> sources_;
  LineShifts shifts_;
  std::array<uint32_t, 2> lines_caller_ = {kNoNode, kNoNode};
  std::array<std::vector<LineCost>, 2> caller_lines_;
};

}  // namespace icount
