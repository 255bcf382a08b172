// Everything an HTML report shows, as values: who is compared with whom, and per benchmark the explanation and its
// tables. `icount report` fills these; report/report_json.h turns them into the data inside the page,
// report/html_page.h into the page.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "icount/explain/compared_tables.h"
#include "icount/explain/explain.h"
#include "icount/report/explanation_document.h"
#include "icount/stacks/stack_tree_diff.h"
#include "icount/stats/fingerprint.h"
#include "icount/stats/result.h"

namespace icount {

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
