// What single terms, inlining moves and renames say (explain/cause_facts.h). Works on the joined graph and its
// decomposition (explain/joined_graph.h, explain/decompose.h); explain() puts the facts into its causes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "icount/explain/cause_facts.h"
#include "icount/explain/decompose.h"
#include "icount/explain/inlining.h"
#include "icount/explain/joined_graph.h"
#include "icount/explain/saved_calls.h"

namespace icount {

/// Of the calls from or to a cycle those between two functions that changed most.
struct LeadingCall {
  static constexpr uint32_t kNoEdge = ~uint32_t{0};
  uint32_t edge = kNoEdge;  ///< of the joined graph
  long double all = 0;      ///< change of the number of all these calls, without signs
  bool is_all = false;      ///< these are nearly all that changed: the cause is named by them
};

/// What the facts are made from. Node and edge numbers below are those of `condensed.graph`.
struct SentenceSource {
  const JoinedGraph& joined;
  const CondensedFlow& condensed;
  const Decomposition& figures;
  std::vector<std::string> function_names;  ///< by function of the joined graph: its name in a sentence
  std::vector<uint32_t> leaders;            ///< by node: its function; of a cycle, the most expensive one
  std::vector<std::string> names;           ///< by node: its name in a sentence (explain/node_names.h)
  std::vector<std::string> names_again;     ///< by node: its name where the sentence has told it before
  std::vector<LeadingCall> leading_calls;   ///< by edge that touches a cycle
  std::vector<bool> calls_cost_more;        ///< by edge: its term raises the cost
  static constexpr uint32_t kNoNode = ~uint32_t{0};
};

SentenceSource make_sentence_source(const JoinedGraph& joined, const OpenedFlow& flow);
/// For every edge from or to a condensed cycle, which call between two functions changed most.
std::vector<LeadingCall> find_leading_calls(const JoinedGraph& joined, const CondensedFlow& condensed);
/// The name of a node for a field: "eval", "cycle of eval and 6 more".
std::string node_label(const SentenceSource& source, uint32_t node);

/// Calls of a node on a side, as a whole number.
int64_t calls_at(const SentenceSource& source, size_t side, uint32_t node);

/// A node's self cost, or what it allocates where the event is that. `delta`: of the cause.
CauseFacts self_cost_facts(const SentenceSource& source, uint32_t node, int64_t delta);
fact::Calls calls_facts(const SentenceSource& source, uint32_t edge);
fact::Entries entry_facts(const SentenceSource& source, uint32_t node);
/// `function` is one of the joined graph, `node` its node when its self cost, which changed by `delta`, is meant as
/// well, else kNoNode.
fact::Renamed renamed_facts(const SentenceSource& source, uint32_t function, uint32_t node, int64_t delta);
/// `own` is what the caller's own terms come to, `calls` what the calls' terms do.
fact::Inlined inlined_facts(const SentenceSource& source, const InliningMove& move, int64_t own, int64_t calls);
fact::CallsSaved saved_calls_facts(const SentenceSource& source, const InliningMove& move, const SavedCalls& calls);
fact::SavedCallsApart saved_calls_apart_facts(const SentenceSource& source, const SavedCalls& calls);
/// A member of a condensed cycle.
fact::MemberCost member_facts(const SentenceSource& source, uint32_t node, uint32_t member);
/// For profiles whose call counts are not trusted.
fact::TotalCost total_cost_facts(const JoinedGraph& joined, const JoinedFunction& function, BothSides self);

}  // namespace icount
