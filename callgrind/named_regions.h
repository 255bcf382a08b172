// Parts of a run that dumps delimit. Those that the program names itself: by icount/region.h, which marks a begin and
// an end, or by CALLGRIND_DUMP_STATS_AT("NAME"), which names the cost since the dump before it. Pure; timer/within
// asks.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "icount/callgraph/cost_graph.h"
#include "icount/callgrind/profile.h"

namespace icount {

// Which dumps of a profile are counted: those inside of chosen functions. Pure; timer/count_program asks.

using FunctionNames = std::set<std::string, std::less<>>;

/// The function of `functions` before whose outermost call, or behind which, the part was written; empty: another one.
std::string_view begun_function(const ProfilePart& part, const FunctionNames& functions);
std::string_view ended_function(const ProfilePart& part, const FunctionNames& functions);

/// How many of `functions` were active when the process had run `block` basic blocks; `depth` at its start.
int64_t depth_at(const Profile& profile, const FunctionNames& functions, int64_t block, int64_t depth);

/// Leaves the parts that ran inside of one of `functions`; the profile was made with dumps at their calls. `depth` is
/// how many of them were active where it begins: more than 0 in a copy that was forked inside of one.
void keep_within(Profile& profile, const FunctionNames& functions, int64_t depth);

struct NamedRegion {
  int64_t entries = 0;  ///< begins, or dumps of that name
  CostGraph graph;      ///< without events where nothing was written between begin and end
};

/// Regions of icount/region.h that are open at some place of a process: how often each was begun and not ended.
/// `between` is true from a marker's first dump to its second: what it takes to write the name is in no region.
struct OpenRegions {
  std::map<std::string, int64_t> depth;
  bool between = false;
};

struct NamedRegions {
  std::map<std::string, NamedRegion> regions;
  int64_t inside = 0;     ///< cost of the profile's first event inside of any region
  int64_t unmatched = 0;  ///< ends without a begin
  OpenRegions open;       ///< at the end; what is open there was counted to the end
};

/// The named regions of one process, or of one program of it. `open` is the state where it begins: that of the parent
/// at the fork for a copy. Of a region inside of itself cost is counted once and every begin is an entry.
NamedRegions find_named_regions(const Profile& profile, OpenRegions open = {});

/// Which regions were open when the process had run `block` basic blocks.
OpenRegions open_regions_at(const Profile& profile, int64_t block, OpenRegions open = {});

}  // namespace icount
