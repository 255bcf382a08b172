#include "icount/suite/table_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "icount/base/text.h"

namespace icount {
namespace {

std::string hint(std::string_view key, const std::vector<std::string>& known) {
  std::vector<std::string> names = known;
  std::sort(names.begin(), names.end());
  const std::string near = nearest_word(key, names);
  if (!near.empty()) return fmt::format(", did you mean '{}'?", near);
  return fmt::format("; it may hold {}", fmt::join(names, ", "));
}

}  // namespace

TableReader::TableReader(const TomlValue& table, std::string what, Problems& problems)
    : table_(table), what_(std::move(what)), problems_(problems) {}

const TomlField* TableReader::find_field(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  for (const TomlField& field : table_.fields) {
    if (field.key == key) return &field;
  }
  return nullptr;
}

const TomlValue* TableReader::find(std::string_view key) {
  const TomlField* field = find_field(key);
  return field ? &field->value : nullptr;
}

const TomlValue* TableReader::find(std::string_view key, TomlValue::Kind kind) {
  const TomlField* field = find_field(key);
  if (!field) return nullptr;
  if (field->value.kind == kind) return &field->value;
  wrong_kind(*field, to_text(kind));
  return nullptr;
}

void TableReader::wrong_kind(const TomlField& field, std::string_view wanted) {
  problems_.add(field.value.place,
                fmt::format("'{}' of {} is {}, it must be {}", field.key, what_, to_text(field.value.kind), wanted));
}

std::string TableReader::text(std::string_view key) {
  const TomlValue* value = find(key, TomlValue::Kind::kString);
  return value ? value->text : std::string();
}

std::string TableReader::required_text(std::string_view key) {
  if (!find(key)) {
    problems_.add(table_.place, fmt::format("{} has no '{}'", what_, key));
    return {};
  }
  return text(key);
}

bool TableReader::flag(std::string_view key, bool otherwise) {
  const TomlValue* value = find(key, TomlValue::Kind::kBool);
  return value ? value->boolean : otherwise;
}

std::optional<int64_t> TableReader::integer(std::string_view key, int64_t at_least, int64_t at_most) {
  const TomlValue* value = find(key, TomlValue::Kind::kInteger);
  if (!value) return std::nullopt;
  if (value->integer >= at_least && value->integer <= at_most) return value->integer;
  const bool below = value->integer < at_least;
  problems_.add(value->place, fmt::format("'{}' of {} is {}, it must be {} or {}", key, what_, value->integer,
                                          below ? at_least : at_most, below ? "more" : "less"));
  return std::nullopt;
}

std::optional<double> TableReader::number(std::string_view key) {
  const TomlField* field = find_field(key);
  if (!field) return std::nullopt;
  double number = field->value.number;
  if (field->value.kind == TomlValue::Kind::kInteger)
    number = static_cast<double>(field->value.integer);
  else if (field->value.kind != TomlValue::Kind::kNumber)
    return wrong_kind(*field, "a number"), std::nullopt;
  if (std::isfinite(number)) return number;
  problems_.add(field->value.place, fmt::format("'{}' of {} is {}, it must be finite", key, what_, number));
  return std::nullopt;
}

std::optional<Decimal> TableReader::decimal(std::string_view key) {
  const std::optional<double> value = number(key);
  if (!value) return std::nullopt;
  if (const TomlValue* field = find(key); field->kind == TomlValue::Kind::kInteger) return Decimal(field->integer);
  // The shortest text that gives this double is the one that was written, unless that has more digits than it holds.
  return parse_decimal(fmt::format("{}", *value));
}

std::optional<double> TableReader::positive_number(std::string_view key) {
  const std::optional<double> value = number(key);
  if (!value || *value > 0) return value;
  problems_.add(find_field(key)->value.place, fmt::format("'{}' of {} is {}, it must be above 0", key, what_, *value));
  return std::nullopt;
}

std::vector<std::string> TableReader::texts(std::string_view key) {
  const TomlField* field = find_field(key);
  if (!field) return {};
  if (field->value.kind == TomlValue::Kind::kString) return {field->value.text};
  std::vector<std::string> result;
  bool good = field->value.kind == TomlValue::Kind::kArray;
  for (const TomlValue& item : field->value.items) {
    good = good && item.kind == TomlValue::Kind::kString;
    result.push_back(item.text);
  }
  if (good) return result;
  problems_.add(field->value.place, fmt::format("'{}' of {} must be a string or an array of strings", key, what_));
  return {};
}

std::vector<int> TableReader::integers(std::string_view key, std::vector<int> otherwise) {
  const TomlField* field = find_field(key);
  if (!field) return otherwise;
  const bool lone = field->value.kind == TomlValue::Kind::kInteger;
  std::vector<int> result;
  bool good = lone || field->value.kind == TomlValue::Kind::kArray;
  auto take = [&](const TomlValue& item) {
    bool fits = item.integer >= std::numeric_limits<int>::min() && item.integer <= std::numeric_limits<int>::max();
    good = good && item.kind == TomlValue::Kind::kInteger && fits;
    result.push_back(static_cast<int>(item.integer));
  };
  if (lone) take(field->value);
  for (const TomlValue& item : field->value.items) take(item);
  if (good) return result;
  problems_.add(field->value.place, fmt::format("'{}' of {} must be a whole number or an array of them", key, what_));
  return otherwise;
}

std::vector<const TomlValue*> TableReader::tables(std::string_view key) {
  const TomlField* field = find_field(key);
  if (!field) return {};
  if (field->value.kind == TomlValue::Kind::kTable) return {&field->value};
  std::vector<const TomlValue*> result;
  bool good = field->value.kind == TomlValue::Kind::kArray;
  for (const TomlValue& item : field->value.items) {
    good = good && item.kind == TomlValue::Kind::kTable;
    result.push_back(&item);
  }
  if (good) return result;
  problems_.add(field->value.place, fmt::format("'{}' of {} must be written as tables, [[{}]]", key, what_, key));
  return {};
}

void TableReader::finish() {
  for (const TomlField& field : table_.fields) {
    if (std::find(known_.begin(), known_.end(), field.key) != known_.end()) continue;
    problems_.add(field.place, fmt::format("{} has no field '{}'{}", what_, field.key, hint(field.key, known_)));
  }
}

}  // namespace icount
