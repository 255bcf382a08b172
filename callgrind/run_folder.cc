#include "icount/callgrind/run_folder.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/folder_entries.h"
#include "icount/callgrind/call_count_trust.h"
#include "icount/callgrind/forked_profile.h"
#include "icount/callgrind/own_profile.h"
#include "icount/callgrind/valgrind_log.h"
#include "icount/counter/named_counts.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

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
