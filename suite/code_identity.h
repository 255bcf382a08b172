// What the count of a benchmark stands on, in a form that is kept with its result: hashes of what is known before it is
// measured, and the files that its process turned out to use. Two that are equal, and of which nothing is unknown,
// count the same. Made by suite/benchmark_identity, kept by suite/suite_record, compared by suite/take_over.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "icount/base/json.h"

namespace icount {

/// CodeIdentity::unknown of results that have none.
inline constexpr const char* kNotRecorded = "the result does not say what it was made from";

struct CodeIdentity {
  std::map<std::string, std::string> parts;  ///< name ("benchmark", "conditions", ...) -> hash
  std::vector<std::string> files;            ///< lines of a ReuseRecord: what its process and its compiler looked at
  std::string unknown;                       ///< why not all of it can be known
  bool operator==(const CodeIdentity&) const = default;
};

/// {"parts": {...}, "files": [...], "unknown": "..."}, without what is empty.
Json to_json(const CodeIdentity& identity);
/// Of anything else: an identity that is unknown.
CodeIdentity parse_code_identity(const Json& json);

/// What differs, in plain words: "statement", "command". Empty when all parts are equal, or one side has none; files
/// are not looked at.
std::string changed_part(const CodeIdentity& base, const CodeIdentity& head);

}  // namespace icount
