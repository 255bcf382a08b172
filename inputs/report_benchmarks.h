// Results of one or two sides -> the benchmarks of an HTML report, one by one: explained (inputs/compare_files.h),
// with the tables of functions and calls. `icount report` uses it.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "icount/console/command_spec.h"
#include "icount/inputs/compare_files.h"
#include "icount/inputs/diff_side.h"
#include "icount/report/report_json.h"
#include "icount/stats/fuzz_result.h"
#include "icount/stats/measurement.h"
#include "icount/store/history.h"

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

/// More points than that are closer together than a pixel.
inline constexpr size_t kMostReportPoints = 200;

/// Cost per run of every benchmark in the newest runs, oldest first.
ReportHistory load_report_history(History& history);

// What stands on the command line of `icount report`: results and profiles to explain, Fuzzer runs and timings to plot.
// Each file is recognised by its content. Built on inputs/diff_side.h.

struct ReportInput {
  std::vector<DiffSide> sides;                           ///< in the order given
  std::vector<std::pair<std::string, FuzzResult>> fuzz;  ///< with the file's name
  std::vector<Measurement> timings;                      ///< of timing files, and of results that have one
};

/// Reads (or measures, see DiffSide) everything. Warnings go to err; an Error names the file.
ReportInput load_report_input(const std::vector<std::string>& words, const DiffSideOptions& options,
                              CommandContext& context);

}  // namespace icount
