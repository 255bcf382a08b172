#include "icount/base/json.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/error.h"
#include "icount/base/text.h"

namespace icount {
namespace {

constexpr int kMaxDepth = 200;

/// The byte behind the string that begins behind `at`.
size_t skip_string(std::string_view text, size_t at) {
  while (at < text.size()) {
    at = text.find('"', at);
    if (at == std::string_view::npos) return text.size();
    size_t backslashes = 0;
    while (text[at - 1 - backslashes] == '\\') ++backslashes;  // ends at the quote where the string begins
    ++at;
    if (backslashes % 2 == 0) return at;
  }
  return text.size();
}

/// Where the text goes deeper than kMaxDepth; npos where it does not.
size_t too_deep(std::string_view text) {
  int depth = 0;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at++];
    if (c == '"') at = skip_string(text, at);
    if (c == ']' || c == '}') --depth;
    if ((c == '[' || c == '{') && ++depth > kMaxDepth) return at - 1;
  }
  return std::string_view::npos;
}

[[noreturn]] void fail_at(std::string_view text, size_t at, std::string_view name, std::string_view what) {
  const std::string_view before = text.substr(0, std::min(at, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const size_t last_break = before.rfind('\n');
  const size_t column = before.size() - (last_break == std::string_view::npos ? 0 : last_break + 1) + 1;
  throw Error(ErrorKind::kMalformed, fmt::format("{}:{}:{}: {}", name, line, column, what));
}

}  // namespace

Json parse_json(std::string_view text, std::string_view name) {
  if (const size_t at = too_deep(text); at != std::string_view::npos)
    fail_at(text, at, name, fmt::format("nested more than {} deep", kMaxDepth));
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    fail_at(text, error.byte > 0 ? error.byte - 1 : 0, name, "not valid JSON");
  } catch (const Json::out_of_range&) {
    throw Error(ErrorKind::kMalformed, fmt::format("{}: a number is out of range for double", name));
  }
}

std::string dump_json(const Json& value, int indent) {
  const std::string text = value.dump(indent, ' ', false, Json::error_handler_t::replace);
  // What people print may pass through a terminal, and through the log of a hosted CI.
  return indent < 0 ? text : json_for_logs(text);
}

const Json& json_field(const Json& object, std::string_view key, std::string_view name) {
  if (object.is_object()) {
    const auto found = object.find(std::string(key));
    if (found != object.end()) return *found;
  }
  throw Error(ErrorKind::kMalformed, fmt::format("{}: no field '{}'", name, key));
}

std::optional<int64_t> json_whole_number(const Json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX)) return std::nullopt;
  return value.get<int64_t>();
}

int64_t json_whole_number_field(const Json& object, std::string_view key, std::string_view name) {
  const std::optional<int64_t> number = json_whole_number(json_field(object, key, name));
  if (!number) throw Error(ErrorKind::kMalformed, fmt::format("{}: field '{}' is not a 64-bit integer", name, key));
  return *number;
}

}  // namespace icount
