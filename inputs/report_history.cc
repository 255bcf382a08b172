#include "icount/inputs/report_history.h"

#include <fmt/format.h>

#include <map>

namespace icount {

ReportHistory load_report_history(History& history) {
  const RunFilter newest{.newest = kMostReportPoints};
  ReportHistory out;
  std::map<int64_t, size_t> place;  // of a run's id
  for (const RunInfo& run : history.runs(newest)) {
    place.emplace(run.id, out.names.size());
    out.names.push_back(run.tag.commit.hash.empty() ? fmt::format("#{}", run.id) : run.tag.commit.hash.substr(0, 10));
  }
  for (const BenchmarkSeries& series : history.all_series(newest)) {
    auto& values = out.values[series.key];
    values.resize(out.names.size());
    for (const HistoryPoint& point : series.points)
      if (point.median_count)
        values[place.at(point.run)] =
            static_cast<double>(*point.median_count) / static_cast<double>(point.number_per_run);
  }
  return out;
}

}  // namespace icount
