#include "icount/store/task_spec_json.h"

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/base/json_number.h"

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

}  // namespace icount
