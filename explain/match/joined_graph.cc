#include "icount/explain/match/joined_graph.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "icount/base/hash.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/noise_groups.h"
#include "icount/callgraph/symbol_name.h"

namespace icount {
namespace {

uint64_t identity(const FoldedGraph& side, uint32_t function) {
  if (function == kNoFunction) return 0;
  const FoldedFunction& f = side.functions[function];
  return hash64(f.name) * 3 + hash64(f.file) * 5 + hash64(f.object) * 7 + 1;
}

struct Sortable {
  uint64_t low = 0, high = 0;
  uint32_t match = 0;
};

/// By hashes of both names, smaller first: the same order whichever side is called base, and far cheaper than long
/// names.
std::vector<uint32_t> side_blind_order(const FoldedGraph& base, const FoldedGraph& head,
                                       const std::vector<FunctionMatch>& matches) {
  std::vector<Sortable> keys(matches.size());
  for (uint32_t i = 0; i < matches.size(); ++i) {
    const uint64_t b = identity(base, matches[i].base), h = identity(head, matches[i].head);
    keys[i] = {std::min(b, h), std::max(b, h), i};
  }
  std::sort(keys.begin(), keys.end(), [](const Sortable& a, const Sortable& b) {
    return std::tie(a.low, a.high, a.match) < std::tie(b.low, b.high, b.match);
  });
  std::vector<uint32_t> order(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) order[i] = keys[i].match;
  return order;
}

JoinedFunction join_one(const FoldedGraph& base, const FoldedGraph& head, FunctionMatch match) {
  JoinedFunction joined;
  joined.folded = {match.base, match.head};
  joined.by = match.by;
  joined.evidence = std::move(match.evidence);
  if (match.base != kNoFunction) joined.base_name = base.functions[match.base].name;
  if (match.head != kNoFunction) joined.head_name = head.functions[match.head].name;
  const bool only_base_is_named =
      match.base != kNoFunction && is_address_name(joined.head_name) && !is_address_name(joined.base_name);
  const FoldedFunction& shown =
      match.head != kNoFunction && !only_base_is_named ? head.functions[match.head] : base.functions[match.base];
  joined.name = shown.name;
  joined.file = shown.file;
  joined.object = shown.object;
  return joined;
}

/// pthread_getattr_np, and functions that nothing else calls, directly or by others of them.
std::vector<bool> find_lists_of_mappings(const FoldedGraph& side) {
  std::vector<bool> found;
  for (uint32_t f = 0; f < side.functions.size(); ++f) {
    if (!side.functions[f].name.starts_with("pthread_getattr_np")) continue;
    found.resize(side.functions.size());
    found[f] = true;
  }
  for (bool grows = !found.empty(); grows;) {
    grows = false;
    std::vector<bool> is_called(found.size()), by_others(found.size());
    for (const FoldedEdge& edge : side.edges)
      if (edge.caller != edge.callee) (found[edge.caller] ? is_called : by_others)[edge.callee] = true;
    for (size_t f = 0; f < found.size(); ++f) {
      if (found[f] || !is_called[f] || by_others[f]) continue;
      found[f] = grows = true;
    }
  }
  return found;
}

void mark_shared_names(std::vector<JoinedFunction>& functions) {
  std::unordered_map<std::string_view, uint32_t> first;
  first.reserve(functions.size());
  for (uint32_t i = 0; i < functions.size(); ++i) {
    const auto [seen, fresh] = first.try_emplace(functions[i].name, i);
    if (!fresh) functions[i].name_is_shared = functions[seen->second].name_is_shared = true;
  }
}

}  // namespace

std::string_view noise_group_of(const JoinedGraph& joined, const JoinedFunction& function) {
  std::optional<std::string_view> common;
  for (size_t side = 0; side < 2; ++side) {
    if (function.folded[side] == kNoFunction) continue;
    const FoldedFunction& own = joined.sides[side]->functions[function.folded[side]];
    const std::vector<bool>& lists_mappings = joined.lists_mappings[side];
    const std::string_view group = !lists_mappings.empty() && lists_mappings[function.folded[side]]
                                       ? kMappingsGroup
                                       : noise_group_of(own.name, own.object);
    if (group.empty() && is_address_name(own.name)) continue;  // its object alone may tell, as the loader's does
    if (common && *common != group) return {};
    common = group;
  }
  return common.value_or(std::string_view());
}

JoinedGraph join_graphs(const FoldedGraph& base, const FoldedGraph& head, std::vector<FunctionMatch> matches) {
  JoinedGraph joined;
  joined.sides = {&base, &head};
  for (size_t side = 0; side < 2; ++side) joined.node_of[side].resize(joined.sides[side]->functions.size());
  for (uint32_t match : side_blind_order(base, head, matches)) {
    const auto node = static_cast<uint32_t>(joined.functions.size());
    joined.functions.push_back(join_one(base, head, std::move(matches[match])));
    FlowNode flow;
    for (size_t side = 0; side < 2; ++side) {
      const uint32_t folded = joined.functions.back().folded[side];
      if (folded == kNoFunction) continue;
      joined.node_of[side][folded] = node;
      flow.self[side] = joined.sides[side]->functions[folded].self;
    }
    joined.flow.nodes.push_back(flow);
  }
  mark_shared_names(joined.functions);
  for (size_t side = 0; side < 2; ++side) joined.lists_mappings[side] = find_lists_of_mappings(*joined.sides[side]);
  for (size_t side = 0; side < 2; ++side) {
    const auto& node_of = joined.node_of[side];
    for (const FoldedEdge& edge : joined.sides[side]->edges) {
      FlowEdge flow{node_of[edge.caller], node_of[edge.callee], {}, {}};
      flow.calls[side] = edge.calls;
      flow.inclusive[side] = edge.inclusive;
      joined.flow.edges.push_back(flow);
    }
  }
  index_edges(joined.flow);
  find_entries(joined.flow);
  return joined;
}

const SourceLines& JoinedLines::of(size_t side) {
  if (sides_.empty())
    for (const FoldedGraph* graph : joined_.sides) sides_.emplace_back(*graph);
  return sides_[side];
}

const LineShifts& JoinedLines::shifts() {
  if (shifts_) return *shifts_;
  shifts_.emplace();
  for (const JoinedFunction& function : joined_.functions) {
    if (function.folded[0] == kNoFunction || function.folded[1] == kNoFunction) continue;
    const auto file = [&](size_t s) { return base_of_path(joined_.sides[s]->functions[function.folded[s]].file); };
    shifts_->add(file(0), of(0).span(function.folded[0]), file(1), of(1).span(function.folded[1]));
  }
  return *shifts_;
}

}  // namespace icount
