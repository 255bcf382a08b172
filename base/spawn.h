// Starting a child process: fork and exec with a given environment, folder and set of descriptors. The step below
// base/process (which runs a child to its end) and harness/stub_client (which talks with one).
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "icount/base/process_tree.h"

namespace icount {

/// What to start and what it inherits.
struct SpawnSpec {
  std::vector<std::string> argv;                        ///< argv[0] is looked up in PATH when it has no slash
  std::optional<std::vector<std::string>> environment;  ///< complete block of NAME=VALUE; nullopt: ours
  std::filesystem::path working_dir;                    ///< empty: ours
  std::vector<std::pair<int, int>>
      descriptors;  ///< {ours, the child's number}; everything else should be close-on-exec
  bool disable_aslr = false;
  std::optional<TreeWatch> watch;  ///< watch it and what it starts (base/process_tree.h)
  bool ends_with_us = false;       ///< killed with the thread that starts it, also by kill -9; watched, its tree, too
};

struct Spawned {
  pid_t pid = -1;             ///< leader of a process group of its own; with `watch` a process that ends as it does
  bool aslr_refused = false;  ///< disable_aslr was asked for and the system said no
};

/// Both ends of a pipe, close-on-exec; closes what is still open. Error{kIo} when there is none to be had.
struct Pipe {
  int read_end = -1;
  int write_end = -1;
  Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe();
  static void close_end(int& fd);
};

/// Starts the program with default signal handling. Error{kTool} "cannot start PROGRAM: REASON" when there is no such
/// program or exec fails, "cannot enter DIR: REASON" for the folder, Error{kIo} when no process is to be had.
Spawned spawn(const SpawnSpec& spec);

/// Closes every descriptor but these two. Async-signal-safe: a child calls it between fork and exec. Where there is
/// neither close_range (kernels before 5.9, filters of older containers) nor /proc, the rest stays open.
void close_all_but(int a, int b);

}  // namespace icount
