#include "icount/gate/gate_files.h"

#include <fmt/format.h>

#include "icount/base/compression.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/text.h"
#include "icount/inputs/load_profile.h"
#include "icount/inputs/run_files.h"
#include "icount/store/measurement_file.h"
#include "icount/store/result_file.h"
#include "icount/suite/definition_file.h"
#include "icount/suite/limits_table.h"
#include "icount/suite/plan.h"
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

/// No suite's TOML begins so. Compressed profiles are known by their compression.
bool begins_as_profile(std::string_view bytes) {
  const std::string_view start = trim(bytes.substr(0, 200));
  for (const std::string_view first :
       {"# callgrind format", "version:", "creator:", "pid:", "cmd:", "desc:", "positions:", "events:"})
    if (start.starts_with(first)) return true;
  return false;
}

/// Named by its command line, as `icount count -- PROGRAM` names a program.
MeasuredFile profile_as_results(const FileBytes& bytes, const std::string& path) {
  LoadedProfile profile = parse_profile_insides(bytes, path);
  name_insides(profile, path);
  Result result;
  result.task.program = {profile.command.empty() ? "profile" : profile.command};
  result.event = profile.graph.events.front();
  result.counts = {profile.graph.totals.front()};
  result.graph = std::make_shared<const CostGraph>(std::move(profile.graph));
  result.stacks = std::move(profile.stacks);
  MeasuredFile measured{.small_collection = std::move(profile.small_collection),
                        .is_profile = true,
                        .warnings = std::move(profile.warnings)};
  measured.file.results.push_back(std::move(result));
  return measured;
}

}  // namespace

bool is_measured(const std::string& path) {
  const FileBytes bytes = load_run_file(path);
  if (detect_compression(bytes.view()) != Compression::kNone || begins_as_profile(bytes.view())) return true;
  const std::string_view start = trim(bytes.view().substr(0, 200));
  // A suite's TOML may begin with '[', but then a name follows, not JSON's value.
  return start.starts_with('{') || (start.starts_with('[') && start.find_first_of("{]", 1) != std::string_view::npos &&
                                    trim(start.substr(1)).starts_with('{'));
}

MeasuredFile load_measured(const std::string& path) {
  const FileBytes bytes = load_run_file(path);
  if (looks_like_result_file(bytes.view())) {
    LoadedResults loaded = parse_result_file(bytes.view(), path);
    return {.file = std::move(loaded.file), .warnings = std::move(loaded.warnings)};
  }
  if (detect_compression(bytes.view()) != Compression::kNone || begins_as_profile(bytes.view()))
    return profile_as_results(bytes, path);
  const LoadedMeasurements timings = load_measurements(path);
  MeasuredFile measured{.warnings = timings.warnings};
  for (const Measurement& timing : merge(timings.measurements))
    measured.file.results.push_back(timing_as_result(timing));
  check_result_keys(measured.file, path);
  return measured;
}

std::string suite_of(const ResultFile& file) {
  for (const Result& result : file.results)
    if (std::string suite = parse_record(result.extra).file; !suite.empty()) return suite;
  return {};
}

std::map<std::string, Place> load_benchmark_places(const std::string& suite) {
  std::map<std::string, Place> places;
  for (const Benchmark& benchmark : materialize_suite(load_suite(suite)))
    places.emplace(benchmark_name(benchmark), benchmark.place);
  return places;
}

std::filesystem::path expected_beside(const std::filesystem::path& suite) {
  return std::filesystem::path(suite).replace_extension(".expected");
}

std::filesystem::path usual_expected(const ResultFile& file, const std::string& suite) {
  if (!suite.empty()) return expected_beside(suite);
  const auto is_test = [&](const Result& result) { return is_test_in(file, result); };
  return !file.results.empty() && std::all_of(file.results.begin(), file.results.end(), is_test) ? "tests.expected"
                                                                                                 : "";
}

LimitSet collect_limits(const std::string& suite, const std::vector<std::string>& limit_options) {
  std::vector<GateLimit> limits = default_limits();
  if (!suite.empty())
    for (GateLimit& limit : gate_limits(load_suite(suite))) limits.push_back(std::move(limit));
  for (const std::string& option : limit_options) limits.push_back(parse_limit_option(option));
  return LimitSet(std::move(limits));
}

std::vector<GrowthLimit> growth_limits(const Suite& suite) {
  std::vector<GrowthLimit> limits;
  for (const GrowthBenchmark& growth : suite.growths) limits.push_back(growth.limit);
  return limits;
}

std::string suite_for_limits(const ResultFile& file, const std::string& option, const std::string& result_name) {
  if (option == "none") return {};
  if (!option.empty()) return option;
  std::string suite = suite_of(file);
  if (!suite.empty() && !std::filesystem::exists(suite))
    throw Error(ErrorKind::kUsage, fmt::format("{} was measured with {}, which is not found: pass --suite FILE for its "
                                               "limits, or --suite none to ignore them",
                                               result_name, suite));
  return suite;
}

}  // namespace icount
