#include "icount/explain/saved_calls.h"

#include <algorithm>
#include <cmath>

#include "icount/explain/inlining_trace.h"

namespace icount {
namespace {

constexpr int kDeepest = 6;  // functions inlined into each other
// Of the calls: fewer are chance.
constexpr long double kTakenOver = 0.1L;
// Of what a move comes to.
constexpr double kWorthTelling = 0.25;

class SavedCallsSearch {
 public:
  SavedCallsSearch(const JoinedGraph& joined, const OpenedFlow& flow, const InliningMove& move,
                   const std::vector<int64_t>& values)
      : trace_(joined, flow), flow_(flow), graph_(flow.condensed.graph), move_(move), values_(values) {}

  std::vector<SavedCalls> find() {
    for (size_t i = 0; i < move_.lost_edges.size(); ++i) {
      const FlowEdge& lost = graph_.edges[move_.lost_edges[i]];
      term_ = move_.call_terms[i];
      cost_ = static_cast<long double>(lost.inclusive[from_]);
      if (cost_ > 0) look_into(lost.callee, share_of(lost, 1), 0);
    }
    std::stable_sort(saved_.begin(), saved_.end(),
                     [](const auto& a, const auto& b) { return std::abs(a.value) > std::abs(b.value); });
    return std::move(saved_);
  }

 private:
  const SideFigures& side() const { return flow_.figures.sides[from_]; }

  /// What part of the callee's calls the edge's are, where `of_edge` of these are looked at.
  long double share_of(const FlowEdge& edge, long double of_edge) const {
    const long double calls = side().calls[edge.callee];
    return calls > 0 ? std::min(1.0L, of_edge * static_cast<long double>(edge.calls[from_]) / calls) : 0;
  }

  /// `share`: of all calls of `inlined`, those that are looked at.
  void look_into(uint32_t inlined, long double share, int depth) {
    for (uint32_t e = graph_.first_edge[inlined]; e < graph_.first_edge[inlined + 1]; ++e) {
      const FlowEdge& edge = graph_.edges[e];
      if (edge.calls[from_] == 0 || edge.callee == inlined || edge.callee == move_.caller) continue;
      const bool is_gone = flow_.figures.sides[1 - from_].calls[edge.callee] == 0;
      if (is_gone && depth < kDeepest) look_into(edge.callee, share_of(edge, share), depth + 1);
      const long double calls = share * static_cast<long double>(edge.calls[from_]);
      if (is_gone || takes_over(edge.callee, calls)) continue;
      if (trace_.object_of(edge.callee, from_) == trace_.object_of(move_.caller, from_)) continue;
      const long double part = std::min(1.0L, share * static_cast<long double>(edge.inclusive[from_]) / cost_);
      const auto value = static_cast<int64_t>(std::llround(static_cast<long double>(values_[term_]) * part));
      if (value != 0) saved_.push_back({e, term_, static_cast<int64_t>(std::llround(calls)), value});
    }
  }

  /// Whether the caller makes a part of these calls of `callee` itself where the code is inside it.
  bool takes_over(uint32_t callee, long double calls) const {
    const auto& [base, head] = flow_.figures.sides;
    for (uint32_t e = graph_.first_edge[move_.caller]; e < graph_.first_edge[move_.caller + 1]; ++e) {
      if (graph_.edges[e].callee != callee) continue;
      const long double more = (head.calls_per_call[e] - base.calls_per_call[e]) * (from_ == 0 ? 1 : -1);
      return more * side().calls[move_.caller] > kTakenOver * calls;
    }
    return false;
  }

  InliningTrace trace_;
  const OpenedFlow& flow_;
  const FlowGraph& graph_;
  const InliningMove& move_;
  const std::vector<int64_t>& values_;
  const size_t from_ = move_.into_caller ? 0 : 1;  ///< the side on which the calls are made
  uint32_t term_ = 0;
  long double cost_ = 0;  ///< of the term's calls, with all below them, as recorded
  std::vector<SavedCalls> saved_;
};

}  // namespace

std::vector<SavedCalls> find_saved_calls(const JoinedGraph& joined, const OpenedFlow& flow, const InliningMove& move,
                                         const std::vector<int64_t>& values) {
  if (!move.callee_is_known) return {};
  long double net = 0;
  for (const std::vector<uint32_t>* terms : {&move.own_terms, &move.call_terms})
    for (const uint32_t term : *terms) net += static_cast<long double>(values[term]);
  if (net == 0) return {};  // no way that the calls could go
  std::vector<SavedCalls> saved = SavedCallsSearch(joined, flow, move, values).find();
  std::erase_if(saved, [&](const SavedCalls& calls) {
    return static_cast<long double>(calls.value) * (net > 0 ? 1 : -1) < kWorthTelling * std::abs(net);
  });
  return saved;
}

}  // namespace icount
