#include "icount/fuzzer/parameter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "icount/base/checked.h"
#include "icount/base/error.h"

namespace icount {
namespace {

struct TextOf {
  std::string operator()(int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const std::string& value) const { return '"' + value + '"'; }
  std::string operator()(const ParameterAlias& alias) const { return "alias of " + alias.to; }
};

}  // namespace

std::string to_text(const ParameterValue& value) { return std::visit(TextOf{}, value); }

namespace {

double as_number(const Bound& bound) {
  return std::visit([](auto value) { return static_cast<double>(value); }, bound);
}

std::string bound_text(const Bound& bound) {
  return std::visit([](auto value) { return fmt::format("{}", value); }, bound);
}

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorKind::kUsage, message); }

void check_bounds(const Bound& low, const Bound& high) {
  if (!std::isfinite(as_number(low)) || !std::isfinite(as_number(high)))
    fail(fmt::format("the bounds {} and {} must be finite", bound_text(low), bound_text(high)));
  const bool both_integers = low.index() == 0 && high.index() == 0;
  const bool crossed =
      both_integers ? std::get<int64_t>(low) > std::get<int64_t>(high) : as_number(low) > as_number(high);
  if (crossed)
    fail(fmt::format("the bounds are crossed: minval {} is above maxval {}", bound_text(low), bound_text(high)));
}

// Compensated sum in numpy's order, so that the same tables pass.
double kahan_sum(const std::vector<Distribution::Entry>& entries) {
  double sum = entries.front().second, lost = 0;
  for (size_t i = 1; i < entries.size(); ++i) {
    const double term = entries[i].second - lost;
    const double next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
  return sum;
}

void check_table(const std::vector<Distribution::Entry>& entries) {
  if (entries.empty()) fail("the table has no entry; give at least one value with probability 1");
  for (size_t i = 0; i < entries.size(); ++i) {
    const auto& [value, probability] = entries[i];
    if (!(probability >= 0) || !std::isfinite(probability))
      fail(fmt::format("the probability of {} is {}; it must be a number from 0 to 1", to_text(value), probability));
    for (size_t j = 0; j < i; ++j)
      if (entries[j].first == value) fail(fmt::format("the value {} appears twice in the table", to_text(value)));
  }
  const double sum = kahan_sum(entries);
  if (!(std::abs(sum - 1.0) <= kTableTolerance)) fail(fmt::format("the probabilities add up to {}, not to 1", sum));
}

}  // namespace

std::string_view to_text(FuzzMode mode) { return mode == FuzzMode::kCompatible ? "compatible" : "corrected"; }

FuzzMode parse_fuzz_mode(std::string_view text) {
  if (text == "compatible") return FuzzMode::kCompatible;
  if (text == "corrected") return FuzzMode::kCorrected;
  throw Error(ErrorKind::kUsage, fmt::format("unknown fuzzer mode '{}'; use compatible or corrected", text));
}

Distribution::Distribution(Kind kind, Bound low, Bound high) : kind_(kind), low_(low), high_(high) {}

Distribution Distribution::uniform(Bound low, Bound high) {
  check_bounds(low, high);
  return Distribution(Kind::kUniform, low, high);
}

Distribution Distribution::log_uniform(Bound low, Bound high) {
  check_bounds(low, high);
  const double low_number = as_number(low), high_number = as_number(high);
  if (low_number <= 0)
    fail(fmt::format("minval {} has no logarithm; a loguniform bound must be above 0", bound_text(low)));
  if (high_number >= 4611686018427387904.0)
    fail(fmt::format("maxval {} is too large for loguniform; it must be below 2^62", bound_text(high)));
  Distribution made(Kind::kLogUniform, low, high);
  made.first_ = static_cast<int64_t>(std::ceil(low_number));
  made.last_ = static_cast<int64_t>(std::floor(high_number));
  if (made.first_ > made.last_)
    fail(fmt::format("no integer is between minval {} and maxval {}, and loguniform draws integers", bound_text(low),
                     bound_text(high)));
  made.log_low_ = std::log2(low_number);
  made.log_high_ = std::log2(high_number);
  made.log_first_ = std::log2(static_cast<double>(made.first_));
  made.log_past_last_ = std::log2(static_cast<double>(made.last_) + 1.0);
  return made;
}

Distribution Distribution::table(std::vector<Entry> entries) {
  check_table(entries);
  Distribution made(Kind::kTable, int64_t{0}, int64_t{0});
  std::vector<double> probabilities;
  for (const auto& [value, probability] : entries) probabilities.push_back(probability);
  made.cumulative_ = cumulative_probabilities(probabilities);
  made.entries_ = std::move(entries);
  return made;
}

ParameterValue Distribution::draw_log_uniform(RandomState& state, FuzzMode mode) const {
  if (mode == FuzzMode::kCorrected) {
    const double drawn = std::pow(2.0, state.uniform(log_first_, log_past_last_));
    return std::clamp(static_cast<int64_t>(drawn), first_, last_);
  }
  const auto drawn = static_cast<int64_t>(std::pow(2.0, state.uniform(log_low_, log_high_)));
  const auto bound_value = [](const Bound& bound) {
    return std::visit([](auto value) { return ParameterValue(value); }, bound);
  };
  if (static_cast<double>(drawn) < as_number(low_)) return bound_value(low_);
  if (static_cast<double>(drawn) > as_number(high_)) return bound_value(high_);
  return drawn;
}

void Distribution::draw(RandomState& state, FuzzMode mode, ParameterValue& value) const {
  switch (kind_) {
    case Kind::kTable:
      value = entries_[std::min(state.choice(cumulative_), entries_.size() - 1)].first;
      return;
    case Kind::kLogUniform:
      value = draw_log_uniform(state, mode);
      return;
    case Kind::kUniform:
      if (low_.index() == 0 && high_.index() == 0)
        value = state.integer(std::get<int64_t>(low_), std::get<int64_t>(high_));
      else
        value = state.uniform(as_number(low_), as_number(high_));
  }
}

namespace {

template <typename Make>
FuzzedParameter make_parameter(std::string name, bool strict, Make&& make) {
  if (name.empty()) throw Error(ErrorKind::kUsage, "a parameter needs a name");
  Distribution distribution = in_context(fmt::format("parameter '{}'", name), make);
  return FuzzedParameter{std::move(name), std::move(distribution), strict};
}

}  // namespace

FuzzedParameter uniform_parameter(std::string name, Bound minval, Bound maxval, bool strict) {
  return make_parameter(std::move(name), strict, [&] { return Distribution::uniform(minval, maxval); });
}

FuzzedParameter log_uniform_parameter(std::string name, Bound minval, Bound maxval, bool strict) {
  return make_parameter(std::move(name), strict, [&] { return Distribution::log_uniform(minval, maxval); });
}

FuzzedParameter table_parameter(std::string name, std::vector<Distribution::Entry> table, bool strict) {
  return make_parameter(std::move(name), strict, [&] { return Distribution::table(std::move(table)); });
}

namespace {

const ParameterAlias* alias_in(const ParameterValue& value) { return std::get_if<ParameterAlias>(&value); }

}  // namespace

// Called for each size of each candidate. Names mostly differ in their last letter (k_any_0, k_any_1), so
// that one is looked at first.
const ParameterValue* ParameterSet::find(std::string_view name) const {
  if (name.empty()) return nullptr;
  const char last = name.back();
  for (size_t i = 0; i < values_.size(); ++i) {
    const std::string& candidate = (*names_)[i];
    if (candidate.size() == name.size() && candidate.back() == last && candidate == name) return &values_[i];
  }
  return nullptr;
}

const ParameterValue& ParameterSet::at(std::string_view name) const {
  const ParameterValue* value = find(name);
  if (!value) throw Error(ErrorKind::kUsage, fmt::format("no parameter '{}'", name));
  return *value;
}

int64_t ParameterSet::integer(std::string_view name) const {
  const ParameterValue& value = at(name);
  if (const auto* integer = std::get_if<int64_t>(&value)) return *integer;
  throw Error(ErrorKind::kUsage, fmt::format("parameter '{}' is {}, where an integer is needed", name, to_text(value)));
}

double ParameterSet::number(std::string_view name) const {
  const ParameterValue& value = at(name);
  if (const auto* integer = std::get_if<int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? 1 : 0;
  throw Error(ErrorKind::kUsage, fmt::format("parameter '{}' is {}, where a number is needed", name, to_text(value)));
}

bool ParameterSet::truth(std::string_view name) const { return number(name) != 0; }

const ParameterValue& ParameterSet::end_of_chain(size_t start) const {
  const ParameterValue* value = &values_[start];
  for (size_t step = 0; const ParameterAlias* alias = alias_in(*value); ++step) {
    if (step > values_.size()) throw Error(ErrorKind::kUsage, "parameter aliases form a cycle: " + chain_text(start));
    value = find(alias->to);
    if (!value)
      throw Error(ErrorKind::kUsage, fmt::format("parameter '{}' is an alias of '{}', but there is no such parameter",
                                                 name(start), alias->to));
  }
  return *value;
}

// The chain up to the first name that comes again.
std::string ParameterSet::chain_text(size_t start) const {
  std::vector<std::string_view> seen = {name(start)};
  std::string text = name(start);
  for (const ParameterAlias* alias = alias_in(values_[start]); alias; alias = alias_in(at(alias->to))) {
    text += " -> " + alias->to;
    if (std::find(seen.begin(), seen.end(), alias->to) != seen.end()) break;
    seen.push_back(alias->to);
  }
  return text;
}

void ParameterSet::resolve_aliases() {
  for (size_t i = 0; i < values_.size(); ++i)
    if (alias_in(values_[i])) values_[i] = ParameterValue(end_of_chain(i));
}

namespace {

// Integers are compared as integers: above 2^53 doubles would call neighbours equal.
bool is_less(const ParameterSet& parameters, const std::string& a, const std::string& b) {
  const auto* left = std::get_if<int64_t>(&parameters.at(a));
  const auto* right = std::get_if<int64_t>(&parameters.at(b));
  if (left && right) return *left < *right;
  return parameters.number(a) < parameters.number(b);
}

std::vector<int64_t> integers(const ParameterSet& parameters, const std::vector<std::string>& names) {
  std::vector<int64_t> values;
  for (const std::string& name : names) values.push_back(parameters.integer(name));
  return values;
}

}  // namespace

Constraint at_most(std::string a, std::string b) {
  std::string text = fmt::format("{} <= {}", a, b);
  return {std::move(text), [a = std::move(a), b = std::move(b)](const ParameterSet& p) { return !is_less(p, b, a); }};
}

Constraint less_than(std::string a, std::string b) {
  std::string text = fmt::format("{} < {}", a, b);
  return {std::move(text), [a = std::move(a), b = std::move(b)](const ParameterSet& p) { return is_less(p, a, b); }};
}

Constraint product_at_most(std::vector<std::string> names, int64_t value) {
  std::string text = fmt::format("{} <= {}", fmt::join(names, " * "), value);
  return {std::move(text), [names = std::move(names), value](const ParameterSet& p) {
            return saturating_product(integers(p, names), 1) <= value;
          }};
}

Constraint sum_at_least(std::vector<std::string> names, int64_t value) {
  std::string text = fmt::format("{} >= {}", fmt::join(names, " + "), value);
  return {std::move(text), [names = std::move(names), value](const ParameterSet& p) {
            int64_t sum = 0;
            for (const int64_t term : integers(p, names)) sum = saturating_add(sum, term);
            return sum >= value;
          }};
}

Constraint remainder_is(std::string name, int64_t modulus, int64_t value) {
  if (modulus <= 0)
    throw Error(ErrorKind::kUsage, fmt::format("constraint on '{}': the modulus {} must be above 0", name, modulus));
  std::string text = fmt::format("{} mod {} == {}", name, modulus, value);
  return {std::move(text), [name = std::move(name), modulus, value](const ParameterSet& p) {
            const int64_t remainder = p.integer(name) % modulus;
            return (remainder < 0 ? remainder + modulus : remainder) == value;
          }};
}

}  // namespace icount
