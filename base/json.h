// JSON in and out: one type for the whole project (keys keep their order, so output is byte-stable) and one way to
// fail. Machine output carries "schema": {"name": ..., "version": ...}.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace icount {

using Json = nlohmann::ordered_json;

/// Error{kMalformed} "NAME:LINE:COLUMN: ..." for anything that is not one JSON value, and for one nested more than 200
/// deep.
Json parse_json(std::string_view text, std::string_view name);

/// Two-space indent (or one line when `indent` is negative), UTF-8; bytes that are not UTF-8 become U+FFFD.
std::string dump_json(const Json& value, int indent = 2);

/// The object's `key`; Error{kMalformed} "NAME: no field 'key'" when it is missing or `object` is no object.
const Json& json_field(const Json& object, std::string_view key, std::string_view name);

// Whole numbers in JSON. The JSON library's own conversions cut off silently what does not fit; readers of files must
// refuse it instead.

/// The value as a whole number; nullopt for anything else, 1.0 and what int64_t does not hold included.
std::optional<int64_t> json_whole_number(const Json& value);

/// The object's `key` as a whole number; Error{kMalformed} "NAME: field 'key' is no 64-bit whole number", or as
/// json_field.
int64_t json_whole_number_field(const Json& object, std::string_view key, std::string_view name);

}  // namespace icount
