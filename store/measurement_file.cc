#include "icount/store/measurement_file.h"

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/json_number.h"
#include "icount/base/text.h"
#include "icount/stats/fuzz_measurements.h"
#include "icount/stats/fuzz_result_json.h"
#include "icount/store/foreign_measurements.h"
#include "icount/store/result_file.h"
#include "icount/store/task_spec_json.h"

namespace icount {
namespace {

constexpr std::string_view kSchemaName = "icount-measurements";

[[noreturn]] void fail(std::string_view place, std::string_view what) {
  throw Error(ErrorKind::kMalformed, fmt::format("{}: {}", place, what));
}

std::string text_field(const Json& json, std::string_view key, std::string_view place) {
  const Json& value = json_field(json, key, place);
  if (!value.is_string()) fail(place, fmt::format("field '{}' is not a string", key));
  return value.get<std::string>();
}

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

}  // namespace icount
