// What the debug information of an object says about how each side was compiled: it confirms what the profile alone
// lets one guess (explain/claims/rebuilt.h).
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "icount/explain/claims/noise_fold.h"
#include "icount/explain/claims/relations.h"
#include "icount/explain/match/joined_graph.h"

namespace icount {

/// "-O0 instead of -O2", "-flto in head only", "clang version 14.0.6 instead of GNU C17 12.2.0": head's first. Empty
/// where a side's is not known, and where both are the same. `objects`: its path on each side.
std::string producer_change(const JoinedGraph& joined, const std::array<std::string_view, 2>& objects);

/// The same of two values of DW_AT_producer.
std::string producer_change(std::string_view base, std::string_view head);

// Objects that one side compiled with more inlining (-O0 against -O2): most of their small functions are gone there,
// and nearly all others cost something else. Read off the joined graph; explain/claims/inlining.cc believes in more
// moves then, explain/match/node_names.cc says it.

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
/// on each side, or where its source is the same: no function begins on another line.
struct OtherBuild {
  std::array<std::string_view, 2> objects;  ///< its path on each side
  std::array<size_t, 2> alone{};            ///< functions that only base and only head has
  size_t common = 0, changed = 0;           ///< functions that both have, and those of them with another self cost
  fact::BuildGuess guess = fact::BuildGuess::kNone;
  bool guess_in_head = true;
};

/// Every such object, sorted by path.
std::vector<OtherBuild> find_other_builds(const JoinedGraph& joined);

// Objects that one side built with link-time optimisation: functions of one source file are inlined into those of
// another there, which no compiler does that sees one file at a time. Read off the inlining moves;
// explain/claims/claims.cc makes one cause of all that changed in such an object.

struct LinkTimeBuild {
  std::array<std::string_view, 2> objects;  ///< its path on each side; empty where a side has no function of it
  size_t side = 0;                          ///< the one that was optimised at link time: 0 base, 1 head
  size_t functions = 0;                     ///< inlined into functions of other source files
};

/// Every such object, sorted by path. Functions of header files don't count: any compiler inlines them.
std::vector<LinkTimeBuild> find_link_time_builds(const JoinedGraph& joined, const OpenedFlow& flow,
                                                 const std::vector<InliningMove>& moves);

// Where one object was built differently and most of the change happens in it, all causes become one: that build. The
// last join of explain/claims/claims.cc.

/// Objects with other options, another compiler or version (explain/claims/rebuilt.h), then those that one side
/// optimised at link time (explain/claims/rebuilt.h).
void join_other_builds(const JoinedGraph& joined, const OpenedFlow& flow, const std::vector<InliningMove>& moves,
                       std::vector<GroupedCause>& causes);

}  // namespace icount
