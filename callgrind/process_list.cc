#include "icount/callgrind/process_list.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "icount/callgrind/own_counter.h"

namespace icount {
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

}  // namespace icount
