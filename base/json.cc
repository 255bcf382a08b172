#include "base/json.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace icount {

Json parse_json(std::string_view text, std::string_view name) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    const size_t at = std::min(error.byte > 0 ? error.byte - 1 : 0, text.size());
    const std::string_view before = text.substr(0, at);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const size_t last_break = before.rfind('\n');
    const size_t column = at - (last_break == std::string_view::npos ? 0 : last_break + 1) + 1;
    throw Error(ErrorKind::kMalformed, fmt::format("{}:{}:{}: not valid JSON", name, line, column));
  }
}

std::string dump_json(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

const Json& json_field(const Json& object, std::string_view key, std::string_view name) {
  if (object.is_object()) {
    const auto found = object.find(std::string(key));
    if (found != object.end()) return *found;
  }
  throw Error(ErrorKind::kMalformed, fmt::format("{}: no field '{}'", name, key));
}

}  // namespace icount
