#include "icount/cli/mcp/mcp_server.h"

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/cli/mcp/mcp_tools.h"

namespace icount {
namespace {

constexpr int kParseError = -32700, kInvalidRequest = -32600, kNoMethod = -32601, kInvalidParams = -32602,
              kInternalError = -32603;
constexpr size_t kKept = 50;  // answers, for `open`
// The newest version of the protocol that this speaks, and earlier ones that differ in nothing used here.
constexpr const char* kProtocols[] = {"2025-06-18", "2025-03-26", "2024-11-05"};

struct RpcError {
  int code;
  std::string message;
};

Json error_answer(const Json& id, int code, const std::string& message) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}};
}

Json tool_result(const std::string& text, bool is_error, const Json& structured = nullptr) {
  Json result = {{"content", Json::array({{{"type", "text"}, {"text", text}}})}, {"isError", is_error}};
  if (!structured.is_null()) result["structuredContent"] = structured;
  return result;
}

Json initialize(const Json& params, const std::string& version) {
  const Json& asked = params.is_object() && params.contains("protocolVersion") ? params["protocolVersion"] : Json();
  std::string protocol = kProtocols[0];
  for (const char* known : kProtocols)
    if (asked == known) protocol = known;
  return {{"protocolVersion", protocol},
          {"capabilities", {{"tools", Json::object()}}},
          {"serverInfo", {{"name", "icount"}, {"version", version}}},
          {"instructions",
           "Instruction counts of programs and statements, and exact explanations of their differences. Answers are "
           "short and "
           "have a handle: `open` reads more of them."}};
}

size_t whole_number(const Json& arguments, const char* name, size_t otherwise) {
  if (!arguments.contains(name)) return otherwise;
  const int64_t value = arguments[name].get<int64_t>();
  if (value < 0) throw ToolArgumentsError(fmt::format("open: '{}' is negative", name));
  return static_cast<size_t>(value);
}

}  // namespace

std::string McpServer::keep(Json output) {
  std::string handle = fmt::format("r{}", next_++);
  kept_[handle] = std::move(output);
  order_.push_back(handle);
  if (order_.size() > kKept) {
    kept_.erase(order_.front());
    order_.erase(order_.begin());
  }
  return handle;
}

Json McpServer::open(const Json& arguments) const {
  tool_command("open", arguments, {});  // checks the arguments
  const auto found = kept_.find(arguments["handle"].get<std::string>());
  if (found == kept_.end())
    throw ToolArgumentsError(fmt::format("open: no answer has the handle '{}'; the last {} answers are kept",
                                         arguments["handle"].get<std::string>(), kKept));
  const Json part = opened_part(found->second, arguments.value("pointer", ""), whole_number(arguments, "offset", 0),
                                whole_number(arguments, "limit", 20));
  return tool_result(dump_json(part), false, part);
}

Json McpServer::run_tool(const std::string& tool, const Json& arguments) {
  if (tool == "open") return open(arguments);
  const ToolCommand command = tool_command(tool, arguments, json_file_);
  const CommandOutput output = run_(command.argv, command.writes_json_file ? json_file_ : std::string());
  const std::string said(trim(output.errors));
  Json json;
  try {
    if (!output.json.empty()) json = parse_json(output.json, "the command's output");
  } catch (const Error&) {
  }
  if (!json.is_object())
    return tool_result(fmt::format("exit code {}\n{}", output.exit_code, said), true,
                       {{"exit_code", output.exit_code}});
  std::string summary = tool_summary(tool, json);
  if (!said.empty()) summary += said + "\n";
  const std::string handle = keep(std::move(json));
  summary += fmt::format("handle {}: `open` reads more\n", handle);
  // A gate that refuses has done its work; the exit code says what it found.
  const bool is_error = output.exit_code != 0 && output.exit_code != 3 && tool != "doctor";
  return tool_result(summary, is_error, {{"handle", handle}, {"exit_code", output.exit_code}, {"summary", summary}});
}

Json McpServer::call(const Json& params) {
  if (!params.is_object() || !params.contains("name") || !params["name"].is_string())
    throw RpcError{kInvalidParams, "tools/call needs 'name'"};
  const Json arguments = params.contains("arguments") ? params["arguments"] : Json::object();
  try {
    return run_tool(params["name"].get<std::string>(), arguments);
  } catch (const ToolArgumentsError& error) {
    throw RpcError{kInvalidParams, error.what()};
  }
}

std::optional<std::string> McpServer::answer(std::string_view line) {
  Json id = nullptr;
  try {
    Json request;
    try {
      request = parse_json(line, "request");
    } catch (const Error& error) {
      throw RpcError{kParseError, error.what()};
    }
    if (!request.is_object()) throw RpcError{kInvalidRequest, "a request is one JSON object"};
    const bool is_notification = !request.contains("id");
    if (!is_notification) id = request["id"];
    if (!id.is_null() && !id.is_string() && !id.is_number_integer()) {
      id = nullptr;
      throw RpcError{kInvalidRequest, "'id' is neither a string nor a whole number"};
    }
    if (request.value("jsonrpc", Json()) != "2.0" || !request.contains("method") || !request["method"].is_string())
      throw RpcError{kInvalidRequest, "not JSON-RPC 2.0: 'jsonrpc' or 'method' is missing"};
    if (is_notification) return std::nullopt;
    const std::string method = request["method"];
    const Json params = request.contains("params") ? request["params"] : Json::object();
    Json result;
    if (method == "initialize")
      result = initialize(params, version_);
    else if (method == "ping")
      result = Json::object();
    else if (method == "tools/list")
      result = {{"tools", tools_list()}};
    else if (method == "tools/call")
      result = call(params);
    else
      throw RpcError{kNoMethod, fmt::format("no method '{}'", method)};
    return dump_json({{"jsonrpc", "2.0"}, {"id", id}, {"result", result}}, -1);
  } catch (const RpcError& error) {
    return dump_json(error_answer(id, error.code, error.message), -1);
  } catch (const std::exception& error) {
    return dump_json(error_answer(id, kInternalError, reason_of(error)), -1);
  }
}

}  // namespace icount
