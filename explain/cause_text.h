// The words of an explanation: one plain sentence per cause, with the figures behind it. Works on the joined graph and
// its decomposition (explain/joined_graph.h, explain/decompose.h); explain() puts the sentences into its causes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

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

/// What the texts are made from. Node and edge numbers below are those of `condensed.graph`.
struct SentenceSource {
  const JoinedGraph& joined;
  const CondensedFlow& condensed;
  const Decomposition& figures;
  std::vector<std::string> function_names;  ///< by function of the joined graph: its name in a sentence
  std::vector<uint32_t> leaders;            ///< by node: its function; of a cycle, the most expensive one
  std::vector<std::string> names;           ///< by node: its name in a sentence (explain/node_names.h)
  std::vector<std::string> names_again;     ///< by node: its name where the sentence has told it before
  std::vector<LeadingCall> leading_calls;   ///< by edge that touches a cycle
  static constexpr uint32_t kNoNode = ~uint32_t{0};
};

SentenceSource make_sentence_source(const JoinedGraph& joined, const OpenedFlow& flow);
/// For every edge from or to a condensed cycle, which call between two functions changed most.
std::vector<LeadingCall> find_leading_calls(const JoinedGraph& joined, const CondensedFlow& condensed);
/// The name of a node for a field: "eval", "cycle of eval and 6 more".
std::string node_label(const SentenceSource& source, uint32_t node);

/// "self cost of `mix`: 6 -> 14 per call (35,220 calls)". `delta` is what the sentence stands beside: where the average
/// moves another way, it says so.
std::string self_cost_text(const SentenceSource& source, uint32_t node, int64_t delta);
/// "`lex` calls `hash` 600 times per call instead of 300 (20 calls of `lex`, 6,000 more of `hash`)"
std::string calls_text(const SentenceSource& source, uint32_t edge);
/// "`main` is entered from outside 2 times instead of once"
std::string entry_text(const SentenceSource& source, uint32_t node);
/// "`b::f` was `a::f` (same callers and callees): self cost 6 -> 14 per call (35,220 calls)". `function` is one of the
/// joined graph, `node` its node when its self cost, which changed by `delta`, is to be told as well, else kNoNode.
std::string renamed_text(const SentenceSource& source, uint32_t function, uint32_t node, int64_t delta);
/// "`mix` is now inlined into `hash`: +24,000 - 35,220 = -11,220 (6,000 calls of `mix` gone)"; `own` is what the
/// caller's own terms come to, `calls` what the calls' terms do.
std::string inlined_text(const SentenceSource& source, const InliningMove& move, int64_t own, int64_t calls);
/// "`trim`, now inlined into `read`, no longer calls `strlen` (was 4,625 times)"
std::string saved_calls_text(const SentenceSource& source, const InliningMove& move, const SavedCalls& calls);
/// "told apart: calls of `strlen` by `trim`"
std::string saved_calls_apart_text(const SentenceSource& source, const SavedCalls& calls);
/// A member of a condensed cycle: "self cost of `eval`: 33,284 -> 66,000 per call into the cycle"
std::string member_text(const SentenceSource& source, uint32_t node, uint32_t member);
/// "self cost of `mix`: 211,320 -> 493,080 in total", for profiles whose call counts are not trusted.
std::string total_cost_text(const JoinedGraph& joined, const JoinedFunction& function, BothSides self);

}  // namespace icount
