// How a parameter's values are spread: uniform, uniform in the logarithm, or a table of values with
// probabilities. A value type checked at construction; drawing from it cannot fail. fuzzer/parameter.h gives
// it a name.
#pragma once

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "icount/fuzzer/parameter_value.h"
#include "icount/fuzzer/random_state.h"

namespace icount {

/// Which rules a fuzzer follows; docs/fuzzer.md lists where the two part.
enum class FuzzMode {
  kCompatible,  ///< sample for sample what torch.utils.benchmark draws, its defects included
  kCorrected    ///< the defects mended, samples addressed by index
};

/// "compatible", "corrected".
std::string_view to_text(FuzzMode mode);
/// Error{kUsage} naming both for any other text.
FuzzMode parse_fuzz_mode(std::string_view text);

/// 1 and 1.0 differ: an integer distribution needs two integers.
using Bound = std::variant<int64_t, double>;

/// A probability table's tolerance, numpy's own: what is accepted here can be drawn (PyTorch accepts
/// 1e-5 and fails later).
inline constexpr double kTableTolerance = 1.4901161193847656e-08;

class Distribution {
 public:
  enum class Kind { kUniform, kLogUniform, kTable };
  using Entry = std::pair<ParameterValue, double>;

  /// Two integers: each integer from `low` to `high`, ends included. Otherwise a number in [low, high).
  /// Error{kUsage} when the bounds are crossed or not finite.
  static Distribution uniform(Bound low, Bound high);
  /// Integers, equally likely in equal ratios. Compatible: the truncated 2^u with u in [log2 low, log2 high),
  /// held within the bounds, where a bound that is no integer comes back as it is. Corrected: floor(2^u) with
  /// u in [log2 first, log2(last + 1)), so that `last` can come; first and last are the integers within the
  /// bounds. Error{kUsage} unless 0 < low <= high < 2^62 with an integer between them (kCorrected only needs
  /// it; asked of both).
  static Distribution log_uniform(Bound low, Bound high);
  /// Values in order with probabilities. Error{kUsage}: no entry, a probability that is negative or no
  /// number, a sum off 1 by more than kTableTolerance, a value that stands twice.
  static Distribution table(std::vector<Entry> entries);

  Kind kind() const { return kind_; }
  const Bound& low() const { return low_; }
  const Bound& high() const { return high_; }
  const std::vector<Entry>& entries() const { return entries_; }

  /// One value; an alias comes unresolved. Stores into `value`, so that a caller may keep its storage.
  void draw(RandomState& state, FuzzMode mode, ParameterValue& value) const;

 private:
  Distribution(Kind kind, Bound low, Bound high);
  ParameterValue draw_log_uniform(RandomState& state, FuzzMode mode) const;

  Kind kind_;
  Bound low_, high_;
  std::vector<Entry> entries_;
  std::vector<double> cumulative_;
  double log_low_ = 0, log_high_ = 0;         // compatible
  double log_first_ = 0, log_past_last_ = 0;  // corrected
  int64_t first_ = 0, last_ = 0;
};

}  // namespace icount
