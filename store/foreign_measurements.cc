#include "icount/store/foreign_measurements.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "icount/base/error.h"
#include "icount/base/json_number.h"

namespace icount {
namespace {

[[noreturn]] void fail(std::string_view place, std::string_view what) {
  throw Error(ErrorKind::kMalformed, fmt::format("{}: {}", place, what));
}

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

}  // namespace

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

}  // namespace icount
