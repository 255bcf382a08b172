#include "icount/callgrind/run.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/program_paths.h"
#include "icount/base/text.h"
#include "icount/callgrind/command.h"
#include "icount/callgrind/forked_profile.h"
#include "icount/callgrind/launcher.h"
#include "icount/callgrind/own_profile.h"
#include "icount/callgrind/part_choice.h"
#include "icount/callgrind/process_list.h"
#include "icount/callgrind/valgrind_log.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEvents = "events";
constexpr const char* kProfilePrefix = "cg.";
constexpr const char* kLogPrefix = "log.";

CallgrindOptions callgrind_options(const CallgrindRunSpec& spec, const fs::path& folder) {
  CallgrindOptions callgrind;
  callgrind.out_file = folder / (std::string(kProfilePrefix) + "%p");
  callgrind.instrument_at_start = spec.instrument_at_start;
  callgrind.follow_children = spec.follow_children;
  callgrind.callers = spec.callers;
  callgrind.collect_jumps = spec.collect_jumps;
  // Dumps that the program asks for and the rest at its end in one file: their sum is the program.
  // -v -v makes it log requests that take something out of the count.
  callgrind.extra = {"-v", "-v", "--combine-dumps=yes", fmt::format("--log-file={}%p", (folder / kLogPrefix).string())};
  for (const std::string_view function : kLeavingFunctions)
    callgrind.extra.push_back(fmt::format("--dump-before={}", function));
  for (const std::string& option : spec.options) callgrind.extra.push_back(option);
  if (spec.separate_threads) callgrind.extra.push_back("--separate-threads=yes");
  for (std::string& option : within_options(spec.within)) callgrind.extra.push_back(std::move(option));
  return callgrind;
}

/// Callgrind writes when the program ends, also by a signal that it sent itself; of a process that others kill nothing
/// may be left but what it dumped before.
LastPart last_part_after(const ProcessProfile& process) {
  constexpr int kKill = 9;
  const bool killed = process.end == ProcessProfile::End::kSignalled && process.code == kKill;
  return killed ? LastPart::kAny : LastPart::kProgramsEnd;
}

std::string load_logs(const fs::path& folder) {
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().starts_with(kLogPrefix)) files.insert(entry.path());
  std::string text;
  for (const fs::path& file : files) text += load_file(file).view();
  return text;
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

bool has_pwd(const std::vector<std::string>& environment) {
  return std::any_of(environment.begin(), environment.end(),
                     [](const std::string& entry) { return entry.starts_with("PWD="); });
}

class RunReader {
 public:
  RunReader(const fs::path& folder, const ParseOptions& parse)
      : folder_(folder), parse_(parse), events_(read_process_events(load_file(folder / kEvents).view())) {}

  bool watched() const { return events_.empty() || events_[0].kind != ProcessEvent::Kind::kUnwatched; }
  const std::vector<ProcessEvent>& events() const { return events_; }

  void read(CallgrindRun& run) {
    const std::vector<ListedProcess> listed = list_processes(events_);
    for (const ListedProcess& process : listed) run.processes.push_back(read_process(process, run.processes, listed));
    if (run.processes.empty() || run.processes[0].programs.empty()) run.processes.clear();
    add_notes(run);
  }

 private:
  ProcessProfile read_process(const ListedProcess& listed, const std::vector<ProcessProfile>& before,
                              const std::vector<ListedProcess>& all) {
    ProcessProfile process{.argv = listed.argv, .parent = listed.parent};
    if (!listed.status) {
      process.end = ProcessProfile::End::kOutlived;
      process.not_counted = "it outlived the program";
      return process;
    }
    const bool signalled = WIFSIGNALED(*listed.status);
    process.end = signalled ? ProcessProfile::End::kSignalled : ProcessProfile::End::kExited;
    process.code = signalled ? WTERMSIG(*listed.status) : WEXITSTATUS(*listed.status);
    for (size_t i = 0; i < listed.kept.size(); ++i) {
      const fs::path path = folder_ / fmt::format("{}{}.{}", kProfilePrefix, listed.pid, listed.kept[i]);
      const FileBytes bytes = listed.kept[i] == 0 ? FileBytes() : load_file(path);
      // Callgrind opens the file early; what is killed from outside may leave it empty.
      if (listed.kept[i] == 0 || (signalled && bytes.view().empty())) {
        process.not_counted = i + 1 < listed.kept.size() || !listed.followed
                                  ? "what it was before it became another program left no profile"
                                  : "it ended before Callgrind could write its profile";
        continue;
      }
      const bool is_last = i + 1 == listed.kept.size() && listed.followed;
      Profile profile = parse_whole(bytes.view(), path, is_last ? last_part_after(process) : LastPart::kAny);
      const bool is_copy = i == 0 && listed.is_copy;
      if (is_copy && !begins_at_fork(profile, listed, before, all)) {
        process.not_counted = "it began as a copy of its parent by other means than the C library's";
        continue;
      }
      if (is_last && !reaches_programs_end(profile))
        process.not_counted = "it was killed before Callgrind could write what it did last";
      process.is_copy |= is_copy;
      if (is_copy) process.copied_from = parent_program(listed, all);
      process.programs.push_back(std::move(profile));
    }
    if (!listed.followed) process.not_counted = "it does not run under Callgrind";
    return process;
  }

  /// A profile that is not whole is a failure that says what Valgrind said about it.
  Profile parse_whole(std::string_view bytes, const fs::path& path, LastPart last) const {
    try {
      return parse_own_profile(bytes, path, parse_, last);
    } catch (const Error& error) {
      const std::string reason = find_valgrinds_reason(load_logs(folder_));
      if (reason.empty()) throw;
      throw Error(error.kind(), fmt::format("{}; Valgrind says: {}", error.what(), reason));
    }
  }

  /// Whether its counts begin where the parent stood when it forked, and no other copy began there.
  bool begins_at_fork(const Profile& profile, const ListedProcess& listed, const std::vector<ProcessProfile>& before,
                      const std::vector<ListedProcess>& all) {
    if (profile.parts.empty()) return true;
    const auto parent = static_cast<size_t>(listed.parent);
    const int64_t start = profile.parts[0].first_block;
    if (!starts_.insert({parent, listed.parent_file, start}).second) return false;
    const size_t file = parent_program(listed, all);
    // A parent that left no profile can't tell; Callgrind counts from 0 where nothing was written before.
    if (file >= before[parent].programs.size()) return start > 0;
    return has_fork_at(before[parent].programs[file], start);
  }

  /// Index among the parent's programs of the one that a copy was made of.
  static size_t parent_program(const ListedProcess& listed, const std::vector<ListedProcess>& all) {
    const std::vector<int>& kept = all[static_cast<size_t>(listed.parent)].kept;
    const auto end = kept.begin() + static_cast<long>(std::min(listed.parent_file, kept.size()));
    return static_cast<size_t>(end - kept.begin() - std::count(kept.begin(), end, 0));
  }

  void add_notes(CallgrindRun& run) const {
    const std::string log = load_logs(folder_);
    run.requests = find_counting_requests(log);
    if (!watched() && others_ran()) {
      run.not_followed.push_back("all that it starts");
      run.notes.push_back(
          fmt::format("what the program starts is not counted: this system does not let it be watched (ptrace: {})",
                      errno_text(events_[0].value)));
    }
    for (const std::string& program : find_refused_programs(log)) {
      run.not_followed.push_back(fs::path(program).filename().string());
      run.notes.push_back(fmt::format(
          "{} is setuid or setgid: Valgrind cannot run it, and the program was told that it may not be started",
          program));
    }
  }

  /// Files of other processes than the first.
  bool others_ran() const {
    const std::string own = fmt::format("{}{}.", kProfilePrefix, events_[0].pid);
    return std::any_of(fs::directory_iterator(folder_), {}, [&](const fs::directory_entry& entry) {
      const std::string name = entry.path().filename().string();
      return name.starts_with(kProfilePrefix) && !name.starts_with(own);
    });
  }

  const fs::path& folder_;
  const ParseOptions& parse_;
  std::vector<ProcessEvent> events_;
  std::set<std::tuple<size_t, size_t, int64_t>> starts_;
};

}  // namespace

CallgrindRun run_callgrind(const CallgrindRunSpec& spec, const Valgrind& valgrind, const fs::path& folder,
                           const ParseOptions& parse) {
  if (spec.argv.empty()) throw Error(ErrorKind::kUsage, "no program given");
  const fs::path program = find_program(spec.argv[0]);
  if (program.empty())
    throw Error(ErrorKind::kTool,
                fmt::format("cannot start {}: {}", spec.argv[0], describe_missing_program(spec.argv[0])));
  ProcessSpec process;
  process.argv = make_callgrind_command(valgrind, callgrind_options(spec, folder));
  if (spec.environment && !has_pwd(*spec.environment)) {
    const std::vector<std::string> launcher = load_launcher(valgrind.path);
    process.argv.erase(process.argv.begin());
    process.argv.insert(process.argv.begin(), launcher.begin(), launcher.end());
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
  process.watch = TreeWatch{folder / kEvents, (folder / kProfilePrefix).string()};

  CallgrindRun run;
  run.outcome = run_process(process);
  // A program that was stopped may have been killed while Callgrind was writing: what is there is no count of anything.
  if (run.outcome.end == ProcessOutcome::End::kTimedOut || run.outcome.end == ProcessOutcome::End::kCancelled)
    return run;
  RunReader reader(folder, parse);
  if (!reader.events().empty()) run.outcome.pid = reader.events()[0].pid;
  const std::string messages = load_logs(folder);
  run.unread_debug_information = describe_unread_debug_information(messages);
  if (run.outcome.end == ProcessOutcome::End::kSignalled && run.outcome.signal == 4)
    if (const auto unknown = find_unhandled_instruction(messages, run.outcome.pid))
      run.unhandled_instruction = describe(*unknown);
  reader.read(run);
  // "valgrind: PROGRAM: Permission denied" and the like: it never ran.
  if (run.processes.empty() && run.outcome.end == ProcessOutcome::End::kExited && run.outcome.exit_code > 125)
    throw Error(ErrorKind::kTool, fmt::format("cannot run {} under Valgrind: {}", spec.argv[0],
                                              launchers_words(messages + run.outcome.errors)));
  return run;
}

CallgrindRun load_callgrind_run(const fs::path& folder, const ParseOptions& parse) {
  CallgrindRun run;
  RunReader(folder, parse).read(run);
  return run;
}

}  // namespace icount
