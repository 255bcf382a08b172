// A TOML file as a tree of values that know where they stand. Tables keep the order of the file, because the order of
// benchmarks is part of a suite; toml++ itself stays in the .cc. Read by suite/table_reader.h and
// fuzzer/table_file.cc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "icount/base/json.h"
#include "icount/base/problems.h"

namespace icount {

struct TomlField;

struct TomlValue {
  enum class Kind { kString, kInteger, kNumber, kBool, kArray, kTable, kOther };
  Kind kind = Kind::kOther;
  std::string text;      ///< kString
  int64_t integer = 0;   ///< kInteger
  double number = 0;     ///< kNumber
  bool boolean = false;  ///< kBool
  std::vector<TomlValue> items;
  std::vector<TomlField> fields;
  Place place;
  int64_t text_line = 0;  ///< line of the file on which `text` begins; 0 when its lines can't be told (escapes)
};

struct TomlField {
  std::string key;
  Place place;
  TomlValue value;
};

/// "a string", "a table"; for messages.
std::string_view to_text(TomlValue::Kind kind);

/// The file's top table. Text that is not TOML (a key given twice included) adds one problem, with its place, and gives
/// an empty table: a parser can't go on after it.
TomlValue parse_toml(std::string_view text, const std::string& name, Problems& problems);

/// The value without its places.
Json to_json(const TomlValue& value);

}  // namespace icount
