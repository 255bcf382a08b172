#include "icount/gate/gate_files.h"

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/text.h"
#include "icount/store/measurement_file.h"
#include "icount/store/result_file.h"
#include "icount/suite/definition_file.h"
#include "icount/suite/limits_table.h"
#include "icount/suite/suite_record.h"

namespace icount {
namespace {

/// Judged like a count, with wall time as its own event: a plain --limit 5% is then meant for it.
Result timing_as_result(const Measurement& timing) {
  Result result;
  const TaskSpec& task = timing.task_spec();
  for (const auto& part : {task.label, task.sub_label, task.description})
    if (part && !part->empty()) result.label.push_back(*part);
  result.task.stmt = task.stmt;
  result.task.num_threads = static_cast<int>(task.num_threads);
  result.event = kWallTime;
  result.measurement = dump_json(to_json(timing), -1);
  return result;
}

}  // namespace

bool holds_results(const std::string& path) {
  const FileBytes bytes = load_file(path);
  const std::string_view start = trim(bytes.view().substr(0, 200));
  // A suite's TOML may begin with '[', but then a name follows, not JSON's value.
  return start.starts_with('{') || (start.starts_with('[') && start.find_first_of("{]", 1) != std::string_view::npos &&
                                    trim(start.substr(1)).starts_with('{'));
}

ResultFile load_results_or_timings(const std::string& path, std::vector<std::string>& warnings) {
  const FileBytes bytes = load_file(path);
  if (looks_like_result_file(bytes.view())) {
    LoadedResults loaded = parse_result_file(bytes.view(), path);
    warnings.insert(warnings.end(), loaded.warnings.begin(), loaded.warnings.end());
    return std::move(loaded.file);
  }
  const LoadedMeasurements timings = load_measurements(path);
  warnings.insert(warnings.end(), timings.warnings.begin(), timings.warnings.end());
  ResultFile file;
  for (const Measurement& timing : merge(timings.measurements)) file.results.push_back(timing_as_result(timing));
  check_result_keys(file, path);
  return file;
}

std::string suite_of(const ResultFile& file) {
  for (const Result& result : file.results)
    if (std::string suite = parse_record(result.extra).file; !suite.empty()) return suite;
  return {};
}

std::filesystem::path expected_beside(const std::filesystem::path& suite) {
  return std::filesystem::path(suite).replace_extension(".expected");
}

std::vector<std::string> read_limit_options(const ParsedOptions& parsed) {
  std::vector<std::string> limits = parsed.texts("limit");
  for (const std::string& limit : limits) {
    try {
      parse_limit_option(limit);
    } catch (const Error& error) {
      parsed.problem(error.what());
    }
  }
  return limits;
}

LimitSet collect_limits(const std::string& suite, const std::vector<std::string>& limit_options) {
  std::vector<GateLimit> limits = default_limits();
  if (!suite.empty())
    for (GateLimit& limit : gate_limits(load_suite(suite))) limits.push_back(std::move(limit));
  for (const std::string& option : limit_options) limits.push_back(parse_limit_option(option));
  return LimitSet(std::move(limits));
}

std::string suite_for_limits(const ResultFile& file, const std::string& option, const std::string& result_name) {
  if (option == "none") return {};
  if (!option.empty()) return option;
  std::string suite = suite_of(file);
  if (!suite.empty() && !std::filesystem::exists(suite))
    throw Error(ErrorKind::kUsage, fmt::format("{} was measured with {}, which is not here: --suite FILE says where "
                                               "its limits are, --suite none goes without",
                                               result_name, suite));
  return suite;
}

}  // namespace icount
