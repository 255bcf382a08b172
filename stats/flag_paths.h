// Paths in recorded flags that say where something lay and not what it was: the checkout, a worktree, a build folder,
// the cache. Named instead of spelt out, so that the same flags are equal wherever they were used. Used where results
// are recorded (cli/run_suite.cc), and where they are compared with results that were recorded before there were names
// (stats/fingerprint.cc).
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

/// Whether `name` is a fact that holds flags.
bool holds_flags(std::string_view name);

/// Whether `spelt_out`, flags of a result that names no folders, differ from `other` by folders only: word by word
/// equal, or paths of which `other` names the beginning that `spelt_out` spells out (-I/home/u/p/include,
/// -I<source>/include), or paths below /tmp or /var/tmp whose last components are equal.
bool differ_by_folders_only(std::string_view spelt_out, std::string_view other);

/// The facts that say how code was compiled: compiler, standard, build type, flags, link flags. None for Python, whose
/// statements no compiler of ours touches.
Fingerprint build_facts(const Fingerprint& fingerprint);

/// The same for a heading: "g++ 12.2.0, -O2 -DNDEBUG, c++20". What is not recorded is left out; empty: nothing is.
std::string describe_build(const Fingerprint& fingerprint);

/// Head's, and base's where it is another; empty where head's is not known.
std::string describe_builds(const std::string& base, const std::string& head);

}  // namespace icount
