// What the relations of claims.cc find in a decomposition, before it becomes claims: sums of terms that belong
// together. Terms are positions in the decomposition's list, nodes and edges those of the condensed graph; `taken`
// terms are left alone. Swapping the sides negates the terms and changes nothing else.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/explain/claims/claims.h"
#include "icount/explain/flow/opened_flow.h"
#include "icount/explain/match/joined_graph.h"

namespace icount {

/// One caller and all that moved into it (head inlines more) or out of it. Node and edge numbers are those of the
/// condensed graph, `terms` are positions in the decomposition's list; a term belongs to one move at most.
struct InliningMove {
  uint32_t caller = 0;
  bool into_caller = true;           ///< on the head side the callees' code is inside the caller
  bool callee_is_known = true;       ///< the first callee is called on both sides, or its lines were seen in the caller
  std::vector<uint32_t> lost_edges;  ///< calls that one side does not make, the weightiest first
  std::vector<uint32_t> own_terms;   ///< own cost of the caller, calls that it makes itself now
  std::vector<uint32_t> call_terms;  ///< the lost edges' terms
  /// Calls by the caller of a function that only the inlining side has, which does what was not inlined: in own_terms.
  std::optional<uint32_t> rest_edge = std::nullopt;
};

std::vector<InliningMove> find_inlining_moves(const JoinedGraph& joined, const OpenedFlow& flow);

/// Calls out of inlined code into another library, which the caller does not make in its place: a function that is
/// inlined and no longer calls strlen costs less for both reasons, and only the first is inlining.
struct SavedCalls {
  uint32_t edge = 0;  ///< of the condensed graph: from the inlined function, or one inlined with it, to the library
  uint32_t term = 0;  ///< the move's term, calls of the inlined function, whose value they are a part of
  int64_t calls = 0;  ///< on the side that makes them
  int64_t value = 0;  ///< what they contribute to the term
};

/// `values`: by term, whole instructions. Only of a move whose callee is known to be inlined; a compiler does not
/// inline code of another library by itself, so that what is no longer called there is no longer done. The largest
/// first. Nothing where they are less than a quarter of what the move comes to, or go the other way: code that the
/// compiler puts in place of a call (a short copy) is a part of the inlining. Swapping the sides negates the values.
std::vector<SavedCalls> find_saved_calls(const JoinedGraph& joined, const OpenedFlow& flow, const InliningMove& move,
                                         const std::vector<int64_t>& values);

/// What a move says; `own` is what the caller's own terms come to, `calls` what the calls' terms do.
fact::Inlined inlined_facts(const SentenceSource& source, const InliningMove& move, int64_t own, int64_t calls);

/// `terms` are positions in the decomposition's list, in its order; nodes are those of the condensed graph.
struct HeadedSum {
  uint32_t node = 0;
  std::vector<uint32_t> terms;
  uint32_t instead_of = SentenceSource::kNoNode;  ///< of a shared callee: what the same callers called in its place
};

long double largest_term(const OpenedFlow& flow);

/// From here on a sum matters, beside the largest term.
long double least_sum(const OpenedFlow& flow);

/// Functions that two callers or more call on one side only, or ten times as often there, none of them for most of
/// the sum. Where the same callers called another one as often on the other side, that is in the same sum: head's
/// function stands in for base's.
std::vector<HeadedSum> find_shared_callees(const OpenedFlow& flow, const Taken& taken);
fact::SharedCallee shared_callee_facts(const SentenceSource& source, const HeadedSum& sum);

/// `by` calls a dispatcher more often, which calls `callee` as many times more: one call told in two terms, the first
/// at what all that is dispatched costs on average.
struct DispatchedCalls {
  uint32_t by = 0, through = 0;  ///< edges: the dispatcher's caller's, and the dispatcher's
  std::vector<uint32_t> terms;
};
std::vector<DispatchedCalls> find_dispatched_calls(const OpenedFlow& flow, const Taken& taken);

/// Functions that call themselves more often and cost more themselves, or both less: a recursion that grew. Where its
/// calls of itself are most of all that changed about it, all of that is in the sum, unless it has a call that one side
/// alone makes.
std::vector<HeadedSum> find_grown_recursions(const OpenedFlow& flow, const Taken& taken);
fact::GrownRecursion grown_recursion_facts(const SentenceSource& source, const HeadedSum& sum);

/// Work that calls of one side share with others: where these calls have their recorded cost (flow/edge_prices.h), what
/// the functions below them cost in all other calls differs from the average by as much. Terms of own cost that only
/// say so: without the recorded calls the function would cost about the same on both sides.
/// Nothing where there are fewer than three. The sum's node is that of its largest term.
std::optional<HeadedSum> find_shared_work(const OpenedFlow& flow, const Taken& taken);

/// Edges and terms of one exchange: [0] is of the calls that only base makes, [1] of those that only head makes.
struct ReplacedCalls {
  std::array<uint32_t, 2> edges{};
  std::array<uint32_t, 2> terms{};
};

/// Calls by one function that base makes of one callee and head as often of another, where neither is nearly all of the
/// change. Nothing where another callee of that function came or went as often (what replaced what is not known then)
/// unless the two have one plain name, and nothing of functions without a name, which are other functions on each side
/// for no reason.
std::vector<ReplacedCalls> find_replaced_calls(const JoinedGraph& joined, const OpenedFlow& flow, const Taken& taken);

/// Functions that do what they do another way: of the calls that one side alone makes, those of base and those of head
/// make up for each other by a quarter, or calls of functions that one side does not have and the function's own cost
/// do. Terms: its own cost and those calls.
std::vector<HeadedSum> find_rewritten_functions(const JoinedGraph& joined, const OpenedFlow& flow, const Taken& taken);

/// A container of a library that takes another one's place (std::map for std::unordered_map): functions of the one are
/// gone, functions of the other are new, and the same callers lost the ones and gained the others.
struct ContainerChange {
  std::array<std::string_view, 2> containers;  ///< base's and head's: "std::unordered_map", "std::map"
  std::vector<uint32_t> users;                 ///< functions that exchanged them, as nodes, the most changed first
  std::vector<uint32_t> terms;                 ///< positions in the decomposition's list
};

/// Container of a function that is a part of one, by its name: "std::map" for std::_Rb_tree<...>::_M_insert_. Sets go
/// by their map; empty for other functions.
std::string_view container_of(std::string_view name);

/// Of the users, what they cost themselves and what else they call on one side only, or in a noise group, is in the
/// terms: a container's methods are inlined in part. `taken` terms are left alone.
std::vector<ContainerChange> find_container_changes(const JoinedGraph& joined, const OpenedFlow& flow,
                                                    const Taken& taken);

/// Another allocator under the same program (jemalloc preloaded in place of the C library's malloc).
struct AllocatorChange {
  std::array<std::string_view, 2> libraries;  ///< callgraph/allocations.h's allocator_library_of
  std::vector<uint32_t> terms;                ///< positions in the decomposition's list
};

/// Where nearly all that the allocators of one side cost is another library's on the other side. `taken` terms are left
/// alone. That a caller allocates more or less often is no part of it.
std::optional<AllocatorChange> find_allocator_change(const JoinedGraph& joined, const OpenedFlow& flow,
                                                     const Taken& taken);

/// Edges of calls that one side alone makes: those by `outer` lead to those by `inner`, through functions that both
/// sides call.
struct NestedCalls {
  uint32_t outer = 0, inner = 0;
  std::vector<uint32_t> terms;  ///< positions in the decomposition's list: outer's, inner's
};

/// Where what the inner calls cost with all below them, as recorded, is nearly all that the outer ones do, and each of
/// both terms tells a part of it. Looked for among the largest terms; each is in one pair at most.
std::vector<NestedCalls> find_nested_calls(const OpenedFlow& flow, const Taken& taken);

/// The calls inside one opened cluster that all moved a little, in one direction: no single one is to blame, the
/// recursion as a whole went deeper. `terms` are positions in the decomposition's list, `members` nodes of the
/// condensed graph, the costliest first.
struct DeeperCluster {
  std::vector<uint32_t> members;
  std::vector<uint32_t> terms;
};

std::vector<DeeperCluster> find_deeper_clusters(const OpenedFlow& flow);

fact::DeeperRecursion deeper_cluster_facts(const SentenceSource& source, const DeeperCluster& cluster);
/// "cycle of expr and 2 more"
std::string deeper_cluster_label(const SentenceSource& source, const DeeperCluster& cluster);

/// A function below which nearly all that changed changed by one factor, though it is called as often: its input is
/// longer. The deepest such function; nothing where one term says it, or where it is not nearly the whole change.
std::optional<HeadedSum> find_longer_work(const OpenedFlow& flow, const Taken& taken, int64_t change);
fact::LongerWork longer_work_facts(const SentenceSource& source, const HeadedSum& sum);

/// Functions called as often as before whose self cost and calls nearly all changed by one factor.
std::vector<HeadedSum> find_longer_loops(const OpenedFlow& flow, const Taken& taken);
fact::LongerLoop longer_loop_facts(const SentenceSource& source, const HeadedSum& sum);

/// Functions whose own cost is most of what changed about them, all of it in one direction; that term is the first.
/// What the same means where it is known what happens inside them: inside/choose_level.h.
std::vector<HeadedSum> find_grown_functions(const OpenedFlow& flow, const Taken& taken);

/// Cycles that changed in several terms which nearly all go one way, none of them most of it: a recursion that does
/// more.
std::vector<HeadedSum> find_grown_cycles(const OpenedFlow& flow, const Taken& taken);
fact::GrownCycle grown_cycle_facts(const SentenceSource& source, const HeadedSum& sum);

}  // namespace icount
