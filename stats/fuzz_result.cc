#include "icount/stats/fuzz_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "icount/base/error.h"

namespace icount {
namespace {

std::vector<std::pair<double, double>> positive_logs(std::span<const std::pair<double, double>> points) {
  std::vector<std::pair<double, double>> logs;
  for (const auto& [x, y] : points)
    if (x > 0 && y > 0 && std::isfinite(x) && std::isfinite(y)) logs.emplace_back(std::log2(x), std::log2(y));
  return logs;
}

}  // namespace

std::optional<PowerFit> fit_power(std::span<const std::pair<double, double>> points) {
  const auto logs = positive_logs(points);
  if (logs.size() < 3) return std::nullopt;
  const auto n = static_cast<double>(logs.size());
  double mean_x = 0, mean_y = 0;
  for (const auto& [x, y] : logs) {
    mean_x += x / n;
    mean_y += y / n;
  }
  double square_x = 0, product = 0;
  for (const auto& [x, y] : logs) {
    square_x += (x - mean_x) * (x - mean_x);
    product += (x - mean_x) * (y - mean_y);
  }
  if (square_x < 1e-12) return std::nullopt;
  PowerFit fit;
  fit.points = static_cast<int64_t>(logs.size());
  fit.exponent = product / square_x;
  fit.factor = std::exp2(mean_y - fit.exponent * mean_x);
  double squares = 0;
  for (const auto& [x, y] : logs) {
    const double off = y - (mean_y + fit.exponent * (x - mean_x));
    squares += off * off;
  }
  fit.residual_log2 = std::sqrt(squares / n);
  return fit;
}

namespace {

std::vector<size_t> sorted_by(const FuzzResult& result, const std::vector<double>& keys, std::vector<size_t> indices) {
  std::sort(indices.begin(), indices.end(), [&](size_t a, size_t b) {
    if (keys[a] != keys[b]) return keys[a] < keys[b];
    return result.points[a].sample < result.points[b].sample;
  });
  return indices;
}

}  // namespace

std::string_view to_text(FuzzUnit unit) { return unit == FuzzUnit::kInstructions ? "instructions" : "seconds"; }

std::vector<size_t> by_cost_per_element(const FuzzResult& result) {
  std::vector<double> keys(result.points.size());
  std::vector<size_t> indices;
  for (size_t i = 0; i < result.points.size(); ++i) {
    const FuzzPoint& point = result.points[i];
    if (!point.cost.per_run || point.elements <= 0) continue;
    keys[i] = *point.cost.per_run / static_cast<double>(point.elements);
    indices.push_back(i);
  }
  return sorted_by(result, keys, std::move(indices));
}

std::vector<size_t> by_difference(const FuzzResult& result) {
  std::vector<double> keys(result.points.size());
  std::vector<size_t> indices;
  for (size_t i = 0; i < result.points.size(); ++i) {
    const auto difference = relative_difference(result.points[i]);
    if (!difference) continue;
    keys[i] = -std::abs(*difference);
    indices.push_back(i);
  }
  return sorted_by(result, keys, std::move(indices));
}

std::optional<double> relative_difference(const FuzzPoint& point) {
  if (!point.cost.per_run || !point.against || !point.against->per_run) return std::nullopt;
  const double sum = *point.cost.per_run + *point.against->per_run;
  if (sum == 0) return std::nullopt;
  return 2 * (*point.against->per_run - *point.cost.per_run) / sum;
}

std::optional<PowerFit> fit_cost(const FuzzResult& result, bool second) {
  std::vector<std::pair<double, double>> points;
  for (const FuzzPoint& point : result.points) {
    if (second && !point.against) continue;
    const FuzzCost& cost = second ? *point.against : point.cost;
    if (cost.per_run) points.emplace_back(static_cast<double>(point.elements), *cost.per_run);
  }
  return fit_power(points);
}

int64_t failed_points(const FuzzResult& result) {
  return std::count_if(result.points.begin(), result.points.end(), [](const FuzzPoint& point) {
    return !point.cost.per_run || (point.against && !point.against->per_run);
  });
}

std::string unlike(const FuzzResult& there, const FuzzResult& here) {
  const auto differs = [](std::string_view what, const auto& one, const auto& other) {
    return one == other ? std::string() : fmt::format("the {} is '{}' there and '{}' here", what, one, other);
  };
  for (const std::string& difference :
       {differs("statement", there.stmt, here.stmt), differs("second statement", there.against, here.against),
        differs("source of samples", there.source, here.source), differs("seed", there.seed, here.seed),
        differs("number of runs", there.number, here.number), differs("unit", to_text(there.unit), to_text(here.unit)),
        differs("circumstance", there.circumstances, here.circumstances)})
    if (!difference.empty()) return difference;
  return {};
}

namespace {

constexpr std::string_view kSchema = "icount-fuzz";
constexpr int kVersion = 1;

Json cost_json(const FuzzCost& cost) {
  Json json{{"per_run", cost.per_run ? Json(*cost.per_run) : Json(nullptr)}, {"status", cost.status}};
  if (!cost.error.empty()) json["error"] = cost.error;
  return json;
}

Json fit_json(const std::optional<PowerFit>& fit) {
  if (!fit) return nullptr;
  return Json{{"factor", fit->factor},
              {"exponent", fit->exponent},
              {"residual_log2", fit->residual_log2},
              {"points", fit->points}};
}

FuzzCost cost_from(const Json& json, std::string_view name) {
  FuzzCost cost;
  const Json& per_run = json_field(json, "per_run", name);
  if (!per_run.is_null()) cost.per_run = per_run.get<double>();
  cost.status = json_field(json, "status", name).get<std::string>();
  cost.error = json.value("error", "");
  return cost;
}

FuzzPoint point_from(const Json& json, std::string_view name) {
  FuzzPoint point;
  point.sample = json_whole_number_field(json, "sample", name);
  point.elements = json_whole_number_field(json, "elements", name);
  point.shape = json_field(json, "shape", name).get<std::string>();
  point.params = json_field(json, "params", name);
  point.cost = cost_from(json_field(json, "cost", name), name);
  if (json.contains("against")) point.against = cost_from(json["against"], name);
  return point;
}

uint64_t seed_from(const std::string& text, std::string_view name) {
  uint64_t seed = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (problem != std::errc() || end != text.data() + text.size())
    throw Error(ErrorKind::kMalformed, fmt::format("{}: seed '{}' is not a number", name, text));
  return seed;
}

void check_schema(const Json& json, std::string_view name) {
  const Json& schema = json_field(json, "schema", name);
  const std::string found = json_field(schema, "name", name).get<std::string>();
  const int64_t version = json_whole_number_field(schema, "version", name);
  if (found != kSchema)
    throw Error(ErrorKind::kMalformed, fmt::format("{}: holds '{}', not a fuzzer run", name, found));
  if (version > kVersion)
    throw Error(ErrorKind::kMalformed,
                fmt::format("{}: version {} of {}; this icount reads up to {}", name, version, kSchema, kVersion));
}

FuzzResult result_from(const Json& json, std::string_view name) {
  check_schema(json, name);
  FuzzResult result;
  result.stmt = json_field(json, "stmt", name).get<std::string>();
  result.against = json.value("against", "");
  if (json.contains("num_threads")) {
    const int64_t threads = json_whole_number_field(json, "num_threads", name);
    if (threads < 1 || threads > std::numeric_limits<int>::max())
      throw Error(ErrorKind::kMalformed,
                  fmt::format("{}: num_threads is {}: thread counts are 1 or more", name, threads));
    result.num_threads = static_cast<int>(threads);
  }
  result.setup = json.value("setup", "");
  result.global_setup = json.value("global_setup", "");
  result.source = json_field(json, "source", name).get<std::string>();
  result.seed = seed_from(json_field(json, "seed", name).get<std::string>(), name);
  result.number = json_whole_number_field(json, "number", name);
  result.unit = json_field(json, "unit", name) == "seconds" ? FuzzUnit::kSeconds : FuzzUnit::kInstructions;
  result.circumstances = json_field(json, "circumstances", name).get<std::string>();
  result.rejection_rate = json_field(json, "rejection_rate", name).get<double>();
  for (const Json& point : json_field(json, "points", name)) result.points.push_back(point_from(point, name));
  return result;
}

}  // namespace

Json fuzz_result_to_json(const FuzzResult& result) {
  Json points = Json::array();
  for (const FuzzPoint& point : result.points) {
    Json json{{"sample", point.sample},
              {"elements", point.elements},
              {"shape", point.shape},
              {"params", point.params},
              {"cost", cost_json(point.cost)}};
    if (point.against) json["against"] = cost_json(*point.against);
    points.push_back(std::move(json));
  }
  Json json{{"schema", {{"name", kSchema}, {"version", kVersion}}}, {"stmt", result.stmt}};
  if (!result.against.empty()) json["against"] = result.against;
  if (result.num_threads != 1) json["num_threads"] = result.num_threads;
  if (!result.setup.empty()) json["setup"] = result.setup;
  if (!result.global_setup.empty()) json["global_setup"] = result.global_setup;
  json["source"] = result.source;
  json["seed"] = fmt::format("{}", result.seed);
  json["number"] = result.number;
  json["unit"] = std::string(to_text(result.unit));
  json["circumstances"] = result.circumstances;
  json["rejection_rate"] = result.rejection_rate;
  json["fit"] = fit_json(fit_cost(result));
  if (!result.against.empty()) json["fit_against"] = fit_json(fit_cost(result, true));
  json["points"] = std::move(points);
  return json;
}

FuzzResult fuzz_result_from_json(const Json& json, std::string_view name) {
  try {
    return result_from(json, name);
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::kMalformed, fmt::format("{}: not a fuzzer run: {}", name, error.what()));
  }
}

bool looks_like_fuzz_result(std::string_view text) {
  constexpr size_t kHead = 4096;
  return text.starts_with('{') && text.substr(0, kHead).find("\"icount-fuzz\"") != std::string_view::npos;
}

std::vector<Measurement> fuzz_measurements(const FuzzResult& result, std::string_view name) {
  if (result.unit != FuzzUnit::kSeconds)
    throw Error(
        ErrorKind::kUsage,
        fmt::format("{}: this run counted instructions, and tables show times; measure them with icount fuzz --time",
                    name));
  std::vector<Measurement> measurements;
  const auto add = [&](const FuzzPoint& point, const FuzzCost& cost, const std::string& stmt) {
    if (!cost.per_run) return;
    TaskSpec task;
    task.stmt = stmt;
    task.setup = result.setup;
    task.global_setup = result.global_setup;
    task.num_threads = result.num_threads;
    task.label = "fuzz: " + result.source;
    // Two samples may have the same shapes: each has a row of its own.
    task.sub_label = fmt::format("{}: {}", point.sample, point.shape);
    task.description = stmt;
    measurements.emplace_back(1, std::vector<double>{*cost.per_run}, std::move(task),
                              Json{{"elements", point.elements}, {"params", point.params}});
  };
  for (const FuzzPoint& point : result.points) {
    add(point, point.cost, result.stmt);
    if (point.against) add(point, *point.against, result.against);
  }
  return measurements;
}

}  // namespace icount
