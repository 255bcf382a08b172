// What a function without a partner on the other side is compared by: words of its name, file and lines, callers and
// callees. Read from a folded graph; explain/match/likeness.h judges.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "icount/explain/match/folded_graph.h"
#include "icount/explain/match/match.h"

namespace icount {

/// A caller or callee with the calls between the two and what they cost with all below.
struct Neighbour {
  uint32_t function = 0;
  int64_t calls = 0, inclusive = 0;
  bool is_of_cycle = false;  ///< a callee that has no partner yet either and calls the caller, by itself or by others
};

/// What is compared of one function that has no partner yet. Names are hashes; 0 where there is none.
struct FunctionTraits {
  uint64_t numberless_name = 0;  ///< only of names that count lambdas
  uint64_t plain_name = 0, last_word = 0, file_name = 0;
  uint64_t last_two_words = 0;  ///< class and method: what a method of a frequent name is known by
  uint64_t owner = 0;           ///< of a lambda: the word of the function that it is written in
  bool is_frequent_word =
      false;  ///< open functions of other plain names on this side end with the same word (call, get)
  bool is_inlined_there =
      false;                    ///< the other side has inlined code of it: it went, or came, with a compiler's decision
  uint64_t line = 0;            ///< first line in its own file; 0 without lines
  std::string_view file;        ///< its file's name; empty where that is not known
  std::vector<uint64_t> words;  ///< identifiers of the name, sorted
  std::vector<uint64_t> arguments;  ///< template arguments in their order
  int64_t calls = 0;
  std::vector<Neighbour> callers, callees;
};
using TraitsByFunction = std::unordered_map<uint32_t, FunctionTraits>;

/// Traits of every open function of one side.
TraitsByFunction read_traits(const Pairing& pairing, size_t side);

// How much two functions of different names have in common, as a score and in words. The judgement behind
// explain/match/likeness.h.

/// The same number for a matched function on both sides, 0 for one that is open.
uint64_t shared_id(const Pairing& pairing, size_t side, uint32_t function);

/// Points by kind of evidence; their sum says whether two functions are one, their order which of several pairs is.
struct Likeness {
  double name = 0, place = 0, callers = 0, callees = 0, cost = 0, calls = 0;
  double score = 0;
  double arguments = 0;            ///< part of the template arguments that both have, 0 to 1
  bool contradicts_lines = false;  ///< it lies on lines to which the other one can't have moved
  bool is_another_lambda = false;  ///< lambdas of two functions
  bool matters = false;            ///< its self cost is not negligible in the whole
  bool is_inlined_there = false;   ///< of functions of two last words, one is inlined on the other side
  bool does_other_work = false;    ///< most of what each calls, by cost, is nothing that the other calls

  /// Enough to call two functions one: a like name, or else everything around them the same. Never when they do other
  /// work or one is inlined on the other side, nor under another name against what the lines say.
  bool convinces() const;
  /// Whether this pair is the better one of two that convince: name, then template arguments, then lines, then callees
  /// and figures.
  bool is_better_than(const Likeness& other) const;
  /// "same callers and callees, same cost per call"
  std::string words() const;
};

struct TraitsOf {
  uint32_t function = 0;
  const FunctionTraits* traits = nullptr;
};
/// `shifts` tells where lines lie on the other side.
Likeness compare(const Pairing& pairing, const LineShifts& shifts, TraitsOf base, TraitsOf head);

/// Of the functions that are matched already.
LineShifts find_line_shifts(const Pairing& pairing);

// Functions left over on both sides that are one function under two names: a namespace, a template argument, the number
// of a lambda changed. Found by evidence, which is kept in words. The last step of explain/match/match.h.

/// Pairs what has enough in common: name without its qualifiers or arguments, file and line, callers and callees that
/// are matched already, calls and cost per call. Candidates come from small buckets; every round builds on the pairs
/// before.
void match_by_evidence(Pairing& pairing);

}  // namespace icount
