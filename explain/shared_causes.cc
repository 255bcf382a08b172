#include "icount/explain/shared_causes.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <tuple>

#include "icount/base/checked.h"
#include "icount/callgraph/symbol_name.h"

namespace icount {
namespace {

using CauseKey = std::tuple<CauseKind, std::string, std::string, std::string>;

/// Addresses differ between builds and mean nothing to a reader: all code without symbols is one function here.
std::string shared_name(const std::string& name) { return is_address_name(name) ? std::string(kNoSymbols) : name; }

CauseKey key_of(const Cause& cause) {
  return {cause.kind, shared_name(cause.function), shared_name(cause.caller), shared_name(cause.callee)};
}

bool is_fold(const CauseKey& key) {
  return std::get<1>(key) == kNoSymbols || std::get<2>(key) == kNoSymbols || std::get<3>(key) == kNoSymbols;
}

/// "Code without symbols calling code without symbols" is nowhere in particular.
bool is_nowhere(const SharedCause& cause) { return cause.caller == kNoSymbols && cause.callee == kNoSymbols; }

int64_t magnitude(int64_t value) { return value == INT64_MIN ? INT64_MAX : std::abs(value); }

/// What one cause does in one benchmark; two lines of one name (functions of two objects) are one.
struct Effect {
  int64_t delta = 0;
  std::optional<double> change_per_call;
  bool seen = false;
};

bool nearly_equal(double a, double b) {
  constexpr double kTolerance = 0.005;  // figures are shown to half a percent
  return std::abs(a - b) <= kTolerance * std::max({std::abs(a), std::abs(b), 1.0});
}

/// What others share is in the causes below a place, which is another one in each benchmark.
void add_effects(const std::vector<Cause>& causes, std::map<CauseKey, Effect>& effects) {
  for (const Cause& cause : causes) {
    if (cause.kind == CauseKind::kRest || cause.within_noise) continue;
    if (cause.kind == CauseKind::kPlace) {
      add_effects(cause.inside, effects);
      continue;
    }
    const CauseKey key = key_of(cause);
    Effect& effect = effects[key];
    effect.delta = saturating_add(effect.delta, cause.delta);
    // Calls of different functions are not one figure.
    effect.change_per_call = effect.seen || is_fold(key) ? std::nullopt : cause.change_per_call;
    effect.seen = true;
  }
}

std::map<CauseKey, Effect> effects_of(const Explanation& explanation) {
  std::map<CauseKey, Effect> effects;
  add_effects(explanation.causes, effects);
  return effects;
}

/// Adds up one cause over the benchmarks.
struct Sum {
  SharedCause cause;
  double aligned = 0;  ///< contribution in the direction of each benchmark's change
  bool per_call_agrees = true;

  void add(size_t benchmark, const Effect& effect, int64_t change) {
    if (cause.benchmarks.empty()) {
      cause.change_per_call = effect.change_per_call;
    } else if (!cause.change_per_call || !effect.change_per_call ||
               !nearly_equal(*cause.change_per_call, *effect.change_per_call)) {
      per_call_agrees = false;
    }
    cause.benchmarks.push_back(benchmark);
    cause.delta = saturating_add(cause.delta, effect.delta);
    int64_t& part = effect.delta > 0 ? cause.raised : cause.lowered;
    part = saturating_add(part, effect.delta);
    ++(effect.delta > 0 ? cause.raised_in : cause.lowered_in);
    const bool same_direction = (effect.delta > 0) == (change > 0) && change != 0;
    const double size = std::abs(static_cast<double>(effect.delta));
    if (change != 0) aligned += same_direction ? size : -size;
    cause.opposes = cause.opposes || (change != 0 && !same_direction);
    if (same_direction && 2 * size >= std::abs(static_cast<double>(change))) ++cause.explains;
  }
};

}  // namespace

SharedCauses find_shared_causes(std::span<const Explanation* const> explanations) {
  SharedCauses result;
  result.compared = explanations.size();
  std::map<CauseKey, Sum> sums;
  for (size_t i = 0; i < explanations.size(); ++i) {
    const int64_t change = explanations[i]->delta;
    if (change != 0) ++result.changed;
    result.net = saturating_add(result.net, change);
    result.gross = saturating_add(result.gross, magnitude(change));
    for (const auto& [key, effect] : effects_of(*explanations[i])) {
      if (effect.delta == 0) continue;
      Sum& sum = sums[key];
      std::tie(sum.cause.kind, sum.cause.function, sum.cause.caller, sum.cause.callee) = key;
      sum.add(i, effect, change);
    }
  }
  for (auto& [key, sum] : sums) {
    if (sum.cause.benchmarks.size() < 2 || is_nowhere(sum.cause)) continue;
    if (!sum.per_call_agrees) sum.cause.change_per_call = std::nullopt;
    sum.cause.share = result.gross == 0 ? 0 : sum.aligned / static_cast<double>(result.gross);
    result.causes.push_back(std::move(sum.cause));
  }
  // `sums` is ordered by key, so that the stable sort is a total order.
  std::stable_sort(result.causes.begin(), result.causes.end(), [](const SharedCause& a, const SharedCause& b) {
    if ((a.explains > 0) != (b.explains > 0)) return a.explains > 0;
    if (a.share != b.share) return a.share > b.share;
    return a.benchmarks.size() > b.benchmarks.size();
  });
  return result;
}

}  // namespace icount
