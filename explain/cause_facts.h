// What a cause says, without words: the figures of its sentence and the names in it, one struct for each kind of
// sentence. Made beside the terms that they are about; report/cause_sentence.h has the only words. Pairs are base's
// figure and head's.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "icount/callgraph/allocations.h"

namespace icount::fact {

using Counts = std::array<int64_t, 2>;
using Rates = std::array<long double, 2>;
using Texts = std::array<std::string, 2>;

/// What a function costs itself.
struct SelfFigures {
  bool in_total = false;         ///< `cost` is of all calls; else of one
  bool one_call = false;         ///< each side calls it once
  bool of_common_calls = false;  ///< figures are of the calls that both sides make
  bool are_other_calls = false;  ///< `cost`, an average of all calls, is not what the cause is of
  bool of_cycle = false;         ///< of a cycle: calls enter it
  Rates cost{};                  ///< 0 where no average gives the change
  Counts calls{};
  int64_t all_calls = 0;  ///< of common calls: how many head makes in all
  int64_t delta = 0;      ///< of the cause: an average may move the other way
};

struct SelfCost {
  std::string function;
  SelfFigures figures;
  /// How many times as often as base the lines run that most of the change is on, as their costs make likely where a
  /// profile has no executions. 0: not known.
  double lines_run = 0;
};

/// A member of a cycle.
struct MemberCost {
  std::string function;
  bool in_total = false;  ///< else per call into the cycle
  Rates cost{};           ///< 0 where it does not give what the member contributes
};

/// Where call counts are not trusted.
struct TotalCost {
  std::string function, was;  ///< was: empty unless it was matched under another name
  Counts cost{};
};

/// Where the event is allocations or frees: what a function itself asks for.
struct OwnAllocations {
  std::string function;
  bool frees = false;
  Counts all{}, calls{};
};

/// Calls of one function by another.
struct Calls {
  std::string caller, callee;
  bool of_itself = false;
  AllocatorEntry entry = AllocatorEntry::kNone;  ///< what the callee does for a caller outside of the allocator
  bool in_total = false;                         ///< their number does not go by the caller's calls
  bool cost_more = false;
  Counts calls{};                            ///< of the callee by the caller
  Counts callers{};                          ///< calls of the caller
  Rates per_call{};                          ///< of the callee for each call of the caller
  long double common = 0;                    ///< calls of the caller that both sides make
  Rates for_each_outer{};                    ///< calls that one call from outside becomes, of a recursion
  std::string mostly_callee, mostly_caller;  ///< of a cycle's calls, between which functions most of them changed
  Rates price{};                             ///< of one call, where both sides have it as recorded; else 0
};

/// A dispatcher is called more often, and calls as many times more.
struct CallsOnBehalf {
  Calls through;
  std::string by;  ///< empty: a recursion of several functions
};

struct Entries {
  std::string function;
  Counts entries{};
};

enum class RenamedBy { kEvidence, kDispatch, kObject };

/// A function under another name, by another variant or from another library.
struct Renamed {
  RenamedBy by = RenamedBy::kEvidence;
  Texts names;
  Texts objects;
  std::string evidence;
  bool costs_otherwise = false;  ///< `figures` say how
  SelfFigures figures;
};

/// A loop in a sentence: "loop at scan.c:9-11".
struct LoopName {
  std::string loop;
  std::string inlined;  ///< the inlined function that it is in; empty: the function's own
  std::string function;
  std::string instead_of = {}, instead_of_inlined = {};  ///< base's loop, where another took its place
};

enum class OtherWork {
  kNone,
  kMore,
  kLess,
  kOfChangedLines,  ///< more or less, most of it by lines of the diff (inputs/compare_files.cc)
};

/// A callee's code is inside its caller on one side.
struct Inlined {
  std::string caller, callee;
  bool into_caller = true;
  bool callee_is_known = true;
  size_t more_callees = 0;
  std::string loop;  ///< of the caller, where the code is in it: "scan.c:9-11"
  std::string rest;  ///< a function that does what was not inlined
  OtherWork other_work = OtherWork::kNone;
  int64_t own = 0, calls = 0;  ///< what the caller's own terms come to, and its calls'
  int64_t count = 0;           ///< calls that only one side makes
};

/// One function inlined into several callers.
struct SharedInlining {
  std::string callee;
  std::vector<std::string> callers;  ///< the first two
  size_t more_callers = 0;
  bool into_callers = true;
  int64_t own = 0, calls = 0, count = 0;
};

/// Calls that inlined code no longer makes.
struct CallsSaved {
  std::string caller, callee, into;
  bool into_caller = true;
  int64_t calls = 0;
};

/// The member of a move that takes those out of it.
struct SavedCallsApart {
  std::string caller, callee;
};

struct AllocatorReplaced {
  Texts libraries;
};

struct ContainerReplaced {
  Texts containers;
  std::string user;
  size_t more_users = 0;
};

/// Functions that call each other: a recursion that went deeper.
struct DeeperRecursion {
  std::string first, second;  ///< second: empty where there are more than two
  size_t others = 0;
  Rates for_each_outer{};
  Counts calls{};
  std::string caller, callee;  ///< of the call that changed most
};

/// A function and all below it do so many times the work.
struct LongerWork {
  std::string function;
  long double factor = 1;
};

struct LongerLoop {
  std::string function;
  Counts cost{};
  size_t callees = 0;
};

enum class Recursion { kBegins, kEnds, kMore, kLess };

struct GrownRecursion {
  std::string function;
  bool has_other_changes = false;
  Recursion recursion = Recursion::kMore;
  Counts calls{};
  Rates cost{};  ///< per call
};

/// In as many calls from outside; Cause::inside has its self cost and calls.
struct GrownCycle {
  std::string function;
};

/// Callers that one callee gained or lost.
struct SharedCallee {
  std::string function, most;  ///< most: the caller with most calls; empty where two make as many
  std::string instead_of;      ///< what the same callers called in its place; empty: nothing
  bool gained = true;
  size_t callers = 0;
  int64_t calls = 0, others = 0;  ///< of the side with more of them, and of the other
};

/// One callee in place of another.
struct ReplacedCall {
  std::string caller;
  Texts callees;
  Counts calls{};  ///< by which the sides differ, of each callee
  Rates price{};
};

/// What one side alone was built with, by the lines on which its functions cost more.
enum class BuildGuess {
  kNone,
  kAssertions,       ///< code on lines that the other side does not run, in many functions
  kStackProtection,  ///< more on the first and last lines of functions
  kNoOptimisation,   ///< many functions that the other side has inlined
};

/// An object with other options, compiler or version.
struct Rebuilt {
  std::string object, producers;
  BuildGuess guess = BuildGuess::kNone;
  bool guess_in_head = true;
  std::array<size_t, 2> alone{};
  size_t common = 0, changed = 0;
};

struct LinkTime {
  std::string object;
  bool in_head = true;
  size_t functions = 0;
};

/// A function with all below it; the largest of its parts leads Cause::inside.
struct CostPlace {
  std::string function;
  bool in_every_part = false;
  int64_t calls = 0;  ///< as many on both sides
  Counts inclusive{};
  Texts callees;          ///< called on that side alone, the one that changed most, where its parts cancel; empty: none
  int64_t elsewhere = 0;  ///< of its change, what other causes say
};

/// What is folded into one line: the largest of Cause::inside leads it.
struct Group {};

struct Process {
  std::string key;
  bool in_head = true;
};

/// What rounding leaves.
struct Rest {};

/// A change that is not explained, and why.
struct Said {
  std::string text;
};

// Rows of a table (report/cause_rows.h): causes that are shown as one.

/// Calls by one function, of those in Cause::inside.
struct AlikeCalls {};

/// The same, of those that one side alone makes, and of loops that it alone enters.
struct OneSidedCalls {};

struct SmallerCauses {
  std::string place;
};

// Inside a function. `times` are executions, iterations or entries, whatever the figure is per.

enum class Turn { kIteration, kRun };  ///< run: of a statement

/// Whose doing it is: what the rate is per.
struct Doer {
  enum class Kind { kFunction, kRun, kIteration, kLoop, kLastTest, kCode } kind = Kind::kFunction;
  std::string function;
  bool has_loops = false;  ///< of the function: what is outside of them is meant
  LoopName loop;
  std::string place;  ///< of the code
};

/// Where control goes.
struct Target {
  bool is_loop = false;
  std::string place;  ///< "loop at scan.c:9-11", "scan.c:9"
  uint64_t line = 0;  ///< in the function's own file; 0: `place` says it
};

struct TurnCost {
  Turn turn = Turn::kIteration;
  LoopName loop;
  Rates cost{}, times{};
};

struct CodeCost {
  std::string place, function;
  Rates cost{}, times{};
};

struct BodyCost {
  std::string function;
  bool has_loops = false;
  bool in_total = false;
  Rates cost{}, calls{};
};

/// A part of the self cost of a body or of an iteration: an inlined function's, or what is left.
struct PartCost {
  std::string function;
  std::string inlined;  ///< empty for what is left
  uint64_t call_line = 0;
  bool is_body = true;
  bool has_loops = false;
  bool in_total = false;
  Turn turn = Turn::kIteration;
  LoopName loop;
  Rates cost{}, times{};
};

struct LastTest {
  LoopName loop;
  Rates cost{}, entries{};
};

struct Reshaped {
  LoopName loop;
  Rates cost{}, entries{};    ///< cost: per entry
  Rates iterations{}, own{};  ///< per entry, and the cost of one
};

struct ReachedCode {
  std::string place, function;
  bool in_total = false;
  Rates times{};
};

struct Iterations {
  LoopName loop;
  bool dispatches = false;
  Rates per_entry{}, entries{};
};

struct InsideCalls {
  Doer doer;
  bool in_total = false;
  std::string callee;
  AllocatorEntry entry = AllocatorEntry::kNone;
  Rates rate{};
  Counts calls{};
};

struct LoopEntry {
  Doer doer;
  bool in_total = false;
  std::string loop, inlined;  ///< inlined: the inlined function around the loop
  uint64_t inlined_line = 0;
  Rates rate{};
  Counts entries{};
};

struct LeftTo {
  LoopName loop;
  Target target;
  Rates rate{};
};

struct Branch {
  std::string place, function, loop;  ///< loop: the one that it is in; empty: none
  Target target;
  bool stays_on_line = false;  ///< the target is on the branch's own line, and says nothing
  Rates rate{}, times{};
};

struct Begins {
  Doer doer;
  Target target;
  Rates rate{};
};

struct CallsThere {
  std::string callee;
  int64_t more = 0;
};

struct SelfCostThere {};

}  // namespace icount::fact

namespace icount {

using AnyFact =
    std::variant<std::monostate, fact::SelfCost, fact::MemberCost, fact::TotalCost, fact::OwnAllocations, fact::Calls,
                 fact::CallsOnBehalf, fact::Entries, fact::Renamed, fact::Inlined, fact::SharedInlining,
                 fact::CallsSaved, fact::SavedCallsApart, fact::AllocatorReplaced, fact::ContainerReplaced,
                 fact::DeeperRecursion, fact::LongerWork, fact::LongerLoop, fact::GrownRecursion, fact::GrownCycle,
                 fact::SharedCallee, fact::ReplacedCall, fact::Rebuilt, fact::LinkTime, fact::CostPlace, fact::Group,
                 fact::Process, fact::Rest, fact::Said, fact::AlikeCalls, fact::OneSidedCalls, fact::SmallerCauses,
                 fact::TurnCost, fact::CodeCost, fact::BodyCost, fact::PartCost, fact::LastTest, fact::Reshaped,
                 fact::ReachedCode, fact::Iterations, fact::InsideCalls, fact::LoopEntry, fact::LeftTo, fact::Branch,
                 fact::Begins, fact::CallsThere, fact::SelfCostThere>;

/// What a cause says. One of some forty structs: what copies, moves and ends it is compiled once, not in each file that
/// has a Cause (half of the time that explain took to compile).
struct CauseFacts : AnyFact {
  using AnyFact::AnyFact;
  CauseFacts() noexcept;
  CauseFacts(const CauseFacts& other);
  CauseFacts(CauseFacts&& other) noexcept;
  CauseFacts& operator=(const CauseFacts& other);
  CauseFacts& operator=(CauseFacts&& other) noexcept;
  ~CauseFacts();
};

}  // namespace icount
