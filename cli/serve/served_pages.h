// The pages of `icount serve` that lead to reports: all runs and benchmarks of a history, one benchmark run by run, a
// message. Plain HTML with links and one form, no script; the reports that they lead to are those of
// report/html_page.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/report/history_text.h"

namespace icount {

/// One run of the history.
struct ServedRun {
  int64_t id = 0;
  std::string commit;  ///< full hash; empty: of no commit
  std::string subject, branch, name;
  int64_t unix_time = 0;  ///< 0: unknown
  int64_t results = 0;
  int64_t before = 0;  ///< the run of the nearest measured ancestor; 0: none
};

/// Where all pages begin.
struct ServedHistory {
  std::string name;             ///< of the store or folder
  std::vector<ServedRun> runs;  ///< oldest first
  std::vector<BenchmarkHistory> benchmarks;
};

/// Runs, newest first, two of which can be chosen to be explained; benchmarks with their latest value and step.
std::string render_overview_page(const ServedHistory& history);

/// One benchmark run by run, newest first, with a link that explains each value from its nearest measured ancestor's.
std::string render_benchmark_page(const std::string& store, const BenchmarkHistory& benchmark);

/// What went wrong, with the way back.
std::string render_message_page(std::string_view title, std::string_view message);

/// "/report?base=3&head=7", with &benchmark=KEY where only one is asked for; base 0: the run by itself.
std::string report_link(int64_t base, int64_t head, std::string_view benchmark = "");

}  // namespace icount
