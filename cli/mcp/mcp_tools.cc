#include "icount/cli/mcp/mcp_tools.h"

#include <fmt/format.h>

#include <algorithm>

namespace icount {
namespace {

constexpr size_t kShown = 5;

struct Argument {
  std::string_view name, type, description;  ///< type: string, integer, boolean, strings
  std::string_view option = {};              ///< of the command line; empty: placed by hand
  bool required = false;
};

struct Tool {
  std::string_view name, description;
  std::vector<Argument> arguments;
};

const std::vector<Tool>& tools() {
  static const std::vector<Tool> all = {
      {"count",
       "Count the instructions of C++ statements or of a whole program under Valgrind. Counts repeat exactly; use "
       "them instead of timings on a busy machine. Give either stmt or program.",
       {{"stmt", "strings", "C++ statements; wrap results in icount::keep(...)", "stmt"},
        {"setup", "string", "C++ that runs before each statement, not counted", "setup"},
        {"global_setup", "string", "C++ at file scope: includes, functions", "global-setup"},
        {"program", "strings", "program and its arguments"},
        {"number", "integer", "runs of a statement (default 100)", "number"},
        {"torch", "boolean", "statements use LibTorch (default: only where they need it)"},
        {"out", "string", "file for the result, for diff", "out"}}},
      {"diff",
       "Explain why two counts differ: causes that add up to the change exactly. Sides are callgrind.out files, saved "
       "results, "
       "executables or quoted command lines; or a commit against the working tree with base_ref and program.",
       {{"base", "string", "the base side"},
        {"head", "string", "the head side"},
        {"base_ref", "string", "a commit to compare the working tree with", "base-ref"},
        {"build", "string", "shell command that builds a commit", "build"},
        {"program", "strings", "with base_ref: program and its arguments"},
        {"functions", "strings", "functions to list side by side, by loop and line", "open"}}},
      {"open",
       "Read more of an earlier answer: the part of its JSON at a pointer, such as /causes or /benchmarks/0/causes.",
       {{"handle", "string", "handle of an answer", {}, true},
        {"pointer", "string", "JSON pointer (default: the whole, lists and objects by their sizes)"},
        {"offset", "integer", "first entry of a list (default 0)"},
        {"limit", "integer", "entries of a list (default 20)"}}},
      {"gate",
       "Judge a suite or a saved result against accepted values or a base: allowed, or refused and why.",
       {{"suite", "string", "suite file (TOML) or saved result", {}, true},
        {"base_ref", "string", "commit to compare with", "base-ref"},
        {"baseline", "string", "saved result to compare with", "baseline"},
        {"build", "string", "shell command that builds a commit", "build"},
        {"limit", "string", "such as 1% or 1%+100", "limit"}}},
      {"history",
       "Trends of benchmarks over the stored commits, and the commits that changed them.",
       {{"label", "string", "part of a benchmark's label"},
        {"store", "string", "path or URL of the history", "store"},
        {"last", "integer", "newest runs to look at (default 200)", "last"}}},
      {"doctor", "What counting needs and what is missing on this machine.", {}},
  };
  return all;
}

const Tool& find_tool(std::string_view name) {
  for (const Tool& tool : tools())
    if (tool.name == name) return tool;
  throw ToolArgumentsError(fmt::format("unknown tool '{}'", name));
}

Json schema_of(const Argument& argument) {
  Json schema;
  if (argument.type == "strings")
    schema = {{"type", "array"}, {"items", {{"type", "string"}}}};
  else
    schema = {{"type", argument.type}};
  schema["description"] = argument.description;
  return schema;
}

bool fits(const Json& value, std::string_view type) {
  if (type == "string") return value.is_string();
  if (type == "integer") return value.is_number_integer();
  if (type == "boolean") return value.is_boolean();
  return value.is_array() && std::all_of(value.begin(), value.end(), [](const Json& one) { return one.is_string(); });
}

void check_arguments(const Tool& tool, const Json& arguments) {
  if (!arguments.is_object()) throw ToolArgumentsError(fmt::format("{}: arguments are not an object", tool.name));
  for (const auto& [name, value] : arguments.items()) {
    const auto known = std::find_if(tool.arguments.begin(), tool.arguments.end(),
                                    [&, &key = name](const Argument& argument) { return argument.name == key; });
    if (known == tool.arguments.end())
      throw ToolArgumentsError(fmt::format("{}: unknown argument '{}'", tool.name, name));
    if (!fits(value, known->type))
      throw ToolArgumentsError(
          fmt::format("{}: argument '{}' is not {}", tool.name, name,
                      known->type == "strings" ? "a list of strings" : "of type " + std::string(known->type)));
  }
  for (const Argument& argument : tool.arguments)
    if (argument.required && !arguments.contains(argument.name))
      throw ToolArgumentsError(fmt::format("{}: argument '{}' is missing", tool.name, argument.name));
}

std::string as_word(const Json& value) { return value.is_string() ? value.get<std::string>() : dump_json(value, -1); }

/// The options of a call, as --name=value: a value that begins with a dash stays one.
void add_options(std::vector<std::string>& argv, const Tool& tool, const Json& arguments) {
  for (const Argument& argument : tool.arguments) {
    if (argument.option.empty() || !arguments.contains(argument.name)) continue;
    const Json& value = arguments[argument.name];
    if (value.is_array())
      for (const Json& one : value) argv.push_back(fmt::format("--{}={}", argument.option, as_word(one)));
    else
      argv.push_back(fmt::format("--{}={}", argument.option, as_word(value)));
  }
}

/// A path that begins with a dash is no option.
std::string path_word(const Json& value) {
  const std::string text = value.get<std::string>();
  return text.starts_with('-') ? "./" + text : text;
}

void add_program(std::vector<std::string>& argv, const Json& arguments) {
  if (!arguments.contains("program")) return;
  argv.emplace_back("--");
  for (const Json& word : arguments["program"]) argv.push_back(word.get<std::string>());
}

std::string cause_lines(const Json& diff) {
  std::string text;
  const Json& causes = diff.contains("causes") ? diff["causes"] : Json::array();
  for (size_t i = 0; i < causes.size() && i < kShown; ++i)
    text += fmt::format("{:+}  {}\n", causes[i].value("delta", int64_t{0}), causes[i].value("text", ""));
  if (causes.size() > kShown) text += fmt::format("{} more causes\n", causes.size() - kShown);
  return text;
}

std::string diff_summary(const Json& output) {
  if (!output.contains("benchmarks"))
    return fmt::format("change {:+} Ir: {} -> {}\n", output.value("delta", int64_t{0}),
                       output.at("base").value("total", int64_t{0}), output.at("head").value("total", int64_t{0})) +
           cause_lines(output);
  std::string text = fmt::format("{} benchmarks\n", output["benchmarks"].size());
  size_t shown = 0;
  for (const Json& benchmark : output["benchmarks"]) {
    const int64_t delta = benchmark.value("delta", int64_t{0});
    if ((delta == 0 && benchmark.value("state", "") == "compared") || shown++ >= kShown) continue;
    text += fmt::format("{}: {} {:+}\n", benchmark.value("label", ""), benchmark.value("state", ""), delta);
    text += cause_lines(benchmark);
  }
  return text;
}

std::string count_summary(const Json& output) {
  std::string text;
  for (const Json& result : output.value("results", Json::array())) {
    text += fmt::format("{}: {}", result.value("label", result.value("stmt", "")), result.value("status", ""));
    if (result.contains("per_run") && result["per_run"].is_number())
      text += fmt::format(", {} Ir per run", result["per_run"].get<double>());
    if (const std::string error = result.value("error", ""); !error.empty()) text += ": " + error;
    text += "\n";
    const Json functions = result.value("functions", Json::array());
    for (size_t i = 0; i < functions.size() && i < kShown; ++i)
      text += fmt::format("  {}  {}\n", functions[i].value("self", int64_t{0}), functions[i].value("name", ""));
  }
  return text;
}

std::string gate_summary(const Json& output) {
  std::string text = fmt::format("verdict: {}; {} compared, {} changed\n", output.value("verdict", ""),
                                 output.value("compared", int64_t{0}), output.value("changed", int64_t{0}));
  const Json findings = output.value("findings", Json::array());
  for (size_t i = 0; i < findings.size() && i < kShown; ++i) text += findings[i].value("text", "") + "\n";
  return text;
}

std::string history_summary(const Json& output) {
  std::string text;
  for (const Json& benchmark : output.value("benchmarks", Json::array())) {
    const Json points = benchmark.value("points", Json::array());
    text += fmt::format("{}: {} points\n", benchmark.value("label", ""), points.size());
    for (const Json& point : points)
      if (point.contains("step") && point["step"].is_object())
        text += fmt::format("  {} {}: {} -> {}\n", point.value("commit", ""), point.value("subject", ""),
                            dump_json(point["step"].value("from", Json()), -1),
                            dump_json(point["step"].value("to", Json()), -1));
  }
  constexpr size_t kMost = 2000;
  return text.size() > kMost ? text.substr(0, kMost) + "...\n" : text;
}

std::string doctor_summary(const Json& output) {
  std::string text;
  for (const Json& finding : output.value("findings", Json::array()))
    text += fmt::format("{}: {}: {}{}\n", finding.value("what", ""), finding.value("state", ""),
                        finding.value("details", ""),
                        finding.value("remedy", "").empty() ? "" : " -> " + finding.value("remedy", ""));
  return text;
}

}  // namespace

Json tools_list() {
  Json list = Json::array();
  for (const Tool& tool : tools()) {
    Json properties = Json::object(), required = Json::array();
    for (const Argument& argument : tool.arguments) {
      properties[std::string(argument.name)] = schema_of(argument);
      if (argument.required) required.push_back(argument.name);
    }
    Json schema = {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
    if (!required.empty()) schema["required"] = required;
    list.push_back({{"name", tool.name}, {"description", tool.description}, {"inputSchema", schema}});
  }
  return list;
}

ToolCommand tool_command(std::string_view name, const Json& arguments, const std::string& json_file) {
  const Tool& tool = find_tool(name);
  check_arguments(tool, arguments);
  ToolCommand command{{std::string(name)}, name == "gate"};
  if (command.writes_json_file)
    command.argv.push_back("--json=" + json_file);
  else
    command.argv.emplace_back("--format=json");
  add_options(command.argv, tool, arguments);
  if (name == "count") {
    if (arguments.contains("stmt") == arguments.contains("program"))
      throw ToolArgumentsError("count: give either 'stmt' or 'program'");
    if (arguments.contains("torch"))
      command.argv.emplace_back(arguments["torch"].get<bool>() ? "--torch=" : "--no-torch");
    std::erase(command.argv, "--torch=");  // where LibTorch is needed is found out
  }
  if (name == "diff" && arguments.contains("base") != arguments.contains("head"))
    throw ToolArgumentsError("diff: give both 'base' and 'head', or 'base_ref' and 'program'");
  for (const char* side : {"base", "head", "suite", "label"})
    if (arguments.contains(side)) command.argv.push_back(path_word(arguments[side]));
  if (name == "doctor") command.argv.emplace_back("--no-self-check");
  add_program(command.argv, arguments);
  return command;
}

std::string tool_summary(std::string_view tool, const Json& output) {
  if (tool == "count") return count_summary(output);
  if (tool == "diff") return diff_summary(output);
  if (tool == "gate") return gate_summary(output);
  if (tool == "history") return history_summary(output);
  return doctor_summary(output);
}

Json opened_part(const Json& output, const std::string& pointer, size_t offset, size_t limit) {
  const Json* part = nullptr;
  try {
    part = &output.at(Json::json_pointer(pointer));
  } catch (const Json::exception&) {
    throw ToolArgumentsError(fmt::format("open: the answer has nothing at '{}'", pointer));
  }
  if (part->is_array()) {
    Json entries = Json::array();
    for (size_t i = offset; i < part->size() && i - offset < limit; ++i) entries.push_back((*part)[i]);
    return {{"size", part->size()}, {"offset", offset}, {"entries", entries}};
  }
  if (!part->is_object()) return {{"value", *part}};
  Json fields = Json::object();  // long parts by their size: they have a pointer of their own
  constexpr size_t kLong = 400;
  for (const auto& [key, value] : part->items()) {
    const bool is_long = value.is_structured() && dump_json(value, -1).size() > kLong;
    fields[key] = is_long ? Json{{"pointer", fmt::format("{}/{}", pointer, key)}, {"size", value.size()}} : value;
  }
  return {{"fields", fields}};
}

}  // namespace icount
