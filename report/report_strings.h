// Names of a report, each kept once: strings, and functions as triples of strings. Tables on the page speak of them by
// number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "icount/base/json.h"

namespace icount {

/// Numbers count from 0 in order of first sight, so equal input gives equal pages. Number 0 is the empty string.
class ReportStrings {
 public:
  ReportStrings() { add(""); }

  /// Names above kLongestName code points are cut in the middle: nobody reads more, and the page stays small.
  static constexpr size_t kLongestName = 2000;

  uint32_t add(std::string_view text);
  uint32_t add_function(std::string_view name, std::string_view file, std::string_view object);

  /// {"all": [...], "short": {"number": "short form"}}; short forms of function names only, where they differ.
  Json strings_json() const;
  /// Columns: {"name": [...], "file": [...], "object": [...]}, string numbers.
  Json functions_json() const;

 private:
  struct FunctionIds {
    uint32_t name, file, object;
  };

  std::vector<std::string> strings_;
  std::unordered_map<std::string, uint32_t> number_of_;
  std::vector<FunctionIds> functions_;
  std::unordered_map<std::string, uint32_t> function_of_;
};

}  // namespace icount
