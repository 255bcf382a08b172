// Paths in recorded flags that say where something lay and not what it was: the checkout, a worktree, a build folder,
// the cache. Named instead of spelt out, so that the same flags are equal wherever they were used. Used where results
// are recorded (cli/run_suite.cc).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "icount/stats/fingerprint.h"

namespace icount {

/// A folder and what stands for it.
struct NamedFolder {
  std::string path;        ///< absolute, without '/' at its end
  std::string name;        ///< "<source>"
  size_t passed_over = 0;  ///< components below it that are left out, too: the key of a cache entry
};

/// `flags` with each folder's path, where it stands as a path's beginning, replaced by its name; of several that fit
/// the longest. "-I/home/u/p/include" -> "-I<source>/include".
std::string with_named_folders(std::string_view flags, const std::vector<NamedFolder>& folders);

/// The same for every fact that holds flags.
void name_folders(Fingerprint& fingerprint, const std::vector<NamedFolder>& folders);

/// The facts that say how code was compiled: compiler, standard, build type, flags, link flags. None for Python, whose
/// statements no compiler of ours touches.
Fingerprint build_facts(const Fingerprint& fingerprint);

}  // namespace icount
