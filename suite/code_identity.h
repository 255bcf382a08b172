// What the count of a benchmark stands on, in a form that is kept with its result: hashes of what is known before it is
// measured, and the files that its process turned out to use. Two that are equal count the same. Made by
// suite/benchmark_identity, kept by suite/suite_record, compared by suite/take_over.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "icount/base/json.h"

namespace icount {

struct CodeIdentity {
  std::map<std::string, std::string> parts;  ///< name ("benchmark", "conditions", ...) -> hash
  std::vector<std::string> files;            ///< lines of a ReuseRecord: what its process and its compiler looked at
  std::string unknown;                       ///< why it cannot be known; then there is nothing else
  bool operator==(const CodeIdentity&) const = default;
};

/// {"parts": {...}, "files": [...]} or {"unknown": "..."}.
Json to_json(const CodeIdentity& identity);
/// Of anything else: an identity that is unknown.
CodeIdentity parse_code_identity(const Json& json);

/// What differs, in plain words: "its statement", "its program". Empty when all parts are equal; files are not looked
/// at. Both sides are known.
std::string changed_part(const CodeIdentity& base, const CodeIdentity& head);

}  // namespace icount
