// The explained difference of two profiles for people: totals, one sentence per cause with its delta, a closing line so
// that the column adds up. Value: explain/explain.h. Its machine form: explanation_json.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "icount/explain/explain.h"
#include "icount/mine/attribution.h"
#include "icount/mine/compiler_decisions.h"
#include "icount/mine/object_parts.h"
#include "icount/report/cause_rows.h"
#include "icount/report/document.h"

namespace icount {

/// The totals of one event on both sides.
struct EventTotals {
  std::string event;
  int64_t base = 0;
  int64_t head = 0;
};

/// What is said around the explanation.
struct ExplanationHeading {
  std::string base_name, head_name;       ///< empty: said elsewhere
  std::vector<EventTotals> events;        ///< every event that both sides have; the explained one among them
  std::vector<std::string> notes;         ///< said before the explanation's own notes
  std::string built = {};                 ///< by which compiler and how far optimised (describe_build); empty: unknown
  std::string allocations = {};           ///< how their number changed, below the change itself; empty: it did not
  bool allocations_are_few = false;       ///< beside the change: told with --all and in JSON
  std::string chance = {};                ///< by how much runs of one side differ, below that; empty: not known to
  std::shared_ptr<const Mine> mine = {};  ///< what the commits between the sides did, where these are known
  std::shared_ptr<const ObjectParts> objects = {};  ///< what the objects of both builds do, where that was asked for
  std::vector<CompilerDecision> decisions = {};     ///< that the compiler made otherwise, where its records are known
};

/// The heading without notes that were said for all benchmarks already.
ExplanationHeading without_notes(ExplanationHeading heading, const std::vector<std::string>& said);

struct ExplanationView {
  size_t top = 0;          ///< causes to show; 0: until 95 % of the gross change is covered, at most kUsualCauses
  bool all = false;        ///< every cause, the members of groups too
  bool functions = false;  ///< a table of self costs by function below
  bool raw = false;        ///< names as they are
};

/// "10 functions were renamed without a change in cost: `b::f` was `a::f` (...); ... and 7 more"; empty when there are
/// none and when the explanation's own notes sum them up.
std::string renames_note(const Explanation& explanation);

/// The largest cause in the direction of the change, with its place and what it comes to, in one sentence: what leads
/// inside of a function rather than the function, and one in a hunk that the heading knows rather than a larger one
/// elsewhere that need not be more than what follows from it. Names between backticks; empty without a cause.
std::string leading_sentence(const Explanation& explanation, const ExplanationHeading& heading);

/// The rows of the table of causes.
CauseRows rows_for_view(const Explanation& explanation, const ExplanationView& view);

/// "+17.56%"; "new" when base is 0 and head is not.
std::string change_percent(int64_t delta, int64_t base);

/// `width`: columns that names are shortened for; 0: they stay whole.
Document make_explanation_document(const Explanation& explanation, const ExplanationHeading& heading,
                                   const ExplanationView& view, size_t width);

}  // namespace icount
