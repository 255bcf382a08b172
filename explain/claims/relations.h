// What the relations of claims.cc find in a decomposition, before it becomes claims: sums of terms that belong
// together. Terms are positions in the decomposition's list, nodes and edges those of the condensed graph; `taken`
// terms are left alone. Swapping the sides negates the terms and changes nothing else.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/explain/claims/claims.h"
#include "icount/explain/claims/noise_fold.h"
#include "icount/explain/claims/term_causes.h"
#include "icount/explain/flow/opened_flow.h"
#include "icount/explain/inside/inlined_code.h"
#include "icount/explain/match/folded_graph.h"
#include "icount/explain/match/joined_graph.h"
#include "icount/explain/weights.h"

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

/// Edges and terms of one exchange: [0] is of the calls that only base makes, [1] of those that only head makes.
struct ReplacedCalls {
  std::array<uint32_t, 2> edges{};
  std::array<uint32_t, 2> terms{};
};

/// Calls by one function that base makes of one callee and head, as often, of another, where each makes none or hardly
/// any of the other's and neither is nearly all of the change. Nothing where another callee of that function came or
/// went as often (what replaced what is not known then) unless the two have one plain name, and nothing of functions
/// without a name, which are other functions on each side for no reason.
std::vector<ReplacedCalls> find_replaced_calls(const JoinedGraph& joined, const OpenedFlow& flow, const Taken& taken);

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
      : joined_(joined), flow_(flow), graph_(flow.condensed.graph), lines_(joined) {}

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
  Trace trace_in_lines(uint32_t caller, const std::vector<LineCost>& lines, size_t from, const Body& body);
  long double growth_on_line(uint32_t caller, const LineCost& line, size_t from);
  long double cost_at(uint32_t caller, const LineCost& line, size_t s);

  const JoinedGraph& joined_;
  const OpenedFlow& flow_;
  const FlowGraph& graph_;
  std::array<std::optional<InlinedNames>, 2> inlined_names_;
  JoinedLines lines_;
  std::array<uint32_t, 2> lines_caller_ = {kNoNode, kNoNode};
  std::array<std::vector<LineCost>, 2> caller_lines_;
};

/// Joins what belongs to one place to a cause of CauseKind::kPlace, where there is such a place. Causes of noise groups
/// stay what they are.
void head_places(const SentenceSource& source, int64_t change, std::vector<GroupedCause>& causes);

/// "-O0 instead of -O2", "-flto in head only", "clang version 14.0.6 instead of GNU C17 12.2.0": head's first. Empty
/// where a side's is not known, and where both are the same. `objects`: its path on each side.
std::string producer_change(const JoinedGraph& joined, const std::array<std::string_view, 2>& objects);

/// The same of two values of DW_AT_producer.
std::string producer_change(std::string_view base, std::string_view head);

// Objects that one side compiled with more inlining (-O0 against -O2): most of their small functions are gone there,
// and nearly all others cost something else. Read off the joined graph; explain/claims/inlining.cc believes in more
// moves then, explain/match/node_names.cc says it.

struct OptimisationChange {
  std::array<std::string_view, 2> objects;  ///< its path on each side
  size_t less = 0;                          ///< the side that inlines less: 0 base, 1 head
  size_t gone = 0, all = 0;                 ///< functions of that side that the other has not, and all that it has
};

/// Every such object, sorted by path. A run that merely does less has fewer functions, too, but those that it has cost
/// what they did.
std::vector<OptimisationChange> find_optimisation_changes(const JoinedGraph& joined);

/// An object that was compiled with other options, by another compiler or from another version: of the functions that
/// both sides have most cost something else per call in as many calls (a change of code moves a few of them, one of the
/// input moves the numbers of calls), or a quarter where its debug information names other options or another compiler
/// on each side, or where its source is the same: no function begins on another line.
struct OtherBuild {
  std::array<std::string_view, 2> objects;  ///< its path on each side
  std::array<size_t, 2> alone{};            ///< functions that only base and only head has
  size_t common = 0, changed = 0;           ///< functions that both have, and those of them with another self cost
  fact::BuildGuess guess = fact::BuildGuess::kNone;
  bool guess_in_head = true;
};

/// Every such object, sorted by path.
std::vector<OtherBuild> find_other_builds(const JoinedGraph& joined);

// Objects that one side built with link-time optimisation: functions of one source file are inlined into those of
// another there, which no compiler does that sees one file at a time. Read off the inlining moves;
// explain/claims/claims.cc makes one cause of all that changed in such an object.

struct LinkTimeBuild {
  std::array<std::string_view, 2> objects;  ///< its path on each side; empty where a side has no function of it
  size_t side = 0;                          ///< the one that was optimised at link time: 0 base, 1 head
  size_t functions = 0;                     ///< inlined into functions of other source files
};

/// Every such object, sorted by path. Functions of header files don't count: any compiler inlines them.
std::vector<LinkTimeBuild> find_link_time_builds(const JoinedGraph& joined, const OpenedFlow& flow,
                                                 const std::vector<InliningMove>& moves);

// Where one object was built differently and most of the change happens in it, all causes become one: that build. The
// last join of explain/claims/claims.cc.

/// Objects with other options, another compiler or version (explain/claims/rebuilt.h), then those that one side
/// optimised at link time (explain/claims/rebuilt.h).
void join_other_builds(const JoinedGraph& joined, const OpenedFlow& flow, const std::vector<InliningMove>& moves,
                       std::vector<GroupedCause>& causes);

}  // namespace icount
