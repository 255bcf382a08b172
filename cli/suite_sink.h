// Where the results of `icount suite run` go: to the file of --out as they come, and to the table that is shown at the
// end. Knows what an earlier run of --resume left. Between suite/batch.h and store/result_file.h.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "icount/stats/flag_paths.h"
#include "icount/stats/measurement.h"
#include "icount/store/result_file.h"
#include "icount/suite/expand.h"

namespace icount {

struct SuiteSinkOptions {
  std::string path;                  ///< of the result file; empty: nothing is written
  std::string suite_file;            ///< kept with each result
  bool resume = false;               ///< go on with an unfinished file; otherwise it is replaced
  std::vector<NamedFolder> folders;  ///< what recorded flags name instead of spelling it out
};

class SuiteSink {
 public:
  SuiteSink(SuiteSinkOptions options, const ResultFile& header);

  /// The results of an unfinished file, as it was found.
  const std::vector<Result>& resumed() const;
  /// Of these, the ones that stay. The others leave the file with the first count that is taken, so that a run under
  /// other conditions, which is refused then, has lost nothing; without a count, with take_results.
  void keep(std::vector<Result> results);

  /// Benchmarks without a result yet.
  std::vector<Benchmark> missing(std::vector<Benchmark> benchmarks) const;
  /// Benchmarks that were counted but have no wall time yet.
  std::vector<Benchmark> untimed(std::vector<Benchmark> benchmarks) const;

  /// Error{kCannotJudge} when a resumed file was begun under other conditions.
  void take(Result result);
  /// The wall time of a benchmark that was counted.
  void take_time(const Benchmark& benchmark, const Measurement& measurement);

  /// All results, without their graphs (the file has them), in the suite's order.
  std::vector<Result> take_results();

 private:
  void remember(Result result);
  void replace_by_kept();
  void check_alike(const Result& result) const;

  SuiteSinkOptions options_;
  std::optional<ResultAppender> appender_;
  std::vector<Result> results_;
  std::map<std::string, size_t> by_key_;                            // work-order key -> result
  std::map<std::pair<std::string, int>, Fingerprint> begun_under_;  // language and threads -> of the unfinished file
  std::optional<std::vector<Result>> kept_;                         // what the file is to hold before the next count
  bool has_failed_ = false;                                         // results that did are among kept_
};

}  // namespace icount
