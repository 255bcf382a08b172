// Build roots: where two builds of one source tree lay. Found by comparing the files of both sides, so that
// /home/a/src/x.cc and /ci/42/src/x.cc are known to be one file. Used by explain() and by standardised counts.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// Files below `base` on the base side are the files below `head` on the head side. Both end with '/' or are empty.
struct RootPair {
  std::string base;
  std::string head;
  bool operator==(const RootPair&) const = default;
};

/// Pairs of roots under which files that only one side knows become equal, the pair that settles most files first.
/// Only files that are not on both sides take part, and a pair must leave at least one folder and the file name, or
/// the file name when it occurs once on each side.
std::vector<RootPair> find_build_roots(std::span<const std::string_view> base_files,
                                       std::span<const std::string_view> head_files);

/// `file` of the head side as the base side would spell it: the first fitting pair's root replaced; else as it is.
std::string to_base_root(std::string_view file, std::span<const RootPair> roots);

}  // namespace icount
