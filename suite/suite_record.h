// What a result of a suite knows about its suite, kept in Result::extra and in the file's fingerprint: the work-order
// key, the place in the suite's order, when it was measured. Written by `suite run`, read by `suite show` and
// make_pytorch_ci.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "icount/stats/result.h"
#include "icount/suite/code_identity.h"
#include "icount/suite/expand.h"

namespace icount {

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

}  // namespace icount
