#include "icount/timer/count_gaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "icount/base/command_line.h"
#include "icount/base/file.h"
#include "icount/objects/disassembly.h"
#include "icount/stats/fingerprint.h"

namespace icount {
namespace {

/// Processes whose work should be in the count and is not, or not as a whole.
std::vector<const CountedProcess*> uncounted(const ProgramCountOptions& options, const ProgramCount& result) {
  std::vector<const CountedProcess*> found;
  for (const CountedProcess& process : result.processes) {
    const bool left_out = !options.follow_children && &process != &result.processes.front();
    if (!process.not_counted.empty() && !left_out) found.push_back(&process);
  }
  return found;
}

void set_list(std::string_view fact, const std::vector<std::string>& names, Fingerprint& fingerprint) {
  if (!names.empty()) fingerprint.set(fact, fmt::format("{}", fmt::join(names, ", ")), FactClass::kRefuse);
}

/// --only-marked means what a program switches off.
bool is_switched_off(const ProgramCountOptions& options, const ProgramCount& result) {
  return result.requests.switched_off && !options.only_marked;
}

/// The programs, and libraries whose code ran, that may switch collection on and off, by name, each once.
std::set<std::string> toggling(const ProgramCount& result) {
  std::set<std::string> files, names;
  for (const CountedProcess& process : result.processes)
    if (!process.argv.empty()) files.insert(find_program(process.argv[0]));
  for (FunctionIndex f = 0; f < result.graph.functions.size(); ++f)
    if (result.graph.object(f).starts_with('/')) files.insert(std::string(result.graph.object(f)));
  for (const std::string& file : files)
    if (!file.empty() && may_toggle_collection(file)) names.insert(std::filesystem::path(file).filename().string());
  return names;
}

/// The C library's, by name.
bool calls_ptrace(const ProgramCount& result) {
  for (FunctionIndex f = 0; f < result.graph.functions.size(); ++f)
    if (result.graph.name(f) == "ptrace") return true;
  return false;
}

}  // namespace

void add_gap_notes(const ProgramCountOptions& options, ProgramCount& result) {
  if (!options.follow_children && result.processes.size() > 1)
    result.notes.push_back(fmt::format("it started {} more process{}, which --children none leaves out of the count",
                                       result.processes.size() - 1, result.processes.size() == 2 ? "" : "es"));
  for (const CountedProcess* process : uncounted(options, result))
    result.notes.push_back(fmt::format("{} is not counted{}: {}", shell_quote(process->argv),
                                       process->graph.events.empty() ? "" : " as a whole", process->not_counted));
  if (is_switched_off(options, result))
    result.notes.push_back(
        "the program switches counting off (CALLGRIND_STOP_INSTRUMENTATION, or a command to Valgrind's monitor): what "
        "runs from there to its next CALLGRIND_START_INSTRUMENTATION is not in the count; --only-marked counts what "
        "runs between START and STOP");
  if (result.requests.zeroed)
    result.notes.push_back(
        "the program sets its counts to zero (CALLGRIND_ZERO_STATS): what runs before is not in the count");
  if (calls_ptrace(result))
    result.notes.emplace_back(
        "the program calls ptrace: icount traces it to follow its processes, so that PTRACE_TRACEME fails and the "
        "program may take another path than on its own");
  if (!result.requests.uncollected.empty())
    result.notes.push_back(
        fmt::format("the program switches collection off (CALLGRIND_TOGGLE_COLLECT): {}; what runs while it is off is "
                    "not in the count",
                    result.requests.uncollected));
  for (const std::string& name : toggling(result))
    result.notes.push_back(
        fmt::format("{} has the request CALLGRIND_TOGGLE_COLLECT in its code: what runs while it has switched "
                    "collection off is not "
                    "in the count; CALLGRIND_DUMP_STATS_AT or icount/region.h name a part and lose nothing",
                    name));
}

void add_gap_facts(const ProgramCountOptions& options, ProgramCount& result) {
  std::vector<std::string> names = result.not_followed;
  for (const CountedProcess* process : uncounted(options, result))
    names.push_back(process->argv.empty() ? "?" : std::filesystem::path(process->argv[0]).filename().string());
  std::sort(names.begin(), names.end());
  set_list(kUncountedFact, names, result.fingerprint);
  std::vector<std::string> requests;
  if (is_switched_off(options, result)) requests.emplace_back("stop");
  if (!result.requests.uncollected.empty()) requests.emplace_back("toggle");
  if (result.requests.zeroed) requests.emplace_back("zero");
  set_list(kRequestsFact, requests, result.fingerprint);
}

}  // namespace icount
