#include "icount/callgrind/run.h"

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/callgrind/command.h"
#include "icount/callgrind/own_profile.h"
#include "icount/callgrind/valgrind_log.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

/// Callgrind writes when the program ends, also by a signal that it sent itself; of a process that others kill nothing
/// may be left but what it dumped before.
LastPart last_part_after(const ProcessOutcome& outcome) {
  constexpr int kKill = 9;
  const bool killed = outcome.end == ProcessOutcome::End::kSignalled && outcome.signal == kKill;
  return killed ? LastPart::kAny : LastPart::kProgramsEnd;
}

}  // namespace

CallgrindRun run_callgrind(const CallgrindRunSpec& spec, const Valgrind& valgrind) {
  if (spec.argv.empty()) throw Error(ErrorKind::kUsage, "no program given");
  const fs::path program = find_program(spec.argv[0]);
  if (program.empty())
    throw Error(ErrorKind::kTool,
                fmt::format("cannot start {}: no such program; is it installed and in PATH?", spec.argv[0]));
  const ScratchDir folder;
  CallgrindOptions callgrind;
  callgrind.out_file = folder.path() / "cg.%p";
  callgrind.collect_at_start = spec.collect_at_start;
  callgrind.follow_children = spec.follow_children;
  callgrind.callers = spec.callers;
  const fs::path log = folder.path() / "log";
  // Dumps that the program asks for and the rest at its end in one file: their sum is the program.
  callgrind.extra = {"--combine-dumps=yes", fmt::format("--log-file={}", log.string())};

  ProcessSpec process;
  process.argv = make_callgrind_command(valgrind, callgrind);
  process.argv.push_back(fs::absolute(program).string());
  process.argv.insert(process.argv.end(), spec.argv.begin() + 1, spec.argv.end());
  process.environment = spec.environment;
  process.working_dir = spec.working_dir;
  process.disable_aslr = spec.disable_aslr;
  process.inherit_output = spec.inherit_output;
  process.time_limit = spec.time_limit;
  process.cancelled = spec.cancelled;

  CallgrindRun run;
  run.outcome = run_process(process);
  const std::string messages = fs::exists(log) ? load_text(log) : std::string();
  run.unread_debug_information = describe_unread_debug_information(messages);
  if (run.outcome.end == ProcessOutcome::End::kSignalled && run.outcome.signal == 4)
    if (const auto unknown = find_unhandled_instruction(messages, run.outcome.pid))
      run.unhandled_instruction = describe(*unknown);
  const fs::path written = folder.path() / fmt::format("cg.{}", run.outcome.pid);
  // "valgrind: PROGRAM: Permission denied" and the like: it never ran.
  if (!fs::exists(written) && run.outcome.end == ProcessOutcome::End::kExited && run.outcome.exit_code > 125)
    throw Error(ErrorKind::kTool,
                fmt::format("cannot run {} under Valgrind: {}", spec.argv[0], trim(messages + run.outcome.errors)));
  // A program that was stopped may have been killed while Callgrind was writing: what is there is no count of anything.
  const bool stopped =
      run.outcome.end == ProcessOutcome::End::kTimedOut || run.outcome.end == ProcessOutcome::End::kCancelled;
  if (stopped || !fs::exists(written)) return run;
  const FileBytes bytes = load_file(written);
  run.profile = parse_own_profile(bytes.view(), written, spec.parse, last_part_after(run.outcome));
  if (!spec.keep.empty()) save_file(spec.keep, bytes.view());
  return run;
}

}  // namespace icount
