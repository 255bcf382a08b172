// Objects that one side compiled with more inlining (-O0 against -O2): most of their small functions are gone there,
// and nearly all others cost something else. Read off the joined graph; explain/inlining.cc believes in more moves
// then, explain/match_notes.cc says it.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "icount/explain/joined_graph.h"

namespace icount {

struct OptimisationChange {
  std::array<std::string_view, 2> objects;  ///< its path on each side
  size_t less = 0;                          ///< the side that inlines less: 0 base, 1 head
  size_t gone = 0, all = 0;                 ///< functions of that side that the other has not, and all that it has
};

/// Every such object, sorted by path. A run that merely does less has fewer functions, too, but those that it has cost
/// what they did.
std::vector<OptimisationChange> find_optimisation_changes(const JoinedGraph& joined);

/// An object that was compiled with other options, by another compiler or from another version: of the functions that
/// both sides have most cost something else per call in as many calls (a change of code moves a few of them, one of the
/// input moves the numbers of calls), or a quarter where its debug information names other options or another compiler
/// on each side.
struct OtherBuild {
  std::array<std::string_view, 2> objects;  ///< its path on each side
  std::array<size_t, 2> alone{};            ///< functions that only base and only head has
  size_t common = 0, changed = 0;           ///< functions that both have, and those of them with another self cost
};

/// Every such object, sorted by path.
std::vector<OtherBuild> find_other_builds(const JoinedGraph& joined);

}  // namespace icount
