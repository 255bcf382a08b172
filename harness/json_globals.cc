#include "icount/harness/json_globals.h"

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/base/json.h"
#include "icount/harness/cpp_literal.h"

namespace icount {
namespace {

Json parse(std::string_view name, std::string_view text) {
  try {
    return parse_json(text, fmt::format("global '{}'", name));
  } catch (const Error& error) {
    throw Error(ErrorKind::kUsage, error.what());
  }
}

[[noreturn]] void refuse(std::string_view name, std::string_view why) {
  throw Error(ErrorKind::kUsage, fmt::format("global '{}': {}", name, why));
}

constexpr std::string_view kInteger = "int64_t", kNumber = "double";

std::string cpp_type(std::string_view name, const Json& value);

/// Whole numbers beside others are double: one that no double has would be rounded.
void check_exact(std::string_view name, const Json& numbers) {
  for (const Json& number : numbers) {
    if (!number.is_number_integer()) continue;
    const int64_t whole = number.get<int64_t>();
    const double rounded = static_cast<double>(whole);
    if (rounded >= 0x1p63 || static_cast<int64_t>(rounded) != whole)
      refuse(name, fmt::format("its numbers are double in C++, and {0} is none: write {1:.1f} to have it rounded, or "
                               "give the whole numbers as a global of their own",
                               whole, rounded));
  }
}

/// The one type of all elements.
std::string element_type(std::string_view name, const Json& value) {
  std::string type;
  for (const Json& element : value) {
    const std::string next = cpp_type(name, element);
    const bool are_numbers = (type == kInteger && next == kNumber) || (type == kNumber && next == kInteger);
    if (type.empty() || are_numbers)
      type = are_numbers ? kNumber : std::string_view(next);
    else if (type != next)
      refuse(name, fmt::format("its elements are of several C++ types: {} and {}", type, next));
  }
  if (type == kNumber) check_exact(name, value);
  if (type.empty()) refuse(name, "an empty list or dict has no type in C++; define it in the set-up");
  return type;
}

std::string cpp_type(std::string_view name, const Json& value) {
  if (value.is_boolean()) return "bool";
  if (value.is_number_unsigned() && value.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX))
    refuse(name, "a whole number is beyond 64 bits");
  if (value.is_number_integer()) return std::string(kInteger);
  if (value.is_number()) return std::string(kNumber);
  if (value.is_string()) return "std::string";
  if (value.is_array()) return fmt::format("std::vector<{}>", element_type(name, value));
  if (value.is_object()) return fmt::format("std::map<std::string, {}>", element_type(name, value));
  refuse(name, "null has no type in C++");
}

/// The value as an expression, a list or dict in braces; whole numbers stay as they are beside others.
std::string cpp_value(const Json& value) {
  if (value.is_string()) return fmt::format("std::string({})", cpp_string_literal(value.get<std::string>()));
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number_integer() && value.get<int64_t>() == INT64_MIN) return "INT64_MIN";
  if (!value.is_structured()) return dump_json(value, -1);
  std::string text = "{";
  for (const auto& [key, element] : value.items()) {
    if (text.size() > 1) text += ", ";
    text += value.is_array() ? cpp_value(element)
                             : fmt::format("{{std::string({}), {}}}", cpp_string_literal(key), cpp_value(element));
  }
  return text + "}";
}

}  // namespace

void check_json_global(std::string_view name, std::string_view text) {
  if (!parse(name, text).is_structured()) refuse(name, "json is for lists and dicts: [1, 2] or {\"a\": 1}");
}

std::string cpp_json_definition(std::string_view name, std::string_view text) {
  const Json value = parse(name, text);
  return fmt::format("{} {} {};\nicount::keep({});\n", cpp_type(name, value), name, cpp_value(value), name);
}

}  // namespace icount
