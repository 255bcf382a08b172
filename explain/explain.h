// The explaining diff: which causes, exactly, add up to the change between two cost graphs. Method and worked figures:
// docs/explaining_diff.md. Reads callgraph/cost_graph.h; rendered by report/explanation_document and _json.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "icount/callgraph/cost_graph.h"
#include "icount/explain/cause_facts.h"
#include "icount/explain/explanation_notes.h"
#include "icount/explain/function_listing.h"
#include "icount/explain/same_lines.h"

namespace icount {

struct PlacedChange;  // explain/placed_change.h

/// What kind of cause a line of the explanation is; to_text gives the names used in JSON (own-cost, calls, ...).
enum class CauseKind {
  kOwnCost,        ///< one call of the function itself costs more or less
  kCalls,          ///< caller calls callee more or fewer times per call; carries the worth of all below callee
  kEntry,          ///< the function is entered from outside the profile more or less often
  kInlined,        ///< callee is now inlined into caller, or no longer; own cost and edge joined
  kIterations,     ///< a loop of the function iterates more or fewer times per entry
  kIterationCost,  ///< one iteration of a loop costs more or less
  kLoopEntry,      ///< a loop is entered more or less often
  kBranch,         ///< control goes another way more or less often
  kReshaped,       ///< a loop was unrolled, vectorised and the like: told per entry
  kRenamed,        ///< matched by evidence, not by name; its delta is that of the figures under both names
  kCluster,        ///< a recursive cluster taken as one node
  kGroup,          ///< causes inside a noise group (allocator, loader, libc strings, ...) folded into one line
  kProcess,        ///< a whole process that only one side has (explain/shared_causes.h)
  kPlace,          ///< a change that no cause leads, by the function that has it with all below; causes in `inside`
  kSum,            ///< what many share: a callee of many callers, a loop that runs longer, an object built differently
  kRest,           ///< what only follows from rounding or can't be attributed; 0 in the ordinary case
};
std::string_view to_text(CauseKind kind);

/// A loop in a cause. Lines are those of its branches and call sites, 0 where none is known; the address is head's, or
/// base's where head has no such loop.
struct CauseLoop {
  std::string file;
  uint64_t first_line = 0, last_line = 0;
  uint64_t address = 0;
  int depth = 1;  ///< 1 for an outermost loop
};

/// What a source line costs: per call or per iteration, or in total, as the cause's own figures.
struct CauseLine {
  std::string file;  ///< without folders
  uint64_t line = 0;
  double base = 0, head = 0;
  std::string inlined;  ///< the inlined function that the line's code belongs to; empty: none, or not known
  std::string text;     ///< of the source, where it was found (inputs/listing_sources.h)
  // Where both sides' lines were paired by what they cost alone:
  std::string base_file;   ///< as the profile has it
  uint64_t base_line = 0;  ///< 0: they are one for certain, or the line is of one side
  bool is_certain = true;  ///< false: they may be two; no source has told yet
};

/// An inlined function, by its object's debug information.
struct CauseInlined {
  std::string name;
  std::string file;   ///< of its declaration, without folders
  uint64_t line = 0;  ///< 0: unknown
};

struct Cause;

/// What is said beside a cause's facts, in this order.
struct Remark {
  enum class Kind {
    kInlined,    ///< the calls are in `inlined`, inside the caller
    kWithCalls,  ///< it is `delta`, and the function's calls are included, `other_delta`
    kLeading,    ///< `causes` has what leads inside
    kOfWhich,    ///< `causes` has the calls that are most of it, or much of it each
  };
  Kind kind = Kind::kLeading;
  CauseInlined inlined{};
  int64_t delta = 0, other_delta = 0;
  std::vector<Cause> causes;  ///< without their insides
};

/// One cause. `delta` is a whole number of the event; all causes of an Explanation add up to its delta.
struct Cause {
  CauseKind kind = CauseKind::kOwnCost;
  std::string function;  ///< own-cost, entry, renamed, cluster, group, place; process: its key
  std::string caller;    ///< calls, inlined; of a place, who calls it
  std::string callee;    ///< calls, inlined; of a place, itself
  int64_t delta = 0;
  std::string file;   ///< of the function (of a call: of the caller), as the profile has it; empty: not known
  uint64_t line = 0;  ///< the line that carries most of a change of self cost, else where the function begins
  bool is_line_of_base = false;  ///< head has no such line
  std::string object;            ///< of the function (of a call: of the caller); empty: not known, or of several
  std::string cycle;             ///< "cycle of eval and 6 more" where it happens in one that is taken as one node
  CauseFacts facts;              ///< what it says: report/cause_sentence.h makes a sentence of it
  std::vector<Remark> remarks;
  bool within_noise = false;  ///< |delta| does not exceed what repeats of one side differ by
  std::vector<Cause> inside;  ///< members of a group or an opened cluster; they add up to delta
  /// own-cost: change of the function's own cost per call; calls: change of the calls of the callee per call of the
  /// caller. Set where both sides have calls to count by; what benchmarks with one cause in common agree in.
  std::optional<double> change_per_call;
  std::vector<CauseLine> lines;  ///< of self cost: that changed, the most first
  // Of causes inside a function (docs/inside_functions.md):
  std::optional<CauseLoop> loop;
  std::optional<std::array<int64_t, 2>> entries;     ///< of the loop, base and head
  std::optional<std::array<int64_t, 2>> iterations;  ///< of the loop in all, base and head
  std::optional<CauseInlined> inlined;               ///< the code is of this function, inlined into `function`
};

/// That `about`, without its inside, leads or is most of another cause.
Remark remark_on(Remark::Kind kind, const Cause& about);

/// Self cost of one matched function on both sides, recursion levels and clones folded.
struct FunctionChange {
  std::string name, file, object;  ///< head's, or base's where head has none
  std::string base_name;           ///< set when matched under another name
  int64_t base = 0;
  int64_t head = 0;
  int64_t delta = 0;
};

/// Change of inclusive cost of one edge; only filled when call counts can't be trusted (shown, but no causes).
struct EdgeChange {
  std::string caller, callee;
  int64_t base = 0;
  int64_t head = 0;
  int64_t delta = 0;
};

/// The files that ran, as far as both sides have their identities (callgraph/function_code.h): where the program is
/// the same file, no change of its code made the difference.
struct RanFiles {
  enum class Program : uint8_t { kNotKnown, kSame, kOther } program = Program::kNotKnown;
  std::vector<std::string> other_libraries;  ///< of which the sides had different builds, without folders
};

struct Explanation {
  std::string event;
  int64_t base_total = 0;
  int64_t head_total = 0;
  int64_t delta = 0;  ///< head_total - base_total = sum over causes
  /// By magnitude, then total order; every one, never cut. A noise group gives way to a cause half as large.
  std::vector<Cause> causes;
  std::vector<FunctionChange> functions;  ///< every function with a change, by magnitude then name
  std::vector<EdgeChange> edges;
  int64_t renamed = 0;                    ///< functions matched by evidence
  bool renames_are_summed = false;        ///< a note tells of all renames in one line
  bool has_executions = false;            ///< both profiles say how often code runs inside functions
  std::vector<FunctionListing> listings;  ///< of ExplainOptions::list_functions and list_opened
  std::vector<ExplanationNote> notes;
  RanFiles files;
  std::shared_ptr<const PlacedChange> places;  ///< of ExplainOptions::with_places
};

enum class CallTrust { kDetect, kTrusted, kUntrusted };

struct ExplainOptions {
  std::string event;                     ///< empty: the first event that both sides have
  CallTrust calls = CallTrust::kDetect;  ///< --calls trusted|untrusted
  bool fold_groups = true;               ///< noise groups into one line each
  bool raw_names = false;                ///< --raw: names as they are, matched only when equal
  std::vector<std::string>
      open_clusters;           ///< functions whose recursive cluster is told by its inside, whatever it cancels
  bool open_functions = true;  ///< look into leading functions, where both graphs have CostGraph::code
  std::vector<std::string> list_functions;  ///< functions to list side by side
  bool list_opened = false;                 ///< also those that were looked into
  bool with_places = false;                 ///< share the change out among the lines of the source, too
  SameLines same_lines;                     ///< of the sides' sources
  int64_t noise = 0;                        ///< largest difference between repeats of one side, in the event
};

/// Error{kCannotJudge} when the graphs have no event in common, Error{kUsage} for an event that a side lacks and for a
/// name in open_clusters that is in no cluster or in list_functions that is no function. Swapping the arguments changes
/// the sign of every delta and nothing else.
Explanation explain(const CostGraph& base, const CostGraph& head, const ExplainOptions& options = {});

/// ICOUNT_CHECKs that causes add up to delta, insides to their cause, and that the orders are total. explain() calls
/// it.
void check_invariants(const Explanation& explanation);

}  // namespace icount
