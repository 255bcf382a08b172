// The events of a watched tree (base/process_tree.h) -> the processes of a counted program, in an order that is the
// same in every run, with the profiles that each of them left. Pure. Used by callgrind/run.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "icount/base/process_tree.h"

namespace icount {

/// One process that a counted program consisted of.
struct ListedProcess {
  pid_t pid = 0;
  int parent = -1;                ///< index of who forked it; -1: the program itself
  std::vector<std::string> argv;  ///< what it ran last; its parent's while it is a copy of that
  bool is_copy = false;           ///< it began as a copy of its parent, as all but the first do
  bool parent_wrote = false;      ///< of a copy: its parent wrote a profile for this very fork
  size_t parent_file = 0;         ///< of a copy: index in the parent's `kept` of the program that it is a copy of
  std::vector<int> kept;      ///< numbers of the files that it left, one per program that it ran; 0: that one left none
  bool shares_file = false;   ///< its files may be another process's (PID namespaces), so it has none
  bool followed = true;       ///< what it ran last ran under Callgrind
  std::optional<int> status;  ///< wait status; nullopt: it outlived the program
};

/// The first process first, then each before those it forked, in the order in which it did.
std::vector<ListedProcess> list_processes(std::span<const ProcessEvent> events);

}  // namespace icount
