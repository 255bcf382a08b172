// The folder that a run under Callgrind left (events of its processes, a profile and a log of Valgrind's for each) ->
// the processes with what they cost. Written by callgrind/run, kept by timer/count_program, read here.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "icount/callgrind/own_profile.h"
#include "icount/callgrind/process_list.h"
#include "icount/callgrind/run.h"

namespace icount {

/// Names in such a folder: the watcher's log; what stands before the process id of a profile and of a log.
inline constexpr const char* kRunEvents = "events";
inline constexpr const char* kRunProfilePrefix = "cg.";
inline constexpr const char* kRunLogPrefix = "log.";

class RunFolder {
 public:
  /// Error{kIo} when the events can't be read. Profiles may be compressed.
  RunFolder(std::filesystem::path folder, const ParseOptions& parse);

  /// What happened to the processes, in the order of time.
  const std::vector<ProcessEvent>& events() const { return events_; }

  /// All logs, one after the other.
  std::string load_logs() const;

  /// Valgrind's list of system calls, which is no part of the logs any more afterwards.
  SystemCalls take_system_calls();

  /// Fills processes, notes, not_followed and requests. Error{kIo} when a profile is not whole
  /// (callgrind/own_profile.h), Error{kTool} when Valgrind gave up the program itself.
  void read(CallgrindRun& run);

 private:
  ProcessProfile read_process(const ListedProcess& listed, const std::vector<ProcessProfile>& before,
                              const std::vector<ListedProcess>& all);
  void read_programs(const ListedProcess& listed, const std::vector<ProcessProfile>& before,
                     const std::vector<ListedProcess>& all, ProcessProfile& process);
  std::string why_nothing_is_left(const ListedProcess& listed, size_t program) const;
  std::string valgrinds_reason(pid_t pid) const;
  std::optional<Profile> parse_whole(std::string_view bytes, const std::filesystem::path& path, LastPart last,
                                     pid_t pid) const;
  bool begins_at_fork(const Profile& profile, const ListedProcess& listed, const std::vector<ProcessProfile>& before,
                      const std::vector<ListedProcess>& all);
  void add_notes(CallgrindRun& run) const;
  bool others_ran() const;

  std::filesystem::path folder_;
  const ParseOptions& parse_;
  std::vector<ProcessEvent> events_;
  std::set<std::tuple<size_t, size_t, int64_t>> starts_;  // of copies: their parent, its program, its basic block
};

}  // namespace icount
