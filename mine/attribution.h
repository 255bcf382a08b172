// What part of a change is a commit's: every hunk of its diff with what it did and whether it was executed, hunks that
// can't be judged apart as one unit, and what is outside of the diff by its reason. Units and what is outside add up to
// the change. Reads explain/placed_change.h; rendered by report/mine_document.h and report/mine_json.h.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "icount/explain/placed_change.h"
#include "icount/mine/diff_hunks.h"
#include "icount/mine/source_counts.h"

namespace icount {

/// Two commits, or a patch.
struct CommitSources {
  std::string base_name, head_name;  ///< as the user knows them
  Diff diff;
  /// The text of a file of a side's commit, by the diff's path; nothing where it is not at hand.
  std::function<std::optional<std::string>(size_t side, const std::string& path)> text;
  /// Told of files whose text may be asked for, so that these come together. Empty: one comes at a time.
  std::function<void(size_t side, const std::vector<std::string>& paths)> expect;
  /// Whether that file is there, without reading it. Empty: only the diff's files are known.
  std::function<bool(size_t side, const std::string& path)> has;
  /// Those of `words` that stand in any source of a side's commit. Empty: only the diff's files are known.
  std::function<std::set<std::string>(size_t side, const std::set<std::string>& words)> find_words;
  std::optional<std::array<SourceCounts, 2>> counts;  ///< of --source-counts
  std::array<std::vector<std::string>, 2> roots;      ///< folders that the sides' paths are below, where that is known
  bool has_uncommitted = false;                       ///< head is the working tree, with changes that are in no commit
};

/// What kind of text a hunk changes.
enum class HunkText {
  kCode,
  kComment,    ///< comments and blanks alone
  kMoved,      ///< text that stands elsewhere now, unchanged
  kOtherFile,  ///< no source, or a submodule, or binary
};
std::string_view to_text(HunkText text);

/// Why a part of the change is a hunk's. The first that holds.
enum class HunkShare {
  kChangedLines,
  kCallsFromChangedLines,
  kChangedMacro,        ///< of a line that uses the macro
  kChangedHead,         ///< of a line that names a function whose head changed: its parameters, or what it returns
  kSameFunction,        ///< of an unchanged line of a changed function, or of a changed type
  kInlinedInto,         ///< of code inlined into a changed function
  kChangedType,         ///< of a function that has the changed type in its name: a member, or made for it
  kCallMadeOrInlined,   ///< of calls of a changed function that one side alone makes, and of what takes their place
  kChangedData,         ///< of a function that names a variable whose initial value changed, or that such a one calls:
                        ///< it does other work
  kChangedCodeInlined,  ///< of other code of a function that changed code was inlined into
  kOtherWork,  ///< of unchanged code that does other work: a changed function calls it, or nothing else can act
};
inline constexpr size_t kHunkShares = 11;
std::string_view to_text(HunkShare share);

/// Why a part of the change is no hunk's.
enum class OutsideReason {
  kCompiledDifferently,  ///< other instructions of the same text
  kOtherWork,            ///< the same instructions, executed more or less often
  kLibrary,
  kEntries,
  kUnknown,  ///< of functions without addresses, or of rounding
};
inline constexpr size_t kOutsideReasons = 5;
std::string_view to_text(OutsideReason reason);

struct MineHunk {
  std::string old_path, path;  ///< path: head's, or base's where head has none
  LineRange old_lines, new_lines;
  HunkText text = HunkText::kCode;
  std::string function;                              ///< around it; empty: none, or not known
  std::string macro, type, data;                     ///< that it defines, or a part
  uint64_t lines_with_code = 0, lines_executed = 0;  ///< on the side that has more of them executed
  bool is_executed = false;         ///< by source counts, where they have its lines; else by its instructions
  bool may_act_unexecuted = false;  ///< of code: it is not in bodies of functions alone
  uint32_t git_hunk = 0;            ///< the number of the hunk that git shows it in, with three lines of context
  /// Of its line that ran most, in all functions that have it; empty: not known, as all its code is inlined from
  /// others.
  std::array<std::optional<int64_t>, 2> executions{};
  std::array<std::optional<int64_t>, 2> source_executions{};  ///< with source counts: of its line that ran most
  uint32_t unit = 0;                                          ///< index into Mine::units; only of code
  int64_t delta = 0;

  std::array<std::vector<std::string>, 2> source;  ///< its lines, of code

  /// To name it by: head's with most of the change, else its first that is executed, or of code; base's where head has
  /// none.
  uint64_t line = 0;
  bool is_line_of_base = false;
};

/// What builds of base with a unit's hunks alone, and of head without, came to.
struct UnitProof {
  std::optional<int64_t> alone;         ///< base with them, less base
  std::optional<int64_t> after_others;  ///< head, less head without them
  std::string why_not;                  ///< the first that was not counted, and why; empty: both were
};

/// Hunks that are judged together, those with the largest parts first.
struct MineUnit {
  std::vector<uint32_t> hunks;
  int64_t delta = 0;
  std::array<int64_t, kHunkShares> shares{};  ///< by HunkShare; they add up to delta
  bool is_executed = false;
  bool tells_hunks_apart = false;  ///< its hunks' parts may be shown one by one
  std::optional<UnitProof> proof;  ///< with --prove
};

struct OutsideFunction {
  std::string function;
  OutsideReason reason = OutsideReason::kUnknown;
  int64_t delta = 0;
};

struct MineOutside {
  int64_t delta = 0;
  std::array<int64_t, kOutsideReasons> reasons{};  ///< they add up to delta
  std::vector<OutsideFunction> functions;          ///< by magnitude, then name; they add up to delta
};

/// An unchanged line that one side runs more often.
struct OtherLine {
  std::string path;
  uint64_t line = 0;  ///< head's
  std::array<int64_t, 2> executions{};
  int64_t delta = 0;  ///< of its self cost
};

/// What source counts say of the lines that no hunk changed. Their self cost changed by both deltas: by what runs more
/// or less often, and by what one execution costs.
struct MineControl {
  int64_t lines_equal = 0, lines_other = 0;  ///< by executions and branches
  std::vector<OtherLine> lines;              ///< the other ones, by magnitude, then path and line
  int64_t executions_delta = 0, code_delta = 0;
};

/// What a function's own cost, its calls of another or its entries from outside gave to a hunk or to a reason.
struct MineTerm {
  PlacedShare::Of of = PlacedShare::Of::kOwnCost;
  std::string function, callee;  ///< callee: of calls
  uint32_t hunk = 0;             ///< index into Mine::hunks; kNoUnit: outside
  size_t why = 0;                ///< HunkShare, or OutsideReason outside
  long double value = 0;
};

inline constexpr uint32_t kNoUnit = ~uint32_t{0};

/// Executed lines of a side in files of the diff, and those that its commit has no code on: blank, comments, or behind
/// the end. Debug information names none of these, unless it is of other sources.
struct LineFit {
  int64_t lines = 0, misfits = 0;
  std::string path;  ///< of the first that does not fit
  uint64_t line = 0;

  bool is_other_source() const { return misfits * 20 > lines; }
};

/// What an earlier commit that executed none of its lines did to the same count (gate/past_moves.h).
struct PastMove {
  std::string commit;
  int64_t base_count = 0, delta = 0;
};

struct Mine {
  std::string base_name, head_name;
  bool has_uncommitted = false;
  std::vector<MineHunk> hunks;  ///< as in the diff
  std::vector<MineUnit> units;  ///< of hunks with code: by magnitude, executed ones first, then by first hunk
  MineOutside outside;
  std::optional<MineControl> control;    ///< with source counts
  std::optional<int64_t> interaction;    ///< what units proved alone don't add up to; where all are proved alone
  std::optional<PastMove> past;          ///< where no hunk is executed: the largest on record
  std::vector<MineTerm> terms;           ///< by function; they add up to the change, but for rounding
  int64_t delta = 0;                     ///< the whole change
  std::array<LineFit, 2> fit;            ///< by side
  std::vector<std::string> other_files;  ///< of the diff, that are no sources: build files, data; each once
  bool knows_lines = true;               ///< false: the profiles have no lines, and nothing is any hunk's
  bool knows_inlined = true;             ///< false: of some code lines alone are known, not the calls around them
  bool files_are_found = true;           ///< false: no file of the profiles is one of the repository
  bool counts_a_part = false;  ///< of what ran: without the set-up of a statement, say; or not known to be all
};

/// Whether all lines and inlined calls are known, and no hunk of code is executed.
bool executes_none(const Mine& mine);

/// Whether nothing but the compiler moved the count: no hunk is executed, none acts without that, and no unchanged code
/// does other work.
bool is_compilers_alone(const Mine& mine);

/// What is known of the two runs beside what they cost.
struct RunFacts {
  bool counts_a_part = false;   ///< Mine::counts_a_part
  bool has_same_input = false;  ///< the same statement or arguments: what does other work does it through the diff
};

/// `delta`: the whole change; what the shares don't add up to is outside. Swapping base and head (and the diff) changes
/// signs alone.
Mine attribute_change(const PlacedChange& change, const CommitSources& commits, int64_t delta, RunFacts runs = {});

}  // namespace icount
