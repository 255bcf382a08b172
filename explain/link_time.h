// Objects that one side built with link-time optimisation: functions of one source file are inlined into those of
// another there, which no compiler does that sees one file at a time. Read off the inlining moves;
// explain/cause_list.cc makes one cause of all that changed in such an object.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "icount/explain/inlining.h"

namespace icount {

struct LinkTimeBuild {
  std::array<std::string_view, 2> objects;  ///< its path on each side; empty where a side has no function of it
  size_t side = 0;                          ///< the one that was optimised at link time: 0 base, 1 head
  size_t functions = 0;                     ///< inlined into functions of other source files
};

/// Every such object, sorted by path. Functions of header files don't count: any compiler inlines them.
std::vector<LinkTimeBuild> find_link_time_builds(const JoinedGraph& joined, const OpenedFlow& flow,
                                                 const std::vector<InliningMove>& moves);

}  // namespace icount
