// What a result of a suite knows about its suite, kept in Result::extra and in the file's fingerprint: the work-order
// key, the place in the suite's order, when it was measured, what its count stands on. Written by `suite run`, read by
// `suite show` and make_pytorch_ci.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "icount/base/json.h"
#include "icount/stats/fingerprint.h"
#include "icount/stats/result.h"
#include "icount/suite/expand.h"

namespace icount {

/// CodeIdentity::unknown of results that have none.
inline constexpr const char* kNotRecorded = "the result does not say what it was made from";

/// What the count of a benchmark stands on, in a form that is kept with its result: hashes of what is known before it
/// is measured, and the files that its process turned out to use. Two that are equal, and of which nothing is unknown,
/// count the same. Made and compared in suite/take_over.
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

/// Result::extra of a suite's result.
struct SuiteRecord {
  std::string key;                             ///< work-order key; empty: no result of a suite
  int64_t position = 0;                        ///< in the suite's order
  int64_t unix_time = 0;                       ///< when it was measured, seconds; 0: unknown
  std::string file;                            ///< the suite file as it was given; empty: unknown
  CodeIdentity code = {{}, {}, kNotRecorded};  ///< what its count stands on
};

std::string record_text(const SuiteRecord& record);
/// An empty record for an extra that is empty or from elsewhere.
SuiteRecord parse_record(const std::string& extra);

/// Results in their suite's order; those of no suite keep theirs, at the end.
void sort_by_position(std::vector<Result>& results);

/// Identity of a whole suite, "standard, version 0, 181 benchmarks, md5 4d55...": a fact of the file's fingerprint.
struct SuiteIdentity {
  std::string name;
  int64_t version = 0;
  size_t benchmarks = 0;
  std::string md5;
};
std::string to_text(const SuiteIdentity& identity);
/// Fields empty for a text that is none.
SuiteIdentity parse_suite_identity(const std::string& text);

inline constexpr std::string_view kSuiteFact = "suite";

/// Of a result's conditions, those that belong to its run and not to the benchmark itself: what all results of one run
/// share. Asked where results of several runs become one and where a run goes on. `facts` of a statement without its
/// unit. Programs and cases of benchmark binaries come from compilers of their own, have an environment and an input of
/// their own, start processes, and a case runs as often as its cost allows: of theirs the rest.
Fingerprint run_facts(const Result& result, Fingerprint facts);

}  // namespace icount
