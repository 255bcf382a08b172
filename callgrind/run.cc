#include "icount/callgrind/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/folder_entries.h"
#include "icount/base/program_paths.h"
#include "icount/base/text.h"
#include "icount/callgrind/command.h"
#include "icount/callgrind/dump_options.h"
#include "icount/callgrind/forked_profile.h"
#include "icount/callgrind/launcher.h"
#include "icount/callgrind/run_folder.h"
#include "icount/callgrind/valgrind_log.h"
#include "icount/counter/named_counts.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

CallgrindOptions callgrind_options(const CallgrindRunSpec& spec, const Valgrind& valgrind, const fs::path& folder) {
  CallgrindOptions callgrind;
  callgrind.out_file = fs::path(valgrind_path(folder)) / (std::string(kRunProfilePrefix) + "%p");
  callgrind.instrument_at_start = spec.instrument_at_start;
  callgrind.follow_children = spec.follow_children;
  callgrind.callers = spec.callers;
  callgrind.collect_jumps = spec.collect_jumps;
  // Dumps that the program asks for and the rest at its end in one file: their sum is the program.
  // -v -v makes it log requests that take something out of the count.
  callgrind.extra = {"-v", "-v", "--combine-dumps=yes",
                     fmt::format("--log-file={}%p", valgrind_path(folder / kRunLogPrefix))};
  callgrind.extra.push_back("--max-threads=2000");  // Valgrind's own limit is 500
  for (std::string& option : probe_stack_options()) callgrind.extra.push_back(std::move(option));
  if (spec.list_system_calls) callgrind.extra.emplace_back("--trace-syscalls=yes");
  for (const std::string& option : spec.options) callgrind.extra.push_back(option);
  if (spec.separate_threads) callgrind.extra.push_back("--separate-threads=yes");
  if (!valgrind.counter_folder.empty()) {
    for (const std::string& function : spec.within) callgrind.extra.push_back(fmt::format("--within={}", function));
    return callgrind;
  }
  std::vector<std::string> before = spec.within;
  for (const std::string_view function : kLeavingFunctions)
    if (std::find(spec.own_functions.begin(), spec.own_functions.end(), function) == spec.own_functions.end())
      before.emplace_back(function);
  for (std::string& option : dump_options(before, spec.within)) callgrind.extra.push_back(std::move(option));
  return callgrind;
}

/// What Valgrind's launcher said, each line once: some come on stderr and in the log.
std::string launchers_words(const std::string& text) {
  std::string words;
  std::set<std::string_view> seen;
  for (const std::string_view line : split_lines(text))
    if (line.starts_with("valgrind: ") && seen.insert(line).second)
      words += fmt::format("{}{}", words.empty() ? "" : "; ", line);
  return words.empty() ? std::string(trim(text)) : words;
}

/// The counts of icount's own tool become profiles while the objects are those that ran. What is not whole stays as it
/// is: no profile.
void name_counts(const fs::path& folder) {
  CountsNamer namer;
  for (const fs::path& file : list_folder(folder)) {
    if (!file.filename().string().starts_with(kRunProfilePrefix)) continue;
    const FileBytes bytes = load_file(file);
    if (!is_counts_file(bytes.view())) continue;
    try {
      save_file(file, namer.load_text(bytes.view(), file.string()));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kMalformed) throw;
    }
  }
}

bool has_pwd(const std::vector<std::string>& environment) {
  return std::any_of(environment.begin(), environment.end(),
                     [](const std::string& entry) { return entry.starts_with("PWD="); });
}

}  // namespace

CallgrindRun run_callgrind(const CallgrindRunSpec& spec, const Valgrind& valgrind, const fs::path& folder,
                           const ParseOptions& parse) {
  if (spec.argv.empty()) throw Error(ErrorKind::kUsage, "no program given");
  const fs::path program = find_program(spec.argv[0]);
  if (program.empty())
    throw Error(ErrorKind::kTool,
                fmt::format("cannot start {}: {}", spec.argv[0], describe_missing_program(spec.argv[0])));
  ProcessSpec process;
  process.argv = make_callgrind_command(valgrind, callgrind_options(spec, valgrind, folder));
  if (spec.environment && !has_pwd(*spec.environment)) {
    const std::vector<std::string> launcher = load_launcher(valgrind.path);
    const auto at = std::find(process.argv.begin(), process.argv.end(), valgrind.path.string());
    process.argv.insert(process.argv.erase(at), launcher.begin(), launcher.end());
  }
  // A program that is named by its way from here sees that way, and counts the same wherever "here" is.
  const bool has_folder = spec.argv[0].find('/') != std::string::npos && spec.working_dir.empty();
  process.argv.push_back(has_folder ? spec.argv[0] : fs::absolute(program).string());
  process.argv.insert(process.argv.end(), spec.argv.begin() + 1, spec.argv.end());
  process.environment = spec.environment;
  process.working_dir = spec.working_dir;
  process.input_file = spec.input_file;
  process.disable_aslr = spec.disable_aslr;
  process.inherit_output = spec.inherit_output;
  process.time_limit = spec.time_limit;
  process.cancelled = spec.cancelled;
  process.watch = TreeWatch{folder / kRunEvents, (folder / kRunProfilePrefix).string()};

  CallgrindRun run;
  run.outcome = run_process(process);
  // A program that was stopped may have been killed while Callgrind was writing: what is there is no count of anything.
  if (run.outcome.end == ProcessOutcome::End::kTimedOut || run.outcome.end == ProcessOutcome::End::kCancelled)
    return run;
  if (!valgrind.counter_folder.empty()) name_counts(folder);
  RunFolder left(folder, parse);
  if (!left.events().empty()) run.outcome.pid = left.events()[0].pid;
  if (spec.list_system_calls) run.system_calls = left.take_system_calls();
  const std::string messages = left.load_logs();
  run.unread_debug_information = describe_unread_debug_information(messages);
  run.maps_unlinked_code = maps_unlinked_code(messages);
  if (run.outcome.end == ProcessOutcome::End::kSignalled && run.outcome.signal == 4)
    run.unhandled_instruction = find_unhandled_instruction(messages, run.outcome.pid);
  left.read(run);
  if (run.outcome.end == ProcessOutcome::End::kSignalled)
    if (std::string overflow = describe_stack_overflow(messages); !overflow.empty())
      run.notes.push_back(std::move(overflow));
  // "valgrind: PROGRAM: Permission denied" and the like: it never ran.
  if (run.processes.empty() && run.outcome.end == ProcessOutcome::End::kExited && run.outcome.exit_code > 125)
    throw Error(ErrorKind::kTool, fmt::format("cannot run {} under Valgrind: {}", spec.argv[0],
                                              launchers_words(messages + run.outcome.errors)));
  return run;
}

std::string load_run_logs(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / kRunEvents, ignored) ? RunFolder(folder, {}).load_logs() : std::string();
}

CallgrindRun load_callgrind_run(const fs::path& folder, const ParseOptions& parse) {
  CallgrindRun run;
  RunFolder(folder, parse).read(run);
  return run;
}

}  // namespace icount
