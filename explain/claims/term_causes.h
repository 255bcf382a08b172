// Where in the source a cause lies: the line on which its function begins, and the few lines that carry a change of
// self cost where there are such. Used by explain/claims/claims.cc; lines per function are
// explain/match/folded_graph.h.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/callgraph/function_code.h"
#include "icount/explain/cause_facts.h"
#include "icount/explain/explain.h"
#include "icount/explain/flow/decompose.h"
#include "icount/explain/flow/opened_flow.h"
#include "icount/explain/match/folded_graph.h"
#include "icount/explain/match/joined_graph.h"

namespace icount {

/// A file as the profile has it; line 0 where no line is known.
struct SourcePlace {
  std::string_view file;
  uint64_t line = 0;
  bool is_of_base = false;  ///< head has no such line
};

/// Whether the program's own source has the function: it is of no library, and its file is known.
bool is_own_code(const JoinedGraph& joined, uint32_t function);

/// The lines of one file that carry most of a change of self cost.
struct ChangedLines {
  std::vector<CauseLine> lines;  ///< one to three, the largest first; of the head, or of the base where they are gone
  double part = 0;               ///< of the function's change; above 1 where other lines take some back
  std::string_view path;         ///< of the file, as the profile has it
};

/// Reads the lines of both sides once, when first asked. The joined graph must outlive it.
class CausePlaces {
 public:
  explicit CausePlaces(const JoinedGraph& joined) : joined_(joined), lines_(joined) {}

  /// The first line of a function in its own file, in the head where it is there.
  SourcePlace of_function(uint32_t function);

  /// Where the program's own code calls a library's function, or calls what calls it: by way of the calls that changed
  /// most. The function's own place where it is no library's, or nothing of the program leads there.
  SourcePlace in_own_code(uint32_t function);

  /// `scale`: by side, what a line's cost is multiplied with before sides are compared (one over the calls, or 1 where
  /// the function's cost is taken in total). Nothing where lines are not known, or none has a tenth of the change.
  std::optional<ChangedLines> changed_lines(uint32_t function, std::array<long double, 2> scale);

  /// Where `caller` calls `callee`: the line on which most of these calls came or went, or cost more or less where they
  /// are as many. Line 0 where the profiles have no addresses in the caller.
  SourcePlace of_calls(uint32_t caller, uint32_t callee);

 private:
  /// The line of head that a line of base is; else base's and true.
  std::pair<uint64_t, bool> head_line(const SourcePlace& base);
  /// Of the instruction at which a function is entered most; 0 where that is no code of its own, or not recorded. Its
  /// least line may be that of code that was inlined from elsewhere in the file.
  uint64_t line_of_entry(size_t side, uint32_t folded, std::string_view file);
  void read_pieces();
  const FlowEdge* leading_caller(uint32_t function);

  const JoinedGraph& joined_;
  JoinedLines lines_;
  std::vector<const FlowEdge*> callers_;  ///< by function: the edge whose calls of it changed most; null: none
  std::array<std::map<uint32_t, std::vector<const FunctionCode*>>, 2> pieces_;  ///< by folded function
  bool has_pieces_ = false;
};

// What single terms and renames say (explain/cause_facts.h). Works on the joined graph and its
// decomposition (explain/match/joined_graph.h, explain/flow/decompose.h); explain() puts the facts into its causes.

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
  std::vector<std::string> names;           ///< by node: its name in a sentence (explain/match/node_names.h)
  std::vector<LeadingCall> leading_calls;   ///< by edge that touches a cycle
  std::vector<bool> calls_cost_more;        ///< by edge: its term raises the cost
  std::vector<bool> costs_as_before;        ///< by node: its callers of both sides, as recorded, for each call
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
/// A member of a condensed cycle, which contributes `delta`.
fact::MemberCost member_facts(const SentenceSource& source, uint32_t node, uint32_t member, int64_t delta);
/// For profiles whose call counts are not trusted.
fact::TotalCost total_cost_facts(const JoinedGraph& joined, const JoinedFunction& function, BothSides self);

// One term of a decomposition as a cause: its fields, its sentence and where in the source it lies.
// explain/claims/claims.cc joins those that tell of one thing.

/// Terms are numbers in the decomposition's list, nodes those of the condensed graph.
class TermCauses {
 public:
  static constexpr uint32_t kNoNode = SentenceSource::kNoNode;

  /// Both must outlive it. `change`: of the total, which the whole terms add up to.
  TermCauses(const JoinedGraph& joined, const OpenedFlow& flow, int64_t change);

  const SentenceSource& source() const { return source_; }
  const WholeTerms& whole() const { return terms_; }

  /// Whether the term comes to something, by itself or in a member of its cycle.
  bool tells_something(uint32_t term) const { return terms_.whole[term] != 0 || terms_.inside.contains(term); }
  Cause cause_of(uint32_t index);
  /// Whether a cause has told that the function of the joined graph had another name.
  bool has_told_name(uint32_t function) const { return said_[function]; }

  /// Where the function of a node begins, and what it is a part of; of a cycle, its most expensive one.
  void set_place(Cause& cause, uint32_t node);
  /// Where the calls of an edge stand in the caller, where that is known and the cause leads; else as set_place.
  void set_call_place(Cause& cause, uint32_t edge);
  /// The function of whose own cost or calls a term tells; kNoNode of entries.
  uint32_t node_of(uint32_t index) const;
  /// By side; empty on a side that does not have it.
  std::array<std::string_view, 2> objects_of(uint32_t node) const;

 private:
  void fill_calls(Cause& cause, uint32_t number);
  void fill_own_cost(Cause& cause, uint32_t node);
  void name_members(Cause& cause, const FlowEdge& edge, const FlowEdge& call, uint32_t number);
  double change_per_call(std::vector<long double> SideFigures::*figure, uint32_t index) const;
  bool leads(int64_t delta) const;
  void add_changed_lines(Cause& cause, uint32_t node);
  void add_members(Cause& cause, uint32_t term);

  const OpenedFlow& flow_;
  SentenceSource source_;
  CausePlaces places_;
  int64_t change_;
  std::vector<bool> said_;  // by function of the joined graph
  WholeTerms terms_;
};

}  // namespace icount
