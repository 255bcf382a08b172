// The tools of `icount mcp`: their names, JSON schemas, the command line that each call becomes, and the short answer
// that is made of the command's JSON. The protocol around them is cli/mcp/mcp_server.h's.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "icount/base/json.h"

namespace icount {

/// The arguments of a call do not fit the tool; the message says which.
class ToolArgumentsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A command line that a tool became. Its last words are what the command is given after "icount".
struct ToolCommand {
  std::vector<std::string> argv;
  bool writes_json_file = false;  ///< JSON goes to the file of --json, not to the output
};

/// The list that tools/list answers with: name, description, inputSchema for each.
Json tools_list();

/// The command of a call. `json_file` is a place for a command that writes its JSON to a file. Throws
/// ToolArgumentsError for an unknown tool, a missing or unknown argument, or one of a wrong type.
ToolCommand tool_command(std::string_view name, const Json& arguments, const std::string& json_file);

/// The few lines that a caller reads first: totals and the leading causes, functions or findings.
std::string tool_summary(std::string_view tool, const Json& output);

/// `open`: the part of `output` at a JSON pointer; of a list `limit` entries from `offset`, with its size. Throws
/// ToolArgumentsError where there is no such part.
Json opened_part(const Json& output, const std::string& pointer, size_t offset, size_t limit);

}  // namespace icount
