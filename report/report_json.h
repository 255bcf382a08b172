// The data inside an HTML report as JSON (schema icount-report 1): compact columns over one table of strings. The
// scripts in report/assets read it; docs/report.md describes it. Values: report/report_data.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "icount/base/json.h"
#include "icount/explain/shared_causes.h"
#include "icount/report/report_data.h"
#include "icount/stats/compare.h"
#include "icount/stats/fuzz_result.h"
#include "icount/stats/growth.h"

namespace icount {

/// What is said about the report as a whole.
struct ReportHead {
  std::string title;
  std::string command;  ///< the command line that made the page
  std::string version;  ///< of icount
  ReportSide base, head;
  std::vector<std::string> notes;
  std::vector<std::string> history;  ///< names of the points that ReportBenchmark::history has, oldest first
  Json gate;                         ///< report/report_json.h; null: none
};

/// Collects the parts one by one, so that a benchmark's profiles can go as soon as it is added.
class ReportJson {
 public:
  ReportJson(ReportHead head, const ReportLimits& limits) : head_(std::move(head)), limits_(limits) {}

  const ReportLimits& limits() const { return limits_; }

  void add_benchmark(const ReportBenchmark& benchmark);
  void add_shared_causes(const SharedCauses& shared);
  /// `name`: of the file the results come from.
  void add_fuzz(std::string_view name, const FuzzResult& result);
  void add_growth(const Growth& growth);
  void add_timings(const std::vector<CompareTable>& tables);

  Json json() const;

 private:
  ReportHead head_;
  ReportLimits limits_;
  ReportStrings strings_;
  Json benchmarks_ = Json::array();
  Json shared_ = Json::array();
  Json fuzz_ = Json::array();
  Json growths_ = Json::array();
  Json timings_ = Json::array();
};

// What a gate said, for a report: its verdict and findings out of the JSON that `icount gate --json` writes
// (report/gate_report.h).

/// {"verdict", "against", "compared", "changed", "findings": [{"kind", "severity", "benchmark", "text"}]} of a
/// gate's JSON; everything else in it is left out. Error{kMalformed} naming `name` for what is no such JSON.
Json parse_report_gate(std::string_view text, const std::string& name);

}  // namespace icount
