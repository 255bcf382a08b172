// A profile file -> cost graph, with the parser's warnings as lines for people. Used by show and diff.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/base/file.h"
#include "icount/callgraph/cost_graph.h"
#include "icount/callgraph/function_code.h"
#include "icount/callgrind/cost_graph_builder.h"
#include "icount/stacks/call_stacks.h"
#include "icount/stats/result.h"

namespace icount {

struct LoadedProfile {
  CostGraph graph;                           ///< without contexts, whether the file has them or not
  bool has_addresses = false;                ///< read_inside finds what happens inside functions
  bool has_costly_code = false;              ///< graph.code has it of the costly ones, where any is known
  std::shared_ptr<const CallStacks> stacks;  ///< of a file with contexts (--separate-callers); else null
  std::string command;                       ///< what was profiled; empty when the file does not say
  std::vector<std::string> warnings;         ///< "FILE:LINE: text"
  std::string small_collection;              ///< describe_small_collection (callgrind/call_count_trust.h)
};

/// `bytes` as callgrind.out (callgrind/parser.h). Error{kMalformed} "NAME:LINE: ...".
LoadedProfile parse_profile_graph(std::string_view bytes, std::string_view name, bool keep_lines = false);
/// The same, giving the file's memory back as it is read.
LoadedProfile parse_profile_graph(const FileBytes& file, std::string_view name, bool keep_lines = false);
/// With lines, and with what happens inside costly functions or all.
LoadedProfile parse_profile_insides(const FileBytes& file, std::string_view name, KeptCode kept = KeptCode::kCostly);

/// Gives what happens inside functions of the profile at `path` names of its objects, as far as these are older. Warns
/// where the objects show that code is listed under another function than its own.
void name_insides(LoadedProfile& profile, const std::filesystem::path& path);

/// What `profile` recorded inside `functions`, and inside their other pieces: a second read of the same bytes
/// (callgrind/code_reader.h). Empty where the profile has no addresses or has contexts.
ProfileCode read_inside(const FileBytes& file, std::string_view name, const LoadedProfile& profile,
                        std::span<const FunctionIndex> functions);

/// Column of `event`, or the first one when it is empty. Error{kUsage} that lists the events otherwise.
size_t find_event(const CostGraph& graph, std::string_view event, std::string_view name);

/// For the message when there is not exactly one.
struct PickPlace {
  std::string_view file;    ///< name of the file
  std::string_view option;  ///< the option that takes a label, without dashes
};

/// The result whose label or key is `label`, else that without its language; the only one when that is empty.
/// Error{kUsage} listing the labels otherwise.
const Result& pick_result(const ResultFile& file, std::string_view label, const PickPlace& place);

}  // namespace icount
