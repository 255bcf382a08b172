// Conditions on a sample's parameters; a candidate that breaks one is drawn again. Each carries a text, so
// that the fuzzer can say which one rejects most.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "icount/fuzzer/parameter_set.h"

namespace icount {

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
