// What a fuzzer draws from: values, how they are spread, named parameters (PyTorch's FuzzedParameter), and the
// constraints on them. A list of parameters, in draw order, is the first half of a fuzzer (fuzzer/fuzzer.h); tensors
// refer to their names.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "icount/fuzzer/random_state.h"

namespace icount {

// Products of sizes: a few drawn dimensions easily pass 64 bits, and a wrapped product would slip under every
// limit.

/// factor * values[0] * values[1] ...; held at the ends of int64 once it leaves them, except that a zero
/// anywhere gives 0.
inline int64_t saturating_product(const std::vector<int64_t>& values, int64_t factor) {
  for (const int64_t value : values)
    if (value == 0) return 0;
  int64_t product = factor;
  for (const int64_t value : values) {
    const bool negative = (product < 0) != (value < 0);
    if (__builtin_mul_overflow(product, value, &product))
      product = negative ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
  }
  return product;
}

// What a fuzzed parameter can be: an integer, a number, a truth value, a word, or (before resolution) the name of
// another parameter.

/// "The same value as that parameter", as an entry of a table.
struct ParameterAlias {
  std::string to;
  bool operator==(const ParameterAlias&) const = default;
};

using ParameterValue = std::variant<int64_t, double, bool, std::string, ParameterAlias>;

/// "3", "0.5", "true", "\"word\"", "alias of k_any_0"; numbers are the shortest text that reads back equal.
std::string to_text(const ParameterValue& value);

// How a parameter's values are spread: uniform, uniform in the logarithm, or a table of values with probabilities. A
// value type checked at construction; drawing from it cannot fail.

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

/// `strict`: drawn once per sample and kept while the others are drawn again, so that rejection cannot skew
/// it.
struct FuzzedParameter {
  std::string name;
  Distribution distribution;
  bool strict = false;
};

/// The three kinds with the name in every message: "parameter 'a': the probabilities add up to 0.9, not to
/// 1".
FuzzedParameter uniform_parameter(std::string name, Bound minval, Bound maxval, bool strict = false);
FuzzedParameter log_uniform_parameter(std::string name, Bound minval, Bound maxval, bool strict = false);
FuzzedParameter table_parameter(std::string name, std::vector<Distribution::Entry> table, bool strict = false);

/// The values of one sample by name, in declaration order. Names are shared between all samples of a fuzzer.
class ParameterSet {
 public:
  using Names = std::shared_ptr<const std::vector<std::string>>;

  ParameterSet() : names_(std::make_shared<const std::vector<std::string>>()) {}
  explicit ParameterSet(Names names) : names_(std::move(names)), values_(names_->size()) {}

  size_t size() const { return values_.size(); }
  const std::string& name(size_t at) const { return (*names_)[at]; }
  const ParameterValue& value(size_t at) const { return values_[at]; }
  ParameterValue& value(size_t at) { return values_[at]; }

  /// nullptr for a name that no parameter has.
  const ParameterValue* find(std::string_view name) const;
  /// Error{kUsage} "no parameter 'q4'".
  const ParameterValue& at(std::string_view name) const;
  /// Error{kUsage} also when the value is no integer.
  int64_t integer(std::string_view name) const;
  /// An integer, number or truth value (1, 0) as a number; Error{kUsage} for a word.
  double number(std::string_view name) const;
  bool truth(std::string_view name) const;

  /// Replaces each alias by the value at the end of its chain. Error{kUsage} for a cycle ("a -> b -> a") and
  /// for a target that no parameter has.
  void resolve_aliases();

 private:
  const ParameterValue& end_of_chain(size_t start) const;
  std::string chain_text(size_t start) const;

  Names names_;
  std::vector<ParameterValue> values_;
};

// Conditions on a sample's parameters; a candidate that breaks one is drawn again. Each carries a text, so
// that the fuzzer can say which one rejects most.

struct Constraint {
  std::string text;
  std::function<bool(const ParameterSet&)> holds;
};

/// a <= b.
Constraint at_most(std::string a, std::string b);
/// a < b.
Constraint less_than(std::string a, std::string b);
/// The product of the integers `names` <= value; exact beyond 64 bits.
Constraint product_at_most(std::vector<std::string> names, int64_t value);
/// The sum of the integers `names` >= value.
Constraint sum_at_least(std::vector<std::string> names, int64_t value);
/// name modulo modulus == value, with the sign of the modulus (Python's %). Error{kUsage} unless modulus > 0.
Constraint remainder_is(std::string name, int64_t modulus, int64_t value);

}  // namespace icount
