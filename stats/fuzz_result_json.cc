#include "icount/stats/fuzz_result_json.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "icount/base/error.h"
#include "icount/base/json_number.h"

namespace icount {
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

}  // namespace icount
