#include "icount/timer/process_cuts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/callgrind/part_choice.h"

namespace icount {

void keep_calls_within(const std::vector<std::string>& functions, const std::vector<std::string>& argv,
                       CallgrindRun& run) {
  std::vector<std::vector<int64_t>> depths;  // at the begin of each process's programs
  for (const ProcessProfile& process : run.processes) {
    std::vector<int64_t>& own = depths.emplace_back(process.programs.size(), 0);
    if (!process.is_copy || own.empty() || process.programs[0].parts.empty()) continue;
    const auto parent = static_cast<size_t>(process.parent);
    if (process.copied_from >= run.processes[parent].programs.size()) continue;
    own[0] = depth_at(run.processes[parent].programs[process.copied_from], process.programs[0].parts[0].first_block,
                      depths[parent][process.copied_from]);
  }
  bool any = false;
  for (size_t p = 0; p < run.processes.size(); ++p)
    for (size_t i = 0; i < run.processes[p].programs.size(); ++i) {
      Profile& profile = run.processes[p].programs[i];
      keep_within(profile, depths[p][i]);
      any |= !profile.parts.empty();
    }
  if (!any)
    throw Error(ErrorKind::kTool,
                fmt::format("cannot count {}: it calls no function {}; --within takes names as the profile has them, "
                            "with * and ?",
                            shell_quote(argv), shell_quote(functions)));
  for (ProcessProfile& process : run.processes)
    std::erase_if(process.programs, [](const Profile& profile) { return profile.parts.empty(); });
}

void tell_threads(CallgrindRun& run, std::vector<std::string>& notes) {
  std::vector<bool> threaded;
  for (ProcessProfile& process : run.processes) {
    std::map<int64_t, int64_t> by_thread;
    for (const Profile& profile : process.programs)
      for (const ProfilePart& part : profile.parts) by_thread[part.thread] += part.totals.at(0);
    std::erase_if(by_thread, [](const auto& thread) { return thread.second == 0; });
    const bool is_first = threaded.empty();
    threaded.push_back(by_thread.size() > 1);
    if (process.is_copy && threaded[static_cast<size_t>(process.parent)]) {
      process.programs.erase(process.programs.begin());
      process.not_counted = "with --per-thread a copy of a process with threads cannot be told from its parent";
    } else if (by_thread.size() > 1) {
      std::string note = is_first ? "by thread:" : fmt::format("by thread of {}:", shell_quote(process.argv));
      for (const auto& [thread, cost] : by_thread)
        note += fmt::format("{} {} in {}", note.ends_with(':') ? "" : ",", with_thousands(cost),
                            thread == by_thread.begin()->first ? "the main thread" : fmt::format("thread {}", thread));
      notes.push_back(std::move(note));
    }
  }
}

}  // namespace icount
