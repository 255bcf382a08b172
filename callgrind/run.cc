#include "icount/callgrind/run.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <map>
#include <utility>

#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/program_paths.h"
#include "icount/base/text.h"
#include "icount/callgrind/call_count_trust.h"
#include "icount/callgrind/command.h"
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

bool is_leaving_function(std::string_view function) {
  return std::any_of(kLeavingFunctions.begin(), kLeavingFunctions.end(), [&](std::string_view name) {
    return name.ends_with('*') ? function.starts_with(name.substr(0, name.size() - 1)) : function == name;
  });
}

bool has_fork_at(const Profile& parent, int64_t block) {
  constexpr std::string_view kBefore = "--dump-before=";
  return std::any_of(parent.parts.begin(), parent.parts.end(), [&](const ProfilePart& part) {
    return part.last_block == block && part.trigger.starts_with(kBefore) &&
           is_leaving_function(std::string_view(part.trigger).substr(kBefore.size()));
  });
}

namespace {

/// What runs under Valgrind in a process whose command line is `argv`; empty when that is no Valgrind.
std::vector<std::string> program_under_valgrind(const std::vector<std::string>& argv) {
  auto at = std::find_if(argv.begin(), argv.end(), [](const std::string& word) {
    return word == "--tool=callgrind" || word == kCounterToolOption;
  });
  if (at == argv.end()) return {};
  at = std::find_if(at, argv.end(), [](const std::string& word) { return !word.starts_with('-'); });
  return {at, argv.end()};
}

class Lister {
 public:
  void take(const ProcessEvent& event) {
    if (ignored_.contains(event.pid)) {
      if (event.kind == ProcessEvent::Kind::kForked) ignored_.insert(event.value);
      if (event.kind == ProcessEvent::Kind::kEnded) ignored_.erase(event.pid);
      return;
    }
    switch (event.kind) {
      case ProcessEvent::Kind::kUnwatched:
        find(event.pid);
        in_tool_.insert(event.pid);
        break;
      case ProcessEvent::Kind::kForked:
        take_fork(event);
        break;
      case ProcessEvent::Kind::kExecuted:
        take_exec(event);
        break;
      case ProcessEvent::Kind::kEnded:
        take_end(event);
        break;
    }
  }

  std::vector<ListedProcess> take_list() {
    std::vector<std::vector<int>> children(made_.size());
    for (size_t i = 0; i < made_.size(); ++i)
      if (made_[i].parent >= 0) children[static_cast<size_t>(made_[i].parent)].push_back(static_cast<int>(i));
    std::vector<ListedProcess> list;
    std::vector<std::pair<int, int>> waiting;  // process, its parent's place in the list
    if (!made_.empty()) waiting.emplace_back(0, -1);
    while (!waiting.empty()) {
      const auto [i, parent] = waiting.back();
      waiting.pop_back();
      const auto index = static_cast<size_t>(i);
      const auto place = static_cast<int>(list.size());
      list.push_back(made_[index]);
      list.back().parent = parent;
      for (auto child = children[index].rbegin(); child != children[index].rend(); ++child)
        waiting.emplace_back(*child, place);
    }
    return list;
  }

 private:
  /// The process that has this id now; the first one of the log is the program itself.
  size_t find(pid_t pid) {
    const auto [at, is_new] = current_.try_emplace(pid, made_.size());
    if (is_new) made_.push_back({.pid = pid});
    return at->second;
  }

  void take_fork(const ProcessEvent& event) {
    const size_t parent = find(event.pid);
    if (made_[parent].followed && !in_tool_.contains(event.pid)) {  // a helper of Valgrind's launcher
      ignored_.insert(event.value);
      return;
    }
    ListedProcess child{.pid = event.value, .parent = static_cast<int>(parent), .argv = made_[parent].argv};
    child.is_copy = true;
    child.parent_wrote = event.has_written;
    child.parent_file = made_[parent].kept.size();
    child.followed = made_[parent].followed;
    current_[event.value] = made_.size();
    made_.push_back(std::move(child));
    if (in_tool_.contains(event.pid)) in_tool_.insert(event.value);
  }

  /// Valgrind's launchers, which become the tool, are no programs of their own.
  void take_exec(const ProcessEvent& event) {
    ListedProcess& process = made_[find(event.pid)];
    if (in_tool_.erase(event.pid) != 0) process.kept.push_back(event.kept);
    process.shares_file |= event.shares_file;
    std::vector<std::string> argv = program_under_valgrind(event.argv);
    process.followed = !argv.empty();
    if (argv.empty()) argv = event.argv;
    process.argv = std::move(argv);
    const std::string_view program = std::string_view(event.program).substr(event.program.rfind('/') + 1);
    if (process.followed && (program.starts_with("callgrind-") || program == kCounterFile)) in_tool_.insert(event.pid);
  }

  void take_end(const ProcessEvent& event) {
    ListedProcess& process = made_[find(event.pid)];
    if (in_tool_.erase(event.pid) != 0) process.kept.push_back(event.kept);
    process.shares_file |= event.shares_file;
    process.status = event.value;
    current_.erase(event.pid);
  }

  std::vector<ListedProcess> made_;  // in the order of the log
  std::map<pid_t, size_t> current_;
  std::set<pid_t> ignored_;  // no processes of the program's
  std::set<pid_t> in_tool_;  // run under Callgrind at this moment
};

}  // namespace

std::vector<ListedProcess> list_processes(std::span<const ProcessEvent> events) {
  Lister lister;
  for (const ProcessEvent& event : events) lister.take(event);
  return lister.take_list();
}

namespace {

/// Callgrind writes when the program ends, also by a signal that it sent itself; of a process that others kill nothing
/// may be left but what it dumped before.
LastPart last_part_after(const ProcessProfile& process) {
  constexpr int kKill = 9;
  const bool killed = process.end == ProcessProfile::End::kSignalled && process.code == kKill;
  return killed ? LastPart::kAny : LastPart::kProgramsEnd;
}

/// Index among the parent's programs of the one that a copy was made of.
size_t parent_program(const ListedProcess& listed, const std::vector<ListedProcess>& all) {
  const std::vector<int>& kept = all[static_cast<size_t>(listed.parent)].kept;
  const auto end = kept.begin() + static_cast<long>(std::min(listed.parent_file, kept.size()));
  return static_cast<size_t>(end - kept.begin() - std::count(kept.begin(), end, 0));
}

}  // namespace

RunFolder::RunFolder(fs::path folder, const ParseOptions& parse)
    : folder_(std::move(folder)), parse_(parse), events_(read_process_events(load_file(folder_ / kRunEvents).view())) {}

std::string RunFolder::load_logs() const {
  std::string text;
  for (const fs::path& file : list_folder(folder_))
    if (file.filename().string().starts_with(kRunLogPrefix)) text += load_file(file).view();
  return text;
}

SystemCalls RunFolder::take_system_calls() {
  const SystemCalls calls = find_system_calls(load_logs());
  for (const fs::path& file : list_folder(folder_))
    if (file.filename().string().starts_with(kRunLogPrefix))
      save_file(file, without_system_calls(load_file(file).view()));
  return calls;
}

void RunFolder::read(CallgrindRun& run) {
  const std::vector<ListedProcess> listed = list_processes(events_);
  for (const ListedProcess& process : listed) run.processes.push_back(read_process(process, run.processes, listed));
  if (run.processes.empty() || run.processes[0].programs.empty()) run.processes.clear();
  add_notes(run);
}

ProcessProfile RunFolder::read_process(const ListedProcess& listed, const std::vector<ProcessProfile>& before,
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
  read_programs(listed, before, all, process);
  if (!listed.followed) process.not_counted = "it does not run under Valgrind";
  return process;
}

void RunFolder::read_programs(const ListedProcess& listed, const std::vector<ProcessProfile>& before,
                              const std::vector<ListedProcess>& all, ProcessProfile& process) {
  const bool signalled = process.end == ProcessProfile::End::kSignalled;
  for (size_t i = 0; i < listed.kept.size(); ++i) {
    const fs::path path = folder_ / fmt::format("{}{}.{}", kRunProfilePrefix, listed.pid, listed.kept[i]);
    const bool is_last = i + 1 == listed.kept.size() && listed.followed;
    const FileBytes bytes = listed.kept[i] == 0 ? FileBytes() : load_file(path);
    // Callgrind opens the file early; what is killed from outside may leave it empty.
    std::optional<Profile> profile;
    if (listed.kept[i] != 0 && !(signalled && bytes.view().empty()))
      profile = parse_whole(bytes.view(), path, is_last ? last_part_after(process) : LastPart::kAny,
                            is_last ? listed.pid : 0);
    if (!profile) {
      process.not_counted = why_nothing_is_left(listed, i);
      const bool has_begun = listed.kept[i] != 0 || listed.shares_file || !valgrinds_reason(listed.pid).empty();
      if (listed.parent < 0 && has_begun && !signalled)
        throw Error(ErrorKind::kTool,
                    fmt::format("cannot count {}: {}", shell_quote(listed.argv), process.not_counted));
      continue;
    }
    const bool is_copy = i == 0 && listed.is_copy;
    if (is_copy && !begins_at_fork(*profile, listed, before, all)) {
      process.not_counted = "it was forked without the C library";
      continue;
    }
    if (is_last && !reaches_programs_end(*profile))
      process.not_counted = "it was killed before its last part was written";
    process.is_copy |= is_copy;
    if (is_copy) process.copied_from = parent_program(listed, all);
    process.programs.push_back(std::move(*profile));
  }
}

/// Why a process has no profile of one of the programs that it ran.
std::string RunFolder::why_nothing_is_left(const ListedProcess& listed, size_t program) const {
  if (listed.shares_file)
    return "another process has the same number in a PID namespace of the program's, and their profiles have one name; "
           "count it where processes have larger numbers, for example outside of the container";
  if (program + 1 < listed.kept.size() || !listed.followed)
    return "it executed another program, and what ran before left no profile";
  if (const std::string reason = valgrinds_reason(listed.pid); !reason.empty())
    return fmt::format("Valgrind gave up on it and left no profile: {}", reason);
  if (listed.status && WIFSIGNALED(*listed.status) && WTERMSIG(*listed.status) == SIGSYS)
    return "a seccomp filter ended it before its profile was written";
  return "it ended before its profile was written";
}

/// Of the last program that the process ran; empty when Valgrind said nothing.
std::string RunFolder::valgrinds_reason(pid_t pid) const {
  const fs::path log = folder_ / fmt::format("{}{}", kRunLogPrefix, pid);
  return fs::exists(log) ? find_valgrinds_reason(load_file(log).view()) : std::string();
}

/// nullopt for a profile that is not whole because Valgrind gave up its process `pid` (0: not looked at). Otherwise
/// that is a failure that says what Valgrind said.
std::optional<Profile> RunFolder::parse_whole(std::string_view bytes, const fs::path& path, LastPart last,
                                              pid_t pid) const {
  try {
    return parse_own_profile(bytes, path, parse_, last);
  } catch (const Error& error) {
    if (pid != 0 && !valgrinds_reason(pid).empty()) return std::nullopt;
    const std::string reason = find_valgrinds_reason(load_logs());
    if (reason.empty()) throw;
    throw Error(error.kind(), fmt::format("{}; Valgrind says: {}", error.what(), reason));
  }
}

/// Whether its counts begin where the parent stood when it forked, and no other copy began there.
bool RunFolder::begins_at_fork(const Profile& profile, const ListedProcess& listed,
                               const std::vector<ProcessProfile>& before, const std::vector<ListedProcess>& all) {
  if (profile.parts.empty() || profile.creator == kCounterCreator) return true;
  if (!listed.parent_wrote) return false;
  const auto parent = static_cast<size_t>(listed.parent);
  const int64_t start = profile.parts[0].first_block;
  if (!starts_.insert({parent, listed.parent_file, start}).second) return false;
  const size_t file = parent_program(listed, all);
  // A parent that left no profile can't tell; Callgrind counts from 0 where nothing was written before.
  if (file >= before[parent].programs.size()) return start > 0;
  return has_fork_at(before[parent].programs[file], start);
}

void RunFolder::add_notes(CallgrindRun& run) const {
  const std::string log = load_logs();
  run.requests = find_counting_requests(log);
  run.chance = find_chance(log);
  // Where counts were set to zero, blocks exceed what is left of them.
  for (const ProcessProfile& process : run.processes)
    for (size_t i = 0; i < process.programs.size(); ++i)
      if (run.requests.uncollected.empty() && !run.requests.zeroed)
        run.requests.uncollected = find_uncollected_part(
            process.programs[i], i == 0 && process.is_copy ? ProfileStart::kFork : ProfileStart::kProgram);
  const bool unwatched = !events_.empty() && events_[0].kind == ProcessEvent::Kind::kUnwatched;
  if (unwatched && others_ran()) {
    run.not_followed.push_back("all that it starts");
    run.notes.push_back(fmt::format(
        "what the program starts is not counted: this system does not allow icount to follow it (ptrace: {})",
        errno_text(events_[0].value)));
  }
  for (const std::string& program : find_refused_programs(log)) {
    run.not_followed.push_back(fs::path(program).filename().string());
    run.notes.push_back(
        fmt::format("{} is setuid or setgid: Valgrind cannot run it, so that starting it failed", program));
  }
}

/// Files of other processes than the first.
bool RunFolder::others_ran() const {
  const std::string own = fmt::format("{}{}.", kRunProfilePrefix, events_[0].pid);
  const std::vector<fs::path> files = list_folder(folder_);
  return std::any_of(files.begin(), files.end(), [&](const fs::path& file) {
    const std::string name = file.filename().string();
    return name.starts_with(kRunProfilePrefix) && !name.starts_with(own);
  });
}

}  // namespace icount
