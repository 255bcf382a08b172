#include "icount/explain/link_time.h"

#include <algorithm>
#include <map>
#include <set>

#include "icount/callgraph/name_parts.h"

namespace icount {
namespace {

// So many functions at least are inlined across files; fewer may have been merged by hand.
constexpr size_t kFewestFunctions = 4;

/// A file that is compiled by itself: "inlines.c", not "vector" or "list.h".
bool is_source_file(std::string_view file) {
  static constexpr auto kEndings =
      std::to_array<std::string_view>({".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".m", ".mm", ".f90", ".f", ".adb"});
  return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) { return file.ends_with(ending); });
}

/// Where a function is, on the side on which it runs as one.
struct Home {
  std::string_view object, file;
};

Home home_of(const JoinedGraph& joined, const JoinedFunction& function, size_t side) {
  if (function.folded[side] == kNoFunction) return {};
  const FoldedFunction& folded = joined.sides[side]->functions[function.folded[side]];
  return {folded.object, base_of_path(folded.file)};
}

}  // namespace

std::vector<LinkTimeBuild> find_link_time_builds(const JoinedGraph& joined, const OpenedFlow& flow,
                                                 const std::vector<InliningMove>& moves) {
  const auto function_of = [&](uint32_t node) -> const JoinedFunction& {
    return joined.functions[flow.condensed.members[node].front()];
  };
  struct Inlined {
    std::array<std::string_view, 2> objects;
    std::array<std::set<uint32_t>, 2> functions;  // by the side that inlines
  };
  std::map<std::string_view, Inlined> by_object;
  for (const InliningMove& move : moves) {
    const size_t side = move.into_caller ? 1 : 0;
    for (const uint32_t e : move.lost_edges) {
      const JoinedFunction& caller = function_of(move.caller);
      const uint32_t node = flow.condensed.graph.edges[e].callee;
      const Home from = home_of(joined, function_of(node), 1 - side), to = home_of(joined, caller, 1 - side);
      if (from.object.empty() || from.object != to.object || from.file == to.file) continue;
      if (!is_source_file(from.file) || !is_source_file(to.file)) continue;
      Inlined& inlined = by_object[base_of_path(from.object)];
      inlined.objects = {home_of(joined, caller, 0).object, home_of(joined, caller, 1).object};
      inlined.functions[side].insert(node);
    }
  }
  std::vector<LinkTimeBuild> found;
  for (const auto& [name, inlined] : by_object)
    for (size_t side = 0; side < 2; ++side)
      if (inlined.functions[side].size() >= kFewestFunctions && inlined.functions[1 - side].empty())
        found.push_back({inlined.objects, side, inlined.functions[side].size()});
  return found;
}

}  // namespace icount
