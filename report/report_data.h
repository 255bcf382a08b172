// Everything an HTML report shows, as values: who is compared with whom, and per benchmark the explanation and its
// tables. `icount report` fills these; report/report_json.h turns them into the data inside the page,
// report/html_page.h into the page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "icount/base/json.h"
#include "icount/explain/compared_tables.h"
#include "icount/explain/explain.h"
#include "icount/report/explanation_document.h"
#include "icount/stacks/stack_tree_diff.h"
#include "icount/stats/fingerprint.h"
#include "icount/stats/result.h"

namespace icount {

// How much of each table a report keeps, so that one page of many benchmarks stays small enough to be attached to a
// review (3 MB for 200 benchmarks). What is left out is summed up and said, never silent.

/// Rows kept per benchmark.
struct ReportLimits {
  size_t causes = 200;
  size_t functions = 30'000;
  size_t edges = 30'000;
  size_t frames = 30'000;
  size_t lines = 2'000;
  size_t opened = 16;         ///< functions with their source
  size_t source_lines = 150;  ///< executed lines of each of their files
};

/// The limits for a page of that many benchmarks.
ReportLimits report_limits(size_t benchmarks);

// Names of a report, each kept once: strings, and functions as triples of strings. Tables on the page speak of them by
// number.

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

/// One side of the comparison. A report of a single result has an empty base name.
struct ReportSide {
  std::string name;     ///< of the file or program
  std::string command;  ///< that made it; empty when not known
  Fingerprint fingerprint;
  std::string built;  ///< describe_builds of its results
};

/// Verdict on one benchmark, and what the page sorts and colours by.
enum class ReportVerdict {
  kMore,  ///< head costs more than base, by more than repeats differ
  kLess,
  kNoise,  ///< a change no larger than the repeats of one side differ by
  kSame,
  kMeasured,  ///< nothing to compare with: a report of one result
  kNew,       ///< head only
  kVanished,  ///< base only
  kFailed,
  kNotAlike,  ///< not measured alike, so not compared
};
std::string_view to_text(ReportVerdict verdict);

/// One benchmark. Pointers are only read while it is added; null for what there is none of.
struct ReportBenchmark {
  std::string key;  ///< result_key
  ReportVerdict verdict = ReportVerdict::kMeasured;
  std::string reason;  ///< why it failed or is not comparable
  const Result* base = nullptr;
  const Result* head = nullptr;
  std::string event;
  std::optional<int64_t> base_total, head_total;  ///< of what there is
  const Explanation* explanation = nullptr;
  const ExplanationHeading* heading = nullptr;
  const ComparedTables* tables = nullptr;
  const StackTreeDiff* stacks = nullptr;  ///< of one result: everything in it is new
  std::vector<ComparedLine> lines;
  std::vector<std::optional<double>> history;  ///< cost per run at each of HtmlReportHead::history
};

/// More than `noise` (the largest spread of the repeats of one side) is a change.
ReportVerdict judge_change(int64_t delta, int64_t noise);

}  // namespace icount
