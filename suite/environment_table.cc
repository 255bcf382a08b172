#include "icount/suite/environment_table.h"

#include <fmt/format.h>

namespace icount {

std::string plain_text(const TomlValue& value) {
  if (value.kind == TomlValue::Kind::kInteger) return std::to_string(value.integer);
  if (value.kind == TomlValue::Kind::kNumber) return fmt::format("{}", value.number);
  if (value.kind == TomlValue::Kind::kBool) return value.boolean ? "true" : "false";
  return value.text;
}

bool is_plain(const TomlValue& value) {
  return value.kind == TomlValue::Kind::kString || value.kind == TomlValue::Kind::kInteger ||
         value.kind == TomlValue::Kind::kNumber || value.kind == TomlValue::Kind::kBool;
}

std::vector<std::string> read_environment_table(TableReader& table) {
  std::vector<std::string> environment;
  const TomlValue* own = table.find("environment", TomlValue::Kind::kTable);
  if (!own) return environment;
  for (const TomlField& field : own->fields) {
    if (!is_plain(field.value) || field.key.empty() || field.key.find('=') != std::string::npos)
      table.problem(field.place, fmt::format("\"{}\" is not an environment variable with a text", field.key));
    environment.push_back(field.key + "=" + plain_text(field.value));
  }
  return environment;
}

}  // namespace icount
