// Whole numbers in JSON. The JSON library's own conversions cut off silently what does not fit; readers of files
// (store/result_record, stats/fuzz_result_json) must refuse it instead.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "icount/base/json.h"

namespace icount {

/// The value as a whole number; nullopt for anything else, 1.0 and what int64_t does not hold included.
std::optional<int64_t> json_whole_number(const Json& value);

/// The object's `key` as a whole number; Error{kMalformed} "NAME: field 'key' is no 64-bit whole number", or as
/// json_field.
int64_t json_whole_number_field(const Json& object, std::string_view key, std::string_view name);

}  // namespace icount
