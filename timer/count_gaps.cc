#include "icount/timer/count_gaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <span>
#include <string_view>

#include "icount/base/command_line.h"
#include "icount/base/file.h"
#include "icount/base/text.h"
#include "icount/callgraph/name_parts.h"
#include "icount/harness/stub_source.h"
#include "icount/objects/disassembly.h"
#include "icount/objects/inlined_functions.h"
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

namespace {

constexpr size_t kMostBytes = 15;  // of an instruction

/// Of "0x62 0xF1 ...".
std::string bytes_of(std::string_view hex) {
  constexpr int kBase = 16;
  std::string bytes;
  for (std::string_view word : split(hex, ' ')) {
    if (!word.starts_with("0x")) continue;
    word.remove_prefix(2);
    unsigned value = 0;
    std::from_chars(word.data(), word.data() + word.size(), value, kBase);
    bytes += static_cast<char>(value);
  }
  return bytes;
}

/// " (avx.c:3)" where Valgrind has read no lines.
std::string place_of(const UnhandledInstruction& instruction) {
  if (instruction.object.empty() || instruction.where.empty()) return {};
  const auto names =
      DebugInformation(instruction.object).find(std::span(&instruction.object_address, 1), DebugDetail::kLines);
  if (!names || names->lines[0].line == 0) return {};
  return fmt::format(" ({}:{})", base_of_path(names->files[names->lines[0].file]), names->lines[0].line);
}

}  // namespace

std::string describe_unknown_instruction(UnhandledInstruction instruction) {
  instruction.where = plain_function_name(instruction.where) + place_of(instruction);
  const std::string bytes = bytes_of(instruction.bytes);
  std::string text = disassemble_bytes(bytes);
  if (text.empty()) {
    // Valgrind shows the first ten bytes: of a longer instruction the operands are not whole.
    text = disassemble_bytes(bytes + std::string(kMostBytes, '\0'));
    text = text.substr(0, text.find(' '));
  }
  return describe(instruction, text);
}

}  // namespace icount
