// The Model Context Protocol over lines of JSON-RPC 2.0, for assistants: initialize, ping, tools/list, tools/call. One
// line in, at most one line out. What the tools are: cli/mcp/mcp_tools.h; running them is a function that the caller
// passes in.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/base/json.h"

namespace icount {

/// What a command of icount left.
struct CommandOutput {
  int exit_code = 0;
  std::string json;    ///< its JSON; empty when it failed before there was any
  std::string errors;  ///< what it said to people
};

class McpServer {
 public:
  /// Runs "icount ARGV"; `json_file` is empty, or where the command writes its JSON.
  using RunCommand = std::function<CommandOutput(const std::vector<std::string>& argv, const std::string& json_file)>;

  /// `json_file`: a scratch file for commands that write their JSON to one.
  McpServer(std::string version, std::string json_file, RunCommand run)
      : version_(std::move(version)), json_file_(std::move(json_file)), run_(std::move(run)) {}

  /// The answer to one line, without its line end; nullopt for a notification. Never throws for what came in: malformed
  /// input is answered with JSON-RPC's error codes, and a command that fails is a tool result with isError.
  std::optional<std::string> answer(std::string_view line);

 private:
  Json call(const Json& params);
  Json run_tool(const std::string& tool, const Json& arguments);
  Json open(const Json& arguments) const;
  std::string keep(Json output);

  std::string version_, json_file_;
  RunCommand run_;
  std::map<std::string, Json> kept_;  ///< answers by handle
  std::vector<std::string> order_;    ///< handles, oldest first
  int64_t next_ = 1;
};

}  // namespace icount
