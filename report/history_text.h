// The history of one benchmark as a table of its runs, and of many as one line each: values, sparklines, the commits at
// which they stepped, how noisy they are. Text and JSON. Values come from cli/history_view.h, steps from
// verdict/step_detection.h.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "icount/base/json.h"
#include "icount/report/text_style.h"

namespace icount {

/// At most `columns` of ▁▂▃▄▅▆▇█, from the lowest value of the series to its highest; a blank where a column has no
/// value. Each column stands for equally many neighbours and shows the last of them that is a value, so that the newest
/// one is always seen. Values that are all equal lie in the middle.
std::string render_sparkline(std::span<const std::optional<double>> values, size_t columns);

/// One run of a benchmark.
struct HistoryRow {
  int64_t run = 0;
  std::string commit;  ///< full hash; empty: of no commit
  std::string subject, branch, name;
  int64_t unix_time = 0;  ///< 0: unknown
  std::string status = "done";
  bool taken_over = false;            ///< from an earlier run, not measured in this one
  std::optional<double> value;        ///< per run of the statement; instructions (or another event), or seconds
  bool step = false;                  ///< begins a new level
  double step_from = 0, step_to = 0;  ///< levels before and after, when `step`
  std::string not_alike;              ///< why this value can't be compared with the one before; empty when it can
  int64_t before = 0;                 ///< the run it is compared with: of the nearest measured ancestor; 0: none
  std::string before_commit;          ///< its commit
  size_t between = 0;                 ///< commits on the way from there to here that were not measured
  std::string line;                   ///< what is not known of where this commit comes from, in words; empty: nothing
};

struct BenchmarkHistory {
  std::string key;
  bool wall = false;             ///< values are seconds
  bool exact = false;            ///< no run's repeats ever differed, so every change is a step
  double noise = 0;              ///< learnt standard deviation; 0 when exact
  std::vector<HistoryRow> rows;  ///< oldest first
};

/// One benchmark in full; at most `last` rows (0: all), the newest, rows that begin a level among the older ones too.
void render_history_text(std::ostream& out, const BenchmarkHistory& history, size_t last, const TextStyle& style);
/// One line per benchmark, and below it all steps, newest first (at most `most`; 0: all).
void render_histories_text(std::ostream& out, std::span<const BenchmarkHistory> histories, size_t most,
                           const TextStyle& style);
/// icount-history 1 (docs/json.md); everything.
Json histories_to_json(std::span<const BenchmarkHistory> histories, const std::string& store);

/// "2026-01-31 13:05", UTC; empty for 0.
std::string utc_text(int64_t unix_time);
/// The first ten characters of a hash.
std::string short_hash(const std::string& hash);

}  // namespace icount
