// Which rows a table of causes has where not all of them are shown: single causes, calls by one function that differ in
// the callee alone as one row, and a large remainder by the place where it happens. All rows and the rest add up
// to the change. Reads explain/explain.h; rendered by explanation_document and benchmark_json.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "icount/explain/explain.h"

namespace icount {

/// Most causes shown unless more are asked for: what one looks at.
inline constexpr size_t kUsualCauses = 12;

/// A remainder: groups by cycle, source file or library, by magnitude, and what is in none of them.
struct PlaceGroups {
  std::vector<Cause> groups;  ///< CauseKind::kGroup, the causes in `inside`; a single cause as it is
  size_t smaller = 0;         ///< causes that are in no group
  int64_t smaller_delta = 0;  ///< what those come to
};

/// A row is a cause, or calls by one function (CauseKind::kGroup with a caller, the causes in `inside`): that cost more
/// or less, or that one side alone makes.
struct CauseRows {
  std::vector<Cause> rows;  ///< by magnitude, but the largest cause first
  size_t causes = 0;        ///< in all rows, those that are not shown too
  size_t shown = 0;         ///< how many of `rows` are shown; the others are told by `rest`
  size_t causes_shown = 0;  ///< causes in them
  PlaceGroups rest;
};

/// Causes that a row stands for: one, or the joined calls.
size_t causes_in(const Cause& row);

struct CauseRowLimits {
  size_t rows = 0;         ///< rows to show; 0: until 95 % of the gross change is covered, at most kUsualCauses
  bool all = false;        ///< every cause, none of them joined
  bool group_rest = true;  ///< else what is not shown is one sum, however large
};

/// How many causes stand before functions that were only renamed; causes are sorted by magnitude.
size_t causes_that_count(const Explanation& explanation);

/// The groups that bring what is left of `causes` to a third of `delta`, eight at most; by libraries alone where so
/// many files do not suffice. No group where that is so already.
PlaceGroups group_by_place(std::span<const Cause> causes, int64_t delta);

/// Calls that one side alone makes are one row where their caller is the same, and with loops that one side alone
/// enters where those of base and those of head take each other's place in one function. Calls are
/// joined where five rows or more would say that calls by one function cost more, or that they cost less; those half as
/// large as the largest cause stay. A remainder of more than a third of the change is grouped.
CauseRows choose_cause_rows(const Explanation& explanation, const CauseRowLimits& limits);

}  // namespace icount
