#include "icount/base/json_number.h"

#include <fmt/format.h>

#include "icount/base/error.h"

namespace icount {

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
