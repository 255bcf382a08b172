// One function of a flow being opened: what of it is told by branches, whether it is told per call or in total, and
// whether its terms inside come to what is told of the function as a whole. Used by explain/inside/function_opening.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "icount/callgraph/function_code.h"
#include "icount/explain/claims/noise_fold.h"
#include "icount/explain/claims/term_causes.h"
#include "icount/explain/explain.h"
#include "icount/explain/flow/opened_flow.h"
#include "icount/explain/function_listing.h"
#include "icount/explain/inside/inside_graph.h"
#include "icount/explain/inside/opened_function.h"
#include "icount/explain/match/joined_graph.h"

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

// Opens the functions that lead an explanation: their own cost and calls become causes inside them, loop by loop, that
// come to the same. Called by explain() between terms and causes (explain/claims/claims.h).

class FunctionOpener {
 public:
  /// All must outlive it. `list`: nodes of the joined graph to list side by side; `list_opened`: also those that open()
  /// opens.
  FunctionOpener(const JoinedGraph& joined, const std::array<const ProfileCode*, 2>& code, std::vector<uint32_t> list,
                 bool list_opened)
      : joined_(joined), code_(code), list_(std::move(list)), list_opened_(list_opened) {}

  /// Exchanges the causes of up to 16 functions, those with a cause of at least a hundredth of the largest, for causes
  /// inside them that add up to what they were.
  void open(const OpenedFlow& flow, const SentenceSource& names, std::vector<GroupedCause>& causes);

  /// Fills `listings`.
  void list(const OpenedFlow& flow, const SentenceSource& names);

  std::vector<note::NotOpened> notes;  ///< which leading functions could not be opened, and why
  std::vector<FunctionListing> listings;

 private:
  /// Tells inlining moves with the loop that the code is in, where debug information says so.
  void place_inlined(const OpenedFlow& flow, std::vector<GroupedCause>& causes) const;

  const JoinedGraph& joined_;
  std::array<const ProfileCode*, 2> code_;
  std::vector<uint32_t> list_;
  bool list_opened_;
};

/// `inside` are the causes inside one function, rounded, that add up to `delta`; `told` those of the function as a
/// whole, which they stand for; `of_one_side` names callees that only one side calls. In this order:
/// * a branch that comes to the whole change, or a loop entered more often, leads to a call of one side, which is three
///   quarters of it: `told`, with that branch or loop at the call;
/// * one of `inside` comes to the whole change (to a tenth), and no call of the function does, or it is that call:
///   `inside`, with the calls of one callee joined;
/// * one of `told` does: that one, with `inside` as its members, the largest of which is told with it where it is half
///   of it; beside it calls of others that come to the same inside;
/// * `inside` is as concentrated as `told` (its largest is as large a part of all magnitudes) and cancels no more (its
///   magnitudes come to at most one and a half times those of `told`): `inside`;
/// * mostly own cost, and calls that went the same way: one sum;
/// * else `told` itself; its largest is told with the largest of `inside`, as above.
/// `told` itself, too, where `inside` cancels twentyfold or branches lead to calls of several functions. Sums stay;
/// swapping the sides changes signs and nothing else.
std::vector<Cause> retell_calls(std::vector<Cause> told, std::vector<Cause> inside, int64_t delta,
                                const std::set<std::string>& of_one_side = {});

}  // namespace icount
