#include "icount/store/result_record.h"

#include <fmt/format.h>

#include <limits>

#include "icount/base/error.h"
#include "icount/base/text_encodings.h"
#include "icount/store/cost_graph_blob.h"
#include "icount/store/result_file.h"

namespace icount {
namespace {

constexpr std::string_view kSchemaName = "icount-result";

/// Fields of one JSON object, each either absent (the default) or of the right kind.
class Fields {
 public:
  Fields(const Json& object, std::string_view place) : object_(object), place_(place) {
    if (!object.is_object()) fail("not a JSON object");
  }

  const Json* find(const char* key) const {
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }
  std::string text(const char* key, std::string_view otherwise = {}) const {
    const Json* value = find(key);
    if (!value) return std::string(otherwise);
    if (!value->is_string()) fail(fmt::format("field '{}' is not a string", key));
    return value->get<std::string>();
  }
  int64_t integer(const char* key, int64_t otherwise) const {
    const Json* value = find(key);
    return value ? as_integer(*value, key) : otherwise;
  }
  std::optional<double> number(const char* key) const {
    const Json* value = find(key);
    if (!value || value->is_null()) return std::nullopt;
    if (!value->is_number()) fail(fmt::format("field '{}' is not a number", key));
    return value->get<double>();
  }
  template <typename Visit>
  void each(const char* key, Visit visit) const {
    const Json* value = find(key);
    if (!value) return;
    if (!value->is_array()) fail(fmt::format("field '{}' is not a list", key));
    for (const Json& entry : *value) visit(entry);
  }
  std::vector<std::string> texts(const char* key) const {
    std::vector<std::string> out;
    each(key, [&](const Json& entry) {
      if (!entry.is_string()) fail(fmt::format("field '{}' holds something other than a string", key));
      out.push_back(entry.get<std::string>());
    });
    return out;
  }
  std::string nested(const char* key) const {
    const Json* value = find(key);
    return value && !value->is_null() ? dump_json(*value, -1) : std::string();
  }
  int64_t as_integer(const Json& value, const char* key) const {
    const std::optional<int64_t> number = json_whole_number(value);
    if (!number) fail(fmt::format("field '{}' is not a 64-bit integer", key));
    return *number;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::kMalformed, fmt::format("{}: {}", place_, what));
  }

 private:
  const Json& object_;
  std::string_view place_;
};

void set_text(Json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

void set_nested(Json& object, const char* key, const std::string& json_text) {
  if (!json_text.empty()) object[key] = parse_json(json_text, key);
}

/// {"index": 1, "count": 4, "plan": [[position, "name"], ...]}.
Json shard_to_json(const ShardOf& shard) {
  Json plan = Json::array();
  for (const PlannedBenchmark& benchmark : shard.plan) plan.push_back({benchmark.position, benchmark.name});
  return {{"index", shard.index}, {"count", shard.count}, {"plan", plan}};
}

ShardOf shard_from_json(const Json& json, std::string_view place) {
  const Fields fields(json, place);
  ShardOf shard{fields.integer("index", 1), fields.integer("count", 1), {}};
  fields.each("plan", [&](const Json& entry) {
    if (!entry.is_array() || entry.size() != 2 || !entry[1].is_string())
      fields.fail("field 'plan' of the shard holds something other than [position, name]");
    shard.plan.push_back({fields.as_integer(entry[0], "plan"), entry[1].get<std::string>()});
  });
  return shard;
}

Json task_to_json(const ResultTask& task) {
  Json json = Json::object();
  set_text(json, "stmt", task.stmt);
  set_text(json, "setup", task.setup);
  set_text(json, "global_setup", task.global_setup);
  json["language"] = task.language;
  set_text(json, "backward", task.backward);
  set_text(json, "module_path", task.module_path);
  if (!task.program.empty()) json["program"] = task.program;
  json["num_threads"] = task.num_threads;
  return json;
}

ResultTask task_from_json(const Json& json, std::string_view place) {
  const Fields fields(json, place);
  ResultTask task;
  task.stmt = fields.text("stmt");
  task.setup = fields.text("setup");
  task.global_setup = fields.text("global_setup");
  task.language = fields.text("language", "c++");
  task.backward = fields.text("backward");
  task.module_path = fields.text("module_path");
  task.program = fields.texts("program");
  const int64_t threads = fields.integer("num_threads", 1);
  if (threads < 1 || threads > std::numeric_limits<int>::max()) fields.fail("field 'num_threads' is out of range");
  task.num_threads = static_cast<int>(threads);
  return task;
}

Json process_to_json(const ResultProcess& process) {
  Json json{{"command", process.command}, {"argv", process.argv}, {"order", process.order}, {"status", process.status}};
  json["counts"] = process.counts;
  if (!process.graph_blob.empty())
    json["graph"] = to_base64(process.graph_blob);
  else if (process.graph)
    json["graph"] = to_base64(encode_cost_graph(*process.graph));
  return json;
}

ResultProcess process_from_json(const Json& json, std::string_view place) {
  const Fields fields(json, place);
  ResultProcess process;
  process.command = fields.text("command");
  process.argv = fields.texts("argv");
  process.order = fields.integer("order", 0);
  process.status = fields.text("status", "done");
  fields.each("counts", [&](const Json& entry) { process.counts.push_back(fields.as_integer(entry, "counts")); });
  if (const std::string graph = fields.text("graph"); !graph.empty()) process.graph_blob = from_base64(graph, place);
  return process;
}

}  // namespace

Json header_to_json(const ResultFile& file) {
  Json json;
  json["schema"] = {{"name", kSchemaName}, {"version", kResultFormatVersion}};
  set_text(json, "command", file.command);
  if (file.planned > 0) json["planned"] = file.planned;
  if (!file.fingerprint.unknown()) json["fingerprint"] = to_json(file.fingerprint);
  if (file.shard) json["shard"] = shard_to_json(*file.shard);
  return json;
}

ResultFile header_from_json(const Json& json, std::string_view place) {
  const Fields fields(json, place);
  const Json* schema = fields.find("schema");
  if (!schema || Fields(*schema, place).text("name") != kSchemaName)
    fields.fail("not a saved result of icount (no schema \"icount-result\")");
  const int64_t version = Fields(*schema, place).integer("version", 0);
  if (version > kResultFormatVersion)
    fields.fail(fmt::format("result format version {} was written by a newer icount; this one reads up to {}", version,
                            kResultFormatVersion));
  if (version < 1) fields.fail("the schema has no version");
  ResultFile file;
  file.command = fields.text("command");
  file.planned = fields.integer("planned", 0);
  if (const Json* fingerprint = fields.find("fingerprint")) file.fingerprint = parse_fingerprint(*fingerprint, place);
  if (const Json* shard = fields.find("shard")) file.shard = shard_from_json(*shard, place);
  return file;
}

Json result_to_json(const Result& result) {
  Json json;
  json["label"] = result.label;
  json["task"] = task_to_json(result.task);
  json["status"] = result.status;
  set_text(json, "error", result.error);
  set_text(json, "details", result.details);
  json["event"] = result.event;
  json["number_per_run"] = result.number_per_run;
  json["counts"] = result.counts;
  if (result.fixed) json["fixed"] = *result.fixed;
  if (result.slope) json["slope"] = *result.slope;
  if (result.entries > 0) json["entries"] = result.entries;
  for (const ResultFigure& figure : result.figures) json["figures"][figure.name] = figure.total;
  for (const TopFunction& f : result.top)
    json["top"].push_back({{"name", f.name}, {"self", f.self}, {"inclusive", f.inclusive}});
  for (const ResultProcess& process : result.processes) json["processes"].push_back(process_to_json(process));
  if (!result.notes.empty()) json["notes"] = result.notes;
  if (!result.fingerprint.unknown()) json["fingerprint"] = to_json(result.fingerprint);
  set_nested(json, "measurement", result.measurement);
  set_nested(json, "extra", result.extra);
  set_text(json, "taken_over", result.taken_over);
  if (!result.graph_blob.empty())
    json["graph"] = to_base64(result.graph_blob);
  else if (result.graph)
    json["graph"] = to_base64(encode_cost_graph(*result.graph));
  if (!result.python_calls_blob.empty())
    json["python_calls"] = to_base64(result.python_calls_blob);
  else if (result.python_calls)
    json["python_calls"] = to_base64(encode_cost_graph(*result.python_calls));
  if (!result.stacks_blob.empty())
    json["stacks"] = to_base64(result.stacks_blob);
  else if (result.stacks)
    json["stacks"] = to_base64(encode_call_stacks(*result.stacks));
  return json;
}

std::vector<ResultFigure> figures_from_json(const Json& json, const Fields& fields) {
  if (!json.is_object()) fields.fail("field 'figures' is not an object");
  std::vector<ResultFigure> figures;
  for (const auto& [name, total] : json.items()) figures.push_back({name, fields.as_integer(total, "figures")});
  return figures;
}

Result result_from_json(const Json& json, std::string_view place) {
  const Fields fields(json, place);
  Result result;
  result.label = fields.texts("label");
  if (const Json* task = fields.find("task")) result.task = task_from_json(*task, place);
  result.status = fields.text("status", "done");
  result.error = fields.text("error");
  result.details = fields.text("details");
  result.event = fields.text("event", "Ir");
  result.number_per_run = fields.integer("number_per_run", 1);
  if (result.number_per_run < 1) fields.fail("field 'number_per_run' is below 1");
  fields.each("counts", [&](const Json& entry) { result.counts.push_back(fields.as_integer(entry, "counts")); });
  result.fixed = fields.number("fixed");
  result.slope = fields.number("slope");
  result.entries = fields.integer("entries", 0);
  if (const Json* figures = fields.find("figures")) result.figures = figures_from_json(*figures, fields);
  fields.each("top", [&](const Json& entry) {
    const Fields top(entry, place);
    result.top.push_back({top.text("name"), top.integer("self", 0), top.integer("inclusive", 0)});
  });
  fields.each("processes", [&](const Json& entry) { result.processes.push_back(process_from_json(entry, place)); });
  result.notes = fields.texts("notes");
  if (const Json* fingerprint = fields.find("fingerprint")) result.fingerprint = parse_fingerprint(*fingerprint, place);
  result.measurement = fields.nested("measurement");
  result.extra = fields.nested("extra");
  result.taken_over = fields.text("taken_over");
  if (const std::string graph = fields.text("graph"); !graph.empty()) result.graph_blob = from_base64(graph, place);
  if (const std::string calls = fields.text("python_calls"); !calls.empty())
    result.python_calls_blob = from_base64(calls, place);
  if (const std::string stacks = fields.text("stacks"); !stacks.empty())
    result.stacks_blob = from_base64(stacks, place);
  return result;
}

}  // namespace icount
