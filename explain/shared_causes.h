// Causes that several benchmarks have in common: one change in a library moves dozens of benchmarks, and the reader
// wants it once. Works on the explanations of all benchmarks of a comparison (explain/explain.h); rendered by report/
// and cli/.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/explain/explain.h"

namespace icount {

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
