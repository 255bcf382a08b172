// One function of a flow being opened: what of it is told by branches, whether it is told per call or in total, and
// whether its terms inside come to what is told of the function as a whole. Used by explain/function_opening.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "icount/explain/cluster_opening.h"
#include "icount/explain/inside_solver.h"
#include "icount/explain/joined_graph.h"
#include "icount/explain/opened_function.h"

namespace icount {

/// A function by side: its number in the folded graph, or kNoFunction.
using FoldedIds = std::array<uint32_t, 2>;

class InsideOpening {
 public:
  /// Both must outlive it. `node` is one of the condensed graph.
  InsideOpening(const JoinedGraph& joined, const OpenedFlow& flow, const CalleeNodes& of_callee, uint32_t node);

  uint32_t function() const { return function_; }
  const FoldedIds& folded() const { return folded_; }
  const OpenedFunction& opened() const { return opened_; }
  void open(const JoinedGraph& joined, const std::array<const ProfileCode*, 2>& code);

  /// Chooses what is told by branches and solves, so that terms come to about `delta`; false when they do not.
  bool solve(int64_t delta);

  long double sum_of_terms() const;
  const InsideGraph& graph() const { return graph_; }
  const InsideFigures& figures() const { return figures_; }
  bool in_total() const { return in_total_; }

 private:
  /// Calls cost inside the function what they cost in its own terms, where that is not their callee's average: what was
  /// recorded for those that one side alone makes, and both prices where these are told with the calls.
  void price_as_told();
  /// Per call, and where something does not scale with the calls in total.
  std::vector<bool> ways() const;
  void solve_with(const std::set<uint32_t>& told);
  bool has_one_way_in(uint32_t region) const;
  void choose_branches();
  /// The same code may have run a loop on one side alone; what the sides do not agree about is the body's.
  static uint32_t on_both(const std::array<uint32_t, 2>& regions);
  uint32_t region_of_block(uint32_t block) const;
  uint32_t region_around(const InsideNode& from) const;
  static bool is_simple(const std::map<uint32_t, long double>& parts);
  /// A recursive function whose inside cancels is better told as one.
  bool blows_up(long double sum) const;

  const OpenedFlow& flow_;
  const CalleeNodes& of_callee_;
  uint32_t node_, function_ = 0;
  FoldedIds folded_{};
  BothSides self_{};
  std::vector<InsideCallee> callees_;
  OpenedFunction opened_;
  std::set<uint32_t> told_;
  InsideGraph graph_;
  InsideFigures figures_;
  bool in_total_ = false;
};

}  // namespace icount
