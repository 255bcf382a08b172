#include "icount/callgrind/named_regions.h"

#include <algorithm>
#include <vector>

#include "icount/callgraph/graph_sum.h"
#include "icount/callgrind/cost_graph_builder.h"

namespace icount {
namespace {

/// How the dump at the end of a part changes the number of chosen functions that are active.
int64_t depth_change(const ProfilePart& part, const FunctionNames& functions) {
  if (!begun_function(part, functions).empty()) return 1;
  return ended_function(part, functions).empty() ? 0 : -1;
}

std::string_view behind(std::string_view option, const ProfilePart& part, const FunctionNames& functions) {
  const std::string_view trigger = part.trigger;
  if (!trigger.starts_with(option)) return {};
  const std::string_view name = trigger.substr(option.size());
  return functions.contains(name) ? name : std::string_view();
}

}  // namespace

std::string_view begun_function(const ProfilePart& part, const FunctionNames& functions) {
  return behind("--dump-before=", part, functions);
}

std::string_view ended_function(const ProfilePart& part, const FunctionNames& functions) {
  return behind("--dump-after=", part, functions);
}

int64_t depth_at(const Profile& profile, const FunctionNames& functions, int64_t block, int64_t depth) {
  for (const ProfilePart& part : profile.parts) {
    if (part.last_block > block) break;
    depth = std::max<int64_t>(depth + depth_change(part, functions), 0);
  }
  return depth;
}

void keep_within(Profile& profile, const FunctionNames& functions, int64_t depth) {
  std::erase_if(profile.parts, [&](const ProfilePart& part) {
    const bool outside = depth <= 0;
    depth = std::max<int64_t>(depth + depth_change(part, functions), 0);
    return outside;
  });
}

namespace {

constexpr std::string_view kNamed = "Client Request: ";
// What include/icount/region.h writes.
constexpr std::string_view kBegin = "icount-region+ ", kEnd = "icount-region- ", kBetween = "icount-region/";

/// What the dump at the end of a part says.
struct Marker {
  enum class Kind { kNone, kBegin, kEnd, kBetween, kName } kind = Kind::kNone;
  std::string name;
};

Marker marker_of(const ProfilePart& part) {
  std::string_view text = part.trigger;
  if (!text.starts_with(kNamed)) return {};
  text.remove_prefix(kNamed.size());
  if (text == kBetween) return {Marker::Kind::kBetween, {}};
  if (text.starts_with(kBegin)) return {Marker::Kind::kBegin, std::string(text.substr(kBegin.size()))};
  if (text.starts_with(kEnd)) return {Marker::Kind::kEnd, std::string(text.substr(kEnd.size()))};
  return {Marker::Kind::kName, std::string(text)};
}

/// False for an end without a begin.
bool advance(OpenRegions& open, const Marker& marker) {
  if (marker.kind == Marker::Kind::kBetween) open.between = true;
  if (marker.kind != Marker::Kind::kBegin && marker.kind != Marker::Kind::kEnd) return true;
  open.between = false;
  if (marker.kind == Marker::Kind::kBegin) {
    ++open.depth[marker.name];
    return true;
  }
  const auto found = open.depth.find(marker.name);
  if (found == open.depth.end()) return false;
  if (--found->second == 0) open.depth.erase(found);
  return true;
}

/// Adds graphs up as they come; a region that is entered often has thousands.
class GraphHeap {
 public:
  void add(CostGraph graph) {
    graphs_.push_back(std::move(graph));
    if (graphs_.size() == kMost) settle();
  }
  CostGraph take() {
    settle();
    CostGraph graph = graphs_.empty() ? CostGraph() : std::move(graphs_.front());
    if (!graph.events.empty()) complete_inclusive(graph);
    return graph;
  }

 private:
  static constexpr size_t kMost = 64;
  void settle() {
    if (graphs_.size() < 2) return;
    std::vector<const CostGraph*> all;
    for (const CostGraph& graph : graphs_) all.push_back(&graph);
    CostGraph sum = sum_graphs(all);
    graphs_.clear();
    graphs_.push_back(std::move(sum));
  }
  std::vector<CostGraph> graphs_;
};

}  // namespace

NamedRegions find_named_regions(const Profile& profile, OpenRegions open) {
  NamedRegions found;
  std::map<std::string, GraphHeap> graphs;
  for (size_t i = 0; i < profile.parts.size(); ++i) {
    const Marker marker = marker_of(profile.parts[i]);
    const bool is_named = marker.kind == Marker::Kind::kName;
    if (!open.between && (is_named || !open.depth.empty())) {
      const CostGraph part = make_part_graph(profile, i);
      for (const auto& [name, depth] : open.depth)
        if (!is_named || name != marker.name) graphs[name].add(part);
      if (is_named) graphs[marker.name].add(part);
      found.inside += part.totals.at(0);
    }
    if (is_named || marker.kind == Marker::Kind::kBegin) ++found.regions[marker.name].entries;
    if (!advance(open, marker)) ++found.unmatched;
  }
  for (auto& [name, heap] : graphs) found.regions[name].graph = heap.take();
  found.open = std::move(open);
  return found;
}

OpenRegions open_regions_at(const Profile& profile, int64_t block, OpenRegions open) {
  for (const ProfilePart& part : profile.parts) {
    if (part.last_block > block) break;
    advance(open, marker_of(part));
  }
  return open;
}

}  // namespace icount
