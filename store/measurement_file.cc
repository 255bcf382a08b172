#include "icount/store/measurement_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/text.h"
#include "icount/stats/fuzz_result.h"
#include "icount/store/result_file.h"

namespace icount {
namespace {

[[noreturn]] void fail(std::string_view place, std::string_view what) {
  throw Error(ErrorKind::kMalformed, fmt::format("{}: {}", place, what));
}

Json optional_json(const std::optional<std::string>& text) { return text ? Json(*text) : Json(nullptr); }

std::string text_field(const Json& json, std::string_view key, std::string_view place) {
  const Json& value = json_field(json, key, place);
  if (!value.is_string()) fail(place, fmt::format("field '{}' is not a string", key));
  return value.get<std::string>();
}

std::optional<std::string> optional_field(const Json& json, std::string_view key, std::string_view place) {
  return json_field(json, key, place).is_null() ? std::nullopt : std::optional(text_field(json, key, place));
}

}  // namespace

Json to_json(const TaskSpec& spec) {
  return {{"stmt", spec.stmt},
          {"setup", spec.setup},
          {"global_setup", spec.global_setup},
          {"label", optional_json(spec.label)},
          {"sub_label", optional_json(spec.sub_label)},
          {"description", optional_json(spec.description)},
          {"env", optional_json(spec.env)},
          {"num_threads", spec.num_threads}};
}

TaskSpec parse_task_spec(const Json& json, std::string_view place) {
  TaskSpec spec;
  spec.stmt = text_field(json, "stmt", place);
  spec.setup = text_field(json, "setup", place);
  spec.global_setup = text_field(json, "global_setup", place);
  spec.label = optional_field(json, "label", place);
  spec.sub_label = optional_field(json, "sub_label", place);
  spec.description = optional_field(json, "description", place);
  spec.env = optional_field(json, "env", place);
  int64_t threads = json_whole_number_field(json, "num_threads", place);
  if (threads < 1 || threads > 1'000'000) fail(place, fmt::format("field 'num_threads' is {}", threads));
  spec.num_threads = static_cast<int>(threads);
  return spec;
}

namespace {

constexpr std::string_view kSchemaName = "icount-measurements";

void check_header(std::string_view line, std::string_view name) {
  std::string place = fmt::format("{}:1", name);
  Json header = parse_json(line, name);
  const Json& schema = json_field(header, "schema", place);
  if (text_field(schema, "name", place) != kSchemaName)
    fail(place, fmt::format("not a measurement file of icount (no schema \"{}\")", kSchemaName));
  int64_t version = json_whole_number_field(schema, "version", place);
  if (version > kMeasurementFormatVersion)
    fail(place, fmt::format("version {} of the format; this icount reads up to {}: use a newer icount", version,
                            kMeasurementFormatVersion));
  if (version < 1) fail(place, fmt::format("version {} of the format: there is none below 1", version));
}

// The measurements that a saved result carries as text.
LoadedMeasurements measurements_of_results(std::string_view bytes, const std::string& name) {
  LoadedResults results = parse_result_file(bytes, name);
  LoadedMeasurements loaded{.warnings = std::move(results.warnings)};
  for (const Result& result : results.file.results) {
    if (result.measurement.empty()) continue;
    std::string place = fmt::format("{}: measurement of '{}'", name, result_label(result));
    try {
      loaded.measurements.push_back(parse_measurement(parse_json(result.measurement, place), place));
    } catch (const Error& error) {
      loaded.warnings.push_back(error.what());
    }
  }
  return loaded;
}

bool looks_like_measurement_file(std::string_view bytes) {
  std::string_view first = bytes.substr(0, bytes.find('\n'));
  return first.find(kSchemaName) != std::string_view::npos;
}

}  // namespace

Json to_json(const Measurement& measurement) {
  Json json;
  json["task_spec"] = to_json(measurement.task_spec());
  json["number_per_run"] = measurement.number_per_run();
  json["raw_times"] = measurement.raw_times();
  json["metadata"] = measurement.metadata();
  return json;
}

Measurement parse_measurement(const Json& json, std::string_view place) {
  TaskSpec spec = parse_task_spec(json_field(json, "task_spec", place), place);
  int64_t number = json_whole_number_field(json, "number_per_run", place);
  const Json& times = json_field(json, "raw_times", place);
  if (!times.is_array()) fail(place, "field 'raw_times' is not a list");
  std::vector<double> raw_times;
  for (const Json& time : times) {
    if (!time.is_number()) fail(place, fmt::format("time {} is not a number", raw_times.size()));
    raw_times.push_back(time.get<double>());
  }
  try {
    return Measurement(number, std::move(raw_times), std::move(spec), json_field(json, "metadata", place));
  } catch (const Error& error) {
    fail(place, error.what());
  }
}

std::string measurement_file_text(std::span<const Measurement> measurements) {
  Json header{{"schema", {{"name", kSchemaName}, {"version", kMeasurementFormatVersion}}}};
  std::string text = dump_json(header, -1) + "\n";
  for (const Measurement& measurement : measurements) text += dump_json(to_json(measurement), -1) + "\n";
  return text;
}

LoadedMeasurements parse_measurement_file(std::string_view bytes, std::string_view name) {
  std::vector<std::string_view> lines = split_lines(bytes);
  if (lines.empty()) fail(name, "empty, not a measurement file");
  check_header(lines[0], name);
  LoadedMeasurements loaded;
  for (size_t i = 1; i < lines.size(); ++i) {
    std::string place = fmt::format("{}:{}", name, i + 1);
    try {
      loaded.measurements.push_back(parse_measurement(parse_json(lines[i], place), place));
    } catch (const Error& error) {
      loaded.warnings.push_back(fmt::format("{}; this measurement is left out", error.what()));
    }
  }
  return loaded;
}

void save_measurements(const std::filesystem::path& path, std::span<const Measurement> measurements) {
  save_file(path, measurement_file_text(measurements));
}

LoadedMeasurements load_measurements(const std::filesystem::path& path) {
  FileBytes bytes = load_file(path);
  std::string name = path.string();
  if (looks_like_measurement_file(bytes.view())) return parse_measurement_file(bytes.view(), name);
  if (looks_like_result_file(bytes.view())) return measurements_of_results(bytes.view(), name);
  if (looks_like_fuzz_result(bytes.view()))
    return {fuzz_measurements(fuzz_result_from_json(parse_json(bytes.view(), name), name), name), {}};
  return parse_foreign_measurements(bytes.view(), name);
}

namespace {

double number_field(const Json& json, std::string_view key, std::string_view place) {
  const Json& value = json_field(json, key, place);
  if (!value.is_number()) fail(place, fmt::format("field '{}' is not a number", key));
  return value.get<double>();
}

std::string text_or(const Json& json, const char* key, std::string_view otherwise) {
  auto at = json.find(key);
  return at != json.end() && at->is_string() ? at->get<std::string>() : std::string(otherwise);
}

constexpr int64_t kMaxThreads = 1'000'000;  // as a measurement file has it

// 1 for an absent field.
int64_t count_or_one(const Json& json, const char* key, int64_t largest, std::string_view place) {
  if (!json.contains(key)) return 1;
  const int64_t count = json_whole_number_field(json, key, place);
  if (count < 0 || count > largest) fail(place, fmt::format("field '{}' is {}", key, count));
  return std::max<int64_t>(count, 1);
}

double seconds_per_unit(std::string_view unit, std::string_view place) {
  if (unit == "ns") return 1e-9;
  if (unit == "us") return 1e-6;
  if (unit == "ms") return 1e-3;
  if (unit == "s") return 1;
  fail(place, fmt::format("unknown time unit '{}'", unit));
}

// All rows of one benchmark and thread count.
struct Repetitions {
  TaskSpec spec;
  int64_t iterations = 1;  // of the first row
  bool same_iterations = true;
  std::vector<double> seconds;  // per run
  bool from_aggregate = false;
};

class GoogleBenchmarkReader {
 public:
  GoogleBenchmarkReader(const Json& json, std::string_view name) : name_(name) {
    if (json.contains("context") && json["context"].is_object()) {
      std::string program = text_or(json["context"], "executable", "");
      label_ = program.substr(program.rfind('/') + 1);
    }
    if (label_.empty()) label_ = "Google Benchmark";
  }

  void read(const Json& row, size_t index) {
    std::string place = fmt::format("{}: benchmark {}", name_, index);
    std::string run_name = text_or(row, "run_name", text_or(row, "name", ""));
    if (run_name.empty()) fail(place, "no name");
    bool is_aggregate = text_or(row, "run_type", "iteration") == "aggregate";
    if (is_aggregate && text_or(row, "aggregate_name", "") != "median") return;
    if (row.value("error_occurred", false) || row.value("skipped", false)) {
      std::string why = text_or(row, "error_message", text_or(row, "skip_message", "no reason given"));
      warnings_.push_back(fmt::format("{}: '{}' is left out because it failed: {}", name_, run_name, why));
      return;
    }
    add(row, run_name, is_aggregate, place);
  }

  LoadedMeasurements finish() && {
    LoadedMeasurements loaded{.warnings = std::move(warnings_)};
    for (Repetitions& group : groups_) {
      int64_t number = group.same_iterations && !group.from_aggregate ? group.iterations : 1;
      for (double& time : group.seconds) time *= static_cast<double>(number);
      if (group.from_aggregate)
        loaded.warnings.push_back(
            fmt::format("{}: '{}' has only aggregates: its median is taken as a single block", name_, group.spec.stmt));
      in_context(name_, [&] {
        loaded.measurements.emplace_back(number, std::move(group.seconds), std::move(group.spec),
                                         Json{{"source", "google-benchmark"}});
      });
    }
    return loaded;
  }

 private:
  void add(const Json& row, const std::string& run_name, bool is_aggregate, const std::string& place) {
    TaskSpec spec;
    spec.stmt = run_name;
    spec.sub_label = run_name;
    spec.label = label_;
    spec.description = name_;
    spec.num_threads = static_cast<int>(count_or_one(row, "threads", kMaxThreads, place));
    double seconds = number_field(row, "real_time", place) * seconds_per_unit(text_or(row, "time_unit", "ns"), place);
    int64_t iterations = count_or_one(row, "iterations", std::numeric_limits<int64_t>::max(), place);
    auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Repetitions& g) { return g.spec == spec; });
    if (group == groups_.end()) {
      groups_.push_back({std::move(spec), iterations, true, {seconds}, is_aggregate});
      return;
    }
    if (is_aggregate) return;  // the repetitions themselves are there
    if (group->from_aggregate) *group = {group->spec, iterations, true, {}, false};
    group->same_iterations = group->same_iterations && group->iterations == iterations;
    group->seconds.push_back(seconds);
  }

  std::string name_;
  std::string label_;
  std::vector<Repetitions> groups_;
  std::vector<std::string> warnings_;
};

Measurement hyperfine_measurement(const Json& row, std::string_view name, const std::string& place,
                                  std::vector<std::string>& warnings) {
  TaskSpec spec;
  spec.stmt = text_or(row, "command", "");
  if (spec.stmt.empty()) fail(place, "no command");
  spec.sub_label = spec.stmt;
  spec.label = "hyperfine";
  spec.description = std::string(name);
  std::vector<double> times;
  if (row.contains("times") && row["times"].is_array()) {
    for (const Json& time : row["times"]) {
      if (!time.is_number()) fail(place, fmt::format("time {} is not a number", times.size()));
      times.push_back(time.get<double>());
    }
  } else {
    times.push_back(number_field(row, row.contains("median") ? "median" : "mean", place));
    warnings.push_back(
        fmt::format("{}: '{}' has no list of times: its median is taken as a single block", name, spec.stmt));
  }
  Json metadata{{"source", "hyperfine"}};
  if (row.contains("parameters")) metadata["parameters"] = row["parameters"];
  return Measurement(1, std::move(times), std::move(spec), std::move(metadata));
}

/// Repetitions of one benchmark and thread count are the blocks of one Measurement, real time, labelled with
/// the program's name. Where only aggregates were written, the median row is its one block, and a warning
/// says so. Runs with errors are left out with a warning.
LoadedMeasurements parse_google_benchmark(const Json& json, std::string_view name) {
  const Json& rows = json_field(json, "benchmarks", name);
  if (!rows.is_array()) fail(name, "field 'benchmarks' is not a list");
  GoogleBenchmarkReader reader(json, name);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].is_object()) fail(name, fmt::format("benchmark {} is not an object", i));
    reader.read(rows[i], i);
  }
  return std::move(reader).finish();
}

/// One Measurement per command with its times as blocks of one run; parameters go to the metadata.
LoadedMeasurements parse_hyperfine(const Json& json, std::string_view name) {
  const Json& rows = json_field(json, "results", name);
  if (!rows.is_array()) fail(name, "field 'results' is not a list");
  LoadedMeasurements loaded;
  for (size_t i = 0; i < rows.size(); ++i) {
    std::string place = fmt::format("{}: result {}", name, i);
    if (!rows[i].is_object()) fail(place, "no object");
    loaded.measurements.push_back(hyperfine_measurement(rows[i], name, place, loaded.warnings));
    const Json codes = rows[i].value("exit_codes", Json::array());
    bool failed = std::any_of(codes.begin(), codes.end(), [](const Json& code) { return code != 0; });
    if (failed)
      loaded.warnings.push_back(
          fmt::format("{}: some runs of '{}' failed", name, *loaded.measurements.back().task_spec().sub_label));
  }
  return loaded;
}

}  // namespace

LoadedMeasurements parse_foreign_measurements(std::string_view bytes, std::string_view name) {
  Json json;
  bool is_json = true;
  try {
    json = parse_json(bytes, name);
  } catch (const Error&) {
    if (bytes.substr(0, 256).find('{') != std::string_view::npos) throw;
    is_json = false;
  }
  // The field types are the other tool's promise; a broken one surfaces as nlohmann's own exception.
  try {
    if (is_json && json.is_object() && json.contains("benchmarks")) return parse_google_benchmark(json, name);
    if (is_json && json.is_object() && json.contains("results")) return parse_hyperfine(json, name);
  } catch (const Json::exception& error) {
    fail(name, fmt::format("a field has an unexpected type: {}", error.what()));
  }
  fail(name,
       "no timings: expected a file of icount time --out, of Google Benchmark (--benchmark_out) or of "
       "hyperfine (--export-json)");
}

namespace {

constexpr std::string_view kStatsSchemaName = "icount-callgrind-stats";

/// [[count, "function"], ...] in that order.
Json rows_json(const FunctionCounts& counts) {
  Json rows = Json::array();
  for (const FunctionCount& row : counts) rows.push_back({row.count, row.function});
  return rows;
}

FunctionCounts parse_rows(const Json& tables, std::string_view table, bool inclusive, std::string_view name) {
  const Json& rows = json_field(tables, table, name);
  if (!rows.is_array()) fail(name, fmt::format("table '{}' is not a list", table));
  std::vector<FunctionCount> out;
  for (const Json& row : rows) {
    const bool fits = row.is_array() && row.size() == 2 && row[0].is_number_integer() && row[1].is_string();
    if (!fits) fail(name, fmt::format("row {} of table '{}' is not [count, function]", out.size(), table));
    out.push_back({row[0].get<int64_t>(), row[1].get<std::string>()});
  }
  return FunctionCounts(std::move(out), inclusive);
}

void check_schema(const Json& json, std::string_view name) {
  const Json& schema = json_field(json, "schema", name);
  if (json_field(schema, "name", name) != kStatsSchemaName)
    fail(name, fmt::format("not saved CallgrindStats (no schema \"{}\")", kStatsSchemaName));
  const int64_t version = json_whole_number_field(schema, "version", name);
  if (version < 1 || version > kCallgrindStatsFormatVersion)
    fail(name, fmt::format("version {} of the format; this icount reads up to {}: use a newer icount", version,
                           kCallgrindStatsFormatVersion));
}

}  // namespace

std::string callgrind_stats_text(const CallgrindStats& stats) {
  Json json;
  json["schema"] = {{"name", kStatsSchemaName}, {"version", kCallgrindStatsFormatVersion}};
  json["task_spec"] = to_json(stats.task_spec());
  json["number_per_run"] = stats.number_per_run();
  json["built_with_debug_symbols"] = stats.built_with_debug_symbols();
  json["tables"] = {{"baseline_inclusive", rows_json(stats.baseline(true))},
                    {"baseline_exclusive", rows_json(stats.baseline(false))},
                    {"stmt_inclusive", rows_json(stats.stats(true))},
                    {"stmt_exclusive", rows_json(stats.stats(false))}};
  return dump_json(json) + "\n";
}

CallgrindStats parse_callgrind_stats(std::string_view bytes, std::string_view name) {
  const Json json = parse_json(bytes, name);
  check_schema(json, name);
  const Json& symbols = json_field(json, "built_with_debug_symbols", name);
  if (!symbols.is_boolean()) fail(name, "field 'built_with_debug_symbols' is not true or false");
  const Json& tables = json_field(json, "tables", name);
  const int64_t number = json_whole_number_field(json, "number_per_run", name);
  if (number < 1) fail(name, fmt::format("field 'number_per_run' is {}", number));
  return CallgrindStats({.task_spec = parse_task_spec(json_field(json, "task_spec", name), name),
                         .number_per_run = number,
                         .built_with_debug_symbols = symbols.get<bool>(),
                         .baseline_inclusive = parse_rows(tables, "baseline_inclusive", true, name),
                         .baseline_exclusive = parse_rows(tables, "baseline_exclusive", false, name),
                         .stmt_inclusive = parse_rows(tables, "stmt_inclusive", true, name),
                         .stmt_exclusive = parse_rows(tables, "stmt_exclusive", false, name)});
}

void save_callgrind_stats(const std::filesystem::path& path, const CallgrindStats& stats) {
  save_file(path, callgrind_stats_text(stats));
}

CallgrindStats load_callgrind_stats(const std::filesystem::path& path) {
  return parse_callgrind_stats(load_file(path).view(), path.string());
}

std::vector<std::optional<Measurement>> load_times(std::span<const Result> results) {
  std::vector<std::optional<Measurement>> times;
  for (const Result& result : results) {
    times.emplace_back();
    const std::string place = "wall time of " + result_key(result);
    if (!result.measurement.empty()) times.back() = parse_measurement(parse_json(result.measurement, place), place);
  }
  return times;
}

}  // namespace icount
