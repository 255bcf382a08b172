// Claims: terms of a decomposition that belong together, under one anchor, with what they say. Every relation of the
// table in claims.cc finds its own; what no claim has stands alone. See docs/explaining_diff.md, "Which terms belong
// together".
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/explain/claims/noise_fold.h"
#include "icount/explain/claims/term_causes.h"
#include "icount/explain/explain.h"
#include "icount/explain/flow/opened_flow.h"

namespace icount {

struct InliningMove;

/// What relations look at. Terms are positions in the decomposition's list, nodes those of the condensed graph.
struct ClaimSource {
  const OpenedFlow& flow;
  const SentenceSource& names;
  const std::vector<int64_t>& whole;  ///< by term: its whole number
  TermGroups& groups;
  const std::vector<InliningMove>& moves;
  int64_t change = 0;  ///< of the total
  bool opens_functions = false;

  const JoinedGraph& joined() const { return names.joined; }
  const FlowGraph& graph() const { return flow.condensed.graph; }
  const std::vector<Term>& terms() const { return flow.figures.terms; }
  int64_t sum_of(std::span<const uint32_t> terms) const;
};

/// A part of a claim's terms that is a cause of its own: `inside` takes it out of the claim again.
struct ApartCalls {
  uint32_t edge = 0;
  int64_t value = 0;
  CauseFacts facts, inside;
};

struct Claim {
  static constexpr uint32_t kNoCall = ~uint32_t{0};

  CauseKind kind = CauseKind::kSum;
  std::vector<uint32_t> terms;
  uint32_t place = GroupedCause::kNoNode;  ///< the node whose file, line and object it has; kNoNode: in no one place
  uint32_t call = kNoCall;                 ///< the edge by whose calls it is placed, where that is known
  uint32_t about = GroupedCause::kNoNode;  ///< the node that all of its terms are about: it may be opened
  std::string function, caller, callee;    ///< as in Cause
  CauseFacts facts;
  std::vector<Remark> remarks{};
  std::string_view group{};  ///< noise group
  uint32_t inlined_into = GroupedCause::kNoNode;
  size_t inlined_on = 1;
  std::vector<ApartCalls> apart{};
  std::vector<Claim> members{};  ///< instead of terms: what stands inside with a sentence of its own
};

/// By term: another claim has it.
using Taken = std::vector<bool>;

/// The claims of one relation about terms that are not taken, the strongest first: of claims about one term the first
/// is kept.
using FindClaims = std::vector<Claim>(const ClaimSource& source, const Taken& taken);

/// The relations, one line each in the table of claims.cc, where they are explained.
FindClaims allocator_claims, container_claims, inlining_claims, deeper_cycle_claims, longer_work_claims,
    longer_loop_claims, recursion_claims, dispatched_claims, shared_callee_claims, replaced_claims, grown_cycle_claims,
    grown_function_claims;

/// Names the call in the claim's fields.
void name_call(const ClaimSource& source, const FlowEdge& edge, Claim& claim);
/// A function's work as a whole is what one call leads to, where there is but one.
void name_only_call(const ClaimSource& source, uint32_t node, Claim& claim);

/// Exchanges causes for others of equal total. `names`: of the flow.
using CauseOpener =
    std::function<void(const OpenedFlow& flow, const SentenceSource& names, std::vector<GroupedCause>& causes)>;

/// Every cause of the change `delta`, in no particular order and with nothing folded; they add up to `delta`. `open` is
/// called before what an object's other build explains is joined.
std::vector<GroupedCause> make_causes(const JoinedGraph& joined, OpenedFlow flow, int64_t delta,
                                      const CauseOpener& open = {});

/// Own cost of each function in total, for profiles whose call counts are not trusted.
std::vector<GroupedCause> make_total_cost_causes(const JoinedGraph& joined);

}  // namespace icount
