#include "icount/timer/process_cuts.h"

#include <fmt/format.h>

#include <map>

#include "icount/base/command_line.h"
#include "icount/base/text.h"

namespace icount {

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
      process.not_counted =
          "with --per-thread, a forked copy of a process with threads cannot be distinguished from its parent";
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
