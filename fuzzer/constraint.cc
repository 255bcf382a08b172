#include "icount/fuzzer/constraint.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "icount/base/checked.h"
#include "icount/base/error.h"
#include "icount/fuzzer/product.h"

namespace icount {
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
