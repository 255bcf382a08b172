// What a fuzzed parameter can be: an integer, a number, a truth value, a word, or (before resolution) the
// name of another parameter. fuzzer/distribution.h draws them, fuzzer/parameter_set.h holds a sample's
// values.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace icount {

/// "The same value as that parameter", as an entry of a table.
struct ParameterAlias {
  std::string to;
  bool operator==(const ParameterAlias&) const = default;
};

using ParameterValue = std::variant<int64_t, double, bool, std::string, ParameterAlias>;

/// "3", "0.5", "true", "\"word\"", "alias of k_any_0"; numbers are the shortest text that reads back equal.
std::string to_text(const ParameterValue& value);

}  // namespace icount
