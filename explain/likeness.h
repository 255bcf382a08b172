// How much two functions of different names have in common, as a score and in words. The judgement behind
// explain/match_evidence.h.
#pragma once

#include <string>

#include "icount/explain/function_traits.h"
#include "icount/explain/line_shifts.h"
#include "icount/explain/pairing.h"

namespace icount {

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
  bool does_other_work = false;    ///< most of what each calls, by cost, is nothing that the other calls

  /// Enough to call two functions one: a like name, or else everything around them the same. Never when they do other
  /// work, nor under another name against what the lines say.
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

}  // namespace icount
