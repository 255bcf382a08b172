#include "icount/cli/suite_sink.h"

#include <fmt/format.h>

#include <ctime>
#include <utility>

#include "icount/base/error.h"
#include "icount/store/measurement_file.h"
#include "icount/suite/suite_record.h"
#include "icount/suite/work_order.h"

namespace icount {

SuiteSink::SuiteSink(SuiteSinkOptions options, const ResultFile& header) : options_(std::move(options)) {
  if (options_.path.empty()) return;
  appender_.emplace(options_.path, header,
                    options_.resume ? ResultAppender::Existing::kResume : ResultAppender::Existing::kReplace);
  for (const Result& result : resumed()) {
    if (result.ok())
      begun_under_.emplace(std::pair(result.task.language, result.task.num_threads),
                           run_facts(result, result.fingerprint));
    remember(result);
  }
}

const std::vector<Result>& SuiteSink::resumed() const {
  static const std::vector<Result> kNone;
  return appender_ ? appender_->resumed().results : kNone;
}

void SuiteSink::keep(std::vector<Result> results) {
  results_.clear();
  by_key_.clear();
  for (const Result& result : results) remember(result);
  kept_ = std::move(results);
}

void SuiteSink::remember(Result result) {
  result.graph = nullptr;
  result.graph_blob.clear();
  result.python_calls = nullptr;
  result.python_calls_blob.clear();
  result.stacks = nullptr;
  result.stacks_blob.clear();
  by_key_[parse_record(result.extra).key] = results_.size();
  results_.push_back(std::move(result));
}

std::vector<Benchmark> SuiteSink::missing(std::vector<Benchmark> benchmarks) const {
  std::erase_if(benchmarks, [&](const Benchmark& benchmark) { return by_key_.contains(work_order_key(benchmark)); });
  return benchmarks;
}

std::vector<Benchmark> SuiteSink::untimed(std::vector<Benchmark> benchmarks) const {
  std::erase_if(benchmarks, [&](const Benchmark& benchmark) {
    const auto at = by_key_.find(work_order_key(benchmark));
    return at == by_key_.end() || !results_[at->second].ok() || !results_[at->second].measurement.empty();
  });
  return benchmarks;
}

void SuiteSink::take(Result result) {
  SuiteRecord record = parse_record(result.extra);
  if (result.taken_over.empty()) record.unix_time = static_cast<int64_t>(std::time(nullptr));
  record.file = options_.suite_file;
  result.extra = record_text(record);
  name_folders(result.fingerprint, options_.folders);
  if (result.taken_over.empty()) check_alike(result);
  if (kept_ && !result.ok()) {
    kept_->push_back(result);
    has_failed_ = true;
  } else {
    replace_by_kept();
    if (appender_) appender_->append(result);
  }
  remember(std::move(result));
}

void SuiteSink::replace_by_kept() {
  if (kept_) appender_->replace(*std::exchange(kept_, std::nullopt));
}

void SuiteSink::take_time(const Benchmark& benchmark, const Measurement& measurement) {
  Result& result = results_.at(by_key_.at(work_order_key(benchmark)));
  result.measurement = dump_json(to_json(measurement), -1);
  if (appender_) appender_->append_measurement(result_key(result), result.measurement);
}

void SuiteSink::check_alike(const Result& result) const {
  if (!result.ok()) return;
  const auto at = begun_under_.find({result.task.language, result.task.num_threads});
  if (at == begun_under_.end()) return;
  Comparability answer = comparable(at->second, run_facts(result, result.fingerprint));
  std::vector<std::string> why = answer.refusals;
  why.insert(why.end(), answer.differences.begin(), answer.differences.end());
  if (why.empty()) return;
  throw Error(ErrorKind::kCannotJudge, fmt::format("cannot resume {}: it was measured under different conditions: {}",
                                                   options_.path, fmt::join(why, "; ")));
}

std::vector<Result> SuiteSink::take_results() {
  if (has_failed_) replace_by_kept();
  sort_by_position(results_);
  return std::move(results_);
}

}  // namespace icount
