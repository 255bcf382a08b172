// Lists and dicts among the globals of a statement, written as JSON: what they are in C++. Python reads the JSON
// itself. Pure; used by harness/globals.
#pragma once

#include <string>
#include <string_view>

namespace icount {

/// Error{kUsage} "global 'NAME': ..." unless `text` is a JSON list or object.
void check_json_global(std::string_view name, std::string_view text);

/// A definition: std::vector<int64_t>, <double>, <bool> or <std::string> for lists, of vectors for lists of lists, and
/// std::map<std::string, T> for objects. Error{kUsage} for what has no such type: an empty list, null, elements of
/// several types (whole numbers beside others are double, and must be exact as such).
std::string cpp_json_definition(std::string_view name, std::string_view text);

}  // namespace icount
