#include "icount/fuzzer/table_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace icount {
namespace {

using Kind = TomlValue::Kind;

}  // namespace

void TableFields::fail(const TomlValue& at, std::string_view text) const {
  throw Error(ErrorKind::kMalformed, fmt::format("{}:{}: {}: {}", at.place.file, at.place.line, what_, text));
}

void TableFields::fail_at_table(std::string_view text) const {
  throw Error(ErrorKind::kMalformed, fmt::format("{}:{}: {}", table_.place.file, table_.place.line, text));
}

void TableFields::allow_only(std::initializer_list<std::string_view> known) const {
  for (const TomlField& field : table_.fields)
    if (std::find(known.begin(), known.end(), field.key) == known.end())
      fail(field.value, fmt::format("unknown field '{}'; known: {}", field.key, fmt::join(known, ", ")));
}

const TomlValue* TableFields::find(std::string_view key) const {
  const auto found = std::find_if(table_.fields.begin(), table_.fields.end(),
                                  [&](const TomlField& field) { return field.key == key; });
  return found == table_.fields.end() ? nullptr : &found->value;
}

const TomlValue& TableFields::get(std::string_view key) const {
  if (const TomlValue* value = find(key)) return *value;
  fail(fmt::format("field '{}' is missing", key));
}

std::string TableFields::text(const TomlValue& value, std::string_view key) const {
  if (value.kind == Kind::kString) return value.text;
  fail(value, fmt::format("'{}' must be a string", key));
}

int64_t TableFields::integer(std::string_view key) const {
  const TomlValue& value = get(key);
  if (value.kind == Kind::kInteger) return value.integer;
  fail(value, fmt::format("'{}' must be an integer", key));
}

bool TableFields::flag(std::string_view key) const {
  const TomlValue* value = find(key);
  if (!value) return false;
  if (value->kind == Kind::kBool) return value->boolean;
  fail(*value, fmt::format("'{}' must be true or false", key));
}

double TableFields::number(const TomlValue& value, std::string_view key) const {
  constexpr int64_t kWhole = int64_t{1} << 53;
  if (value.kind == Kind::kNumber) return value.number;
  if (value.kind == Kind::kInteger && value.integer >= -kWhole && value.integer <= kWhole)
    return static_cast<double>(value.integer);
  fail(value, fmt::format("'{}' must be a number", key));
}

const std::vector<TomlValue>& TableFields::list(std::string_view key) const {
  const TomlValue& value = get(key);
  if (value.kind == Kind::kArray) return value.items;
  fail(value, fmt::format("'{}' must be a list", key));
}

std::vector<std::string> TableFields::texts(std::string_view key) const {
  std::vector<std::string> texts_found;
  for (const TomlValue& value : list(key)) texts_found.push_back(text(value, key));
  return texts_found;
}

}  // namespace icount
