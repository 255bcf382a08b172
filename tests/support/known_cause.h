// Pairs of profiles with a known cause (cause.json; tests/testdata/pairs/README.md), and how near an explanation comes
// to it. Judges the fields of the JSON form (kind, function, caller, callee, delta), never the sentences; used by
// tests/e2e/known_causes_test.cc and, through tests/perf/explain_quality.cc, by scripts/bench explain.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "icount/base/json.h"

namespace icount {

/// One answer that is right as the first cause. Exactly one of function, caller with callee, whole and nothing is set.
struct RightAnswer {
  std::string function;            ///< named by a cause of its own, or a headed sum of all its callers
  std::string caller, callee;      ///< an edge
  bool whole = false;              ///< one sum of many members that names no function (other optimisation flags)
  std::optional<int64_t> nothing;  ///< right is only that no cause exceeds this
  int64_t delta = 0;               ///< true change; a cause within 10 % of it is right
};

/// A call with the change of its inclusive cost as recorded.
struct KnownEdge {
  std::string caller, callee;
  int64_t delta = 0;
};

struct KnownCause {
  std::string name;  ///< FOLDER/PAIR
  std::filesystem::path base, head;
  std::vector<RightAnswer> right;
  std::vector<KnownEdge> edges;         ///< calls that only one side makes
  std::optional<KnownEdge> both_sides;  ///< the first of `right`, where it is a call that both sides make
};

/// What an explanation is worth.
struct Judgement {
  size_t place = 0;   ///< 1: the first cause is right; 2 or 3: that cause is; 0: none of these
  std::string first;  ///< the first cause in few words, empty without one
  std::vector<double>
      edge_errors;               ///< per one-sided edge: |printed - recorded| / |recorded|; 1 where it is not printed
  size_t edges_not_printed = 0;  ///< told by the calls that lead to them, or of a function with another name
  std::optional<double> both_sides_error;  ///< the same for KnownCause::both_sides: its calls and their price together
  double gross = 0;                        ///< sum of magnitudes over |change|; 0 when nothing changed
  bool sum_exact = false;                  ///< causes add up to the change, and members to their cause
};

/// Pairs in folders of a root: ROOT/FOLDER/PAIR/{base,head}, plain or .xz. ROOT is $ICOUNT_PAIRS, else where the build
/// unpacked tests/testdata/pairs/profiles.tar.xz.
std::filesystem::path known_cause_root();

/// The folders of `root` that hold pairs, by name. Error{kIo} when there is none.
std::vector<std::string> known_cause_folders(const std::filesystem::path& root);

/// Every pair of ROOT/FOLDER, by name. A pair without cause.json takes that of the same name in another folder of ROOT.
std::vector<KnownCause> load_known_causes(const std::filesystem::path& root, const std::string& folder);

/// The names in ROOT/right_first.txt, one per line: FOLDER/PAIR whose right cause must stay first. `#` starts a
/// comment. None where there is no such file: a set that is judged for the first time.
std::set<std::string> load_right_first(const std::filesystem::path& root);

/// A pair whose profiles have been read.
class LoadedPair {
 public:
  explicit LoadedPair(const KnownCause& known);
  ~LoadedPair();
  /// What `icount diff --format json` says of the pair, or of its sides swapped, by a call of what the command calls.
  Json explain(bool swapped = false) const;

 private:
  struct Sides;
  std::unique_ptr<Sides> sides_;
};

/// The same by running the program ICOUNT. Error{kTool} when it fails.
Json explanation_by(const std::string& icount, const KnownCause& known, bool swapped = false);

/// `explanation` is of sides that are not swapped.
Judgement judge(const Json& explanation, const KnownCause& known);

/// Whether the second is the first with every sign changed, in the same order.
bool is_antisymmetric(const Json& there, const Json& back);

/// Without recursion level, clone suffixes and symbol version, and the first member's name for a cycle; a C library
/// routine for each of its variants, of which the machine that counts decides.
std::string name_to_judge_by(std::string_view name);

}  // namespace icount
