// Which file of a diff a profile's file is: paths of builds are longer than those that git knows.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "icount/mine/diff_hunks.h"

namespace icount {

inline constexpr uint32_t kNotInDiff = ~uint32_t{0};

/// A side's files, numbered as the profile has them.
struct PathMatch {
  std::vector<uint32_t> diff_file;      ///< index into Diff::files, or kNotInDiff
  std::vector<std::string> repository;  ///< below the repository's top folder; empty: outside of it, or not known
};

/// A file below one of `roots` is what its rest says. Else it is the file of the diff whose whole path ends it, the
/// longest of several, or (where it has no folders that are not in the diff's path) the only one that it ends. What
/// stands before such paths is then the root of others. A driver outside of the roots is not the repository's file of
/// its name where that was executed, too.
PathMatch match_paths(std::span<const std::string> profile_files, const Diff& diff, size_t side,
                      std::span<const std::string> roots);

}  // namespace icount
