// Explanations of several graphs at once: a program of several processes as one, and the causes that several benchmarks
// have in common (one change in a library moves dozens of them, and the reader wants it once). Rendered by report/.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/explain/explain.h"

namespace icount {

/// A process of one side. Keys are what the two sides' processes are matched by, unique on their side.
struct ProcessGraph {
  std::string key;
  const CostGraph* graph = nullptr;
};

/// As explain() of the sums of either side, where the sides ran the same processes. Otherwise a process of one side has
/// a cause of its kind and a row among the functions; its functions are in no other cause. Causes add up to the change.
/// Error as explain().
Explanation explain_processes(std::span<const ProcessGraph> base, std::span<const ProcessGraph> head,
                              const ExplainOptions& options);

/// Stands for every function without a symbol: addresses mean nothing across benchmarks and builds.
inline constexpr std::string_view kNoSymbols = "code without symbols";

/// One cause and where it acts.
struct SharedCause {
  CauseKind kind = CauseKind::kOwnCost;
  std::string function;  ///< as in Cause, or kNoSymbols
  std::string caller;
  std::string callee;
  std::vector<size_t> benchmarks;   ///< numbers of the explanations it occurs in, ascending
  int64_t explains = 0;             ///< in how many of them it is at least half of the change, in the same direction
  int64_t delta = 0;                ///< its sum over all of them
  double share = 0;                 ///< of the whole change, see SharedCauses::gross
  int64_t raised = 0, lowered = 0;  ///< sums of its positive and of its negative effects; delta is both
  size_t raised_in = 0, lowered_in = 0;  ///< in how many benchmarks
  bool opposes = false;  ///< in some benchmark it goes against the change, so that share is less than delta over gross
  std::optional<double> change_per_call;  ///< when it is the same everywhere
};

struct SharedCauses {
  size_t compared = 0;  ///< explanations given
  size_t changed = 0;   ///< of them with a change
  int64_t net = 0;      ///< sum of all changes
  int64_t gross = 0;    ///< sum of the changes' magnitudes; a benchmark that got better counts as one that got worse
  /// Every cause that occurs in two benchmarks or more, but for calls between functions without symbols. Those that are
  /// the main cause of some benchmark come first, then by share, what works against the changes last; a total order.
  std::vector<SharedCause> causes;
};

/// `share` of a cause is what it contributes in the direction of each benchmark's change, over `gross`; the shares of
/// all causes, shared or not, add up to 1. Causes within noise and the rest of rounding are left out. Near linear in
/// the number of causes. Sums saturate at int64.
SharedCauses find_shared_causes(std::span<const Explanation* const> explanations);

}  // namespace icount
