#include "goldens/golden_checks.h"

namespace icount {
namespace {

std::optional<std::string> optional_text(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<std::string>());
}

}  // namespace

TaskSpec task_spec_of(const Json& json) {
  TaskSpec spec;
  spec.stmt = json.at("stmt");
  spec.setup = json.at("setup");
  spec.global_setup = json.at("global_setup");
  spec.label = optional_text(json.at("label"));
  spec.sub_label = optional_text(json.at("sub_label"));
  spec.description = optional_text(json.at("description"));
  spec.env = optional_text(json.at("env"));
  spec.num_threads = json.at("num_threads");
  return spec;
}

FunctionCounts counts_of(const Json& rows, bool inclusive, bool truncate_rows) {
  std::vector<FunctionCount> counts;
  for (const Json& row : rows) counts.push_back({row.at(0).get<int64_t>(), row.at(1).get<std::string>()});
  return FunctionCounts(std::move(counts), inclusive, truncate_rows);
}

Measurement measurement_of(const Json& json) {
  return Measurement(json.at("number_per_run").get<int64_t>(), json.at("raw_times").get<std::vector<double>>(),
                     task_spec_of(json.at("task_spec")), json.value("metadata", Json()));
}

}  // namespace icount
