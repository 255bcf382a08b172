// Results of one or two sides -> the benchmarks of an HTML report, one by one: explained (inputs/compare_files.h),
// with the tables of functions and calls. `icount report` uses it.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "icount/inputs/compare_files.h"
#include "icount/report/report_json.h"

namespace icount {

/// A file's results under the name that the reader knows them by.
struct ReportPoint {
  std::string name;
  const ResultFile* file = nullptr;
};

/// Cost per run of every benchmark at each point, oldest first; nullopt where it has none.
struct ReportHistory {
  std::vector<std::string> names;
  std::map<std::string, std::vector<std::optional<double>>, std::less<>> values;  ///< by result_key
};
ReportHistory make_report_history(std::span<const ReportPoint> points);

/// What the benchmarks come from. Base is null for a report of one result.
struct ReportSources {
  ReportPoint base, head;
  ReportHistory history;
  CompareResultsOptions compare;
  bool with_source = true;  ///< the text of listed functions, from the disk
};

/// Adds every benchmark of either side, compared ones by magnitude of change, and the causes that several have in
/// common.
void add_report_benchmarks(ReportJson& report, const ReportSources& sources);

}  // namespace icount
