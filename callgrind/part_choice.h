// Which dumps of a profile are counted: those inside of chosen functions, and those that the program itself named.
// Pure; timer/count_program asks.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "icount/callgraph/cost_graph.h"
#include "icount/callgrind/profile.h"

namespace icount {

/// Callgrind options by which a dump is written at every outermost call of the functions (patterns with * and ?) and at
/// its end. A name without arguments stands for the C++ functions of that name, too.
std::vector<std::string> within_options(const std::vector<std::string>& functions);

/// How many of the chosen functions were active when the process had run `block` basic blocks; `depth` at its start.
int64_t depth_at(const Profile& profile, int64_t block, int64_t depth);

/// Leaves the parts that ran inside of a chosen function; the profile was made with within_options. `depth` is how many
/// of them were active where it begins: more than 0 in a copy that was forked inside of one.
void keep_within(Profile& profile, int64_t depth);

/// What the program named by CALLGRIND_DUMP_STATS_AT("NAME"): the cost since its dump before, by name; dumps of one
/// name are added up.
std::map<std::string, CostGraph> named_regions(const Profile& profile);

}  // namespace icount
