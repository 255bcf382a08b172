#include "icount/stacks/stack_contexts.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "icount/base/checked.h"
#include "icount/callgraph/components.h"
#include "icount/callgraph/name_parts.h"

namespace icount {
namespace {

class ContextFolder {
 public:
  explicit ContextFolder(const CostGraph& contexts) : from_(contexts), events_(contexts.event_count()) {}

  CostGraph fold() {
    graph_.events = from_.events;
    graph_.totals = from_.totals;
    graph_.parts = from_.parts;
    graph_.call_counts = from_.call_counts;
    fold_functions();
    fold_rows();
    fold_lines();
    fold_edges();
    return std::move(graph_);
  }

 private:
  StringId text(StringId id) { return graph_.strings.intern(from_.strings.view(id)); }

  void fold_functions() {
    FirstSeen functions;
    folded_.resize(from_.functions.size());
    for (FunctionIndex f = 0; f < from_.functions.size(); ++f) {
      const Function& function = from_.functions[f];
      const Function to = {graph_.strings.intern(split_contexts(from_.name(f)).function), text(function.file),
                           text(function.object)};
      folded_[f] = functions.number_of(to.name, to.file, to.object);
      if (folded_[f] == graph_.functions.size()) graph_.functions.push_back(to);
      add_costs(graph_.self, folded_[f], from_.self, f, events_);
    }
  }

  void fold_rows() {
    FirstSeen rows;
    for (size_t r = 0; r < from_.rows.size(); ++r) {
      const Row to = {folded_[from_.rows[r].function], text(from_.rows[r].file)};
      const uint32_t row = rows.number_of(to.function, to.file, 0);
      if (row == graph_.rows.size()) graph_.rows.push_back(to);
      add_costs(graph_.row_self, row, from_.row_self, r, events_);
    }
  }

  void fold_lines() {
    FirstSeen files, lines;
    for (size_t l = 0; l < from_.lines.size(); ++l) {
      const LineRow& line = from_.lines[l];
      const LineRow to = {folded_[line.function], text(line.file), line.line};
      const uint32_t file = files.number_of(to.function, to.file, 0);
      const uint32_t row = lines.number_of(file, static_cast<uint32_t>(to.line), static_cast<uint32_t>(to.line >> 32));
      if (row == graph_.lines.size()) graph_.lines.push_back(to);
      add_costs(graph_.line_self, row, from_.line_self, l, events_);
    }
  }

  void fold_edges() {
    FirstSeen edges;
    for (size_t e = 0; e < from_.edges.size(); ++e) {
      const Edge to = {folded_[from_.edges[e].caller], folded_[from_.edges[e].callee], 0};
      const uint32_t edge = edges.number_of(to.caller, to.callee, 0);
      if (edge == graph_.edges.size()) graph_.edges.push_back(to);
      graph_.edges[edge].calls = saturating_add(graph_.edges[edge].calls, from_.edges[e].calls);
      add_costs_saturating(graph_.inclusive, edge, from_.inclusive, e, events_);
    }
  }

  const CostGraph& from_;
  size_t events_;
  CostGraph graph_;
  std::vector<FunctionIndex> folded_;  ///< function of from_ -> of graph_
};

}  // namespace

CostGraph fold_contexts(const CostGraph& contexts) { return ContextFolder(contexts).fold(); }

namespace {

/// Of the first event: what each frame costs with all below it.
std::vector<int64_t> inclusive_costs(const CallStacks& stacks) {
  std::vector<int64_t> inclusive(stacks.frames.size());
  for (size_t i = stacks.frames.size(); i-- > 0;) {
    inclusive[i] = saturating_add(inclusive[i], stacks.self[i * stacks.events.size()]);
    const uint32_t parent = stacks.frames[i].parent;
    if (parent != kNoFrame) inclusive[parent] = saturating_add(inclusive[parent], inclusive[i]);
  }
  return inclusive;
}

/// The costliest first; a frame's callers cost at least as much as it does and stand before it.
std::vector<uint32_t> frames_by_cost(const CallStacks& stacks) {
  const std::vector<int64_t> inclusive = inclusive_costs(stacks);
  const std::vector<bool> alone = frames_that_stand_alone(stacks.frames);
  std::vector<uint32_t> by_cost;
  for (uint32_t i = 0; i < stacks.frames.size(); ++i)
    if (alone[i]) by_cost.push_back(i);
  std::stable_sort(by_cost.begin(), by_cost.end(), [&](uint32_t a, uint32_t b) { return inclusive[a] > inclusive[b]; });
  return by_cost;
}

std::vector<bool> frames_with_costs(const CallStacks& stacks) {
  const size_t events = stacks.events.size();
  std::vector<bool> costs(stacks.frames.size());
  for (size_t i = 0; i < costs.size(); ++i)
    costs[i] = std::any_of(stacks.self.begin() + static_cast<std::ptrdiff_t>(i * events),
                           stacks.self.begin() + static_cast<std::ptrdiff_t>((i + 1) * events),
                           [](int64_t cost) { return cost != 0; });
  return costs;
}

}  // namespace

CallStacks limit_call_stacks(CallStacks stacks, size_t max_frames) {
  if (stacks.frames.size() <= max_frames) return stacks;
  const JoinedFrames joined =
      join_frames(stacks.frames, frames_by_cost(stacks), max_frames / 3, max_frames / 3, frames_with_costs(stacks));
  CallStacks limited;
  limited.events = stacks.events;
  limited.totals = stacks.totals;
  limited.callers = stacks.callers;
  limited.approximate = stacks.approximate;
  const auto text = [&](StringId id) { return limited.strings.intern(stacks.strings.view(id)); };
  const StringId other = limited.strings.intern(kind_text(FrameKind::kOther));
  for (const JoinedFrame& one : joined.frames) {
    if (one.source == kNoFrame) {
      limited.frames.push_back({other, kEmptyString, kEmptyString, one.parent, FrameKind::kOther});
      continue;
    }
    const CallFrame& frame = stacks.frames[one.source];
    limited.frames.push_back({text(frame.name), text(frame.file), text(frame.object), one.parent, frame.kind});
  }
  limited.self.assign(limited.frames.size() * stacks.events.size(), 0);
  for (size_t i = 0; i < stacks.frames.size(); ++i)
    if (joined.moved[i] != kNoFrame) add_costs(limited.self, joined.moved[i], stacks.self, i, stacks.events.size());
  return limited;
}

namespace {

/// All names of a graph taken apart.
struct ContextNames {
  std::vector<NameContexts> of;
  size_t callers = 0;  ///< most callers that a name has

  explicit ContextNames(const CostGraph& graph) {
    of.reserve(graph.functions.size());
    for (FunctionIndex f = 0; f < graph.functions.size(); ++f) {
      of.push_back(split_contexts(graph.name(f)));
      callers = std::max(callers, of.back().callers.size());
    }
  }
};

/// Whether `callee` may have been called from `caller`: its callers are the caller and the caller's, as far as they go.
bool agree(const NameContexts& caller, const NameContexts& callee) {
  if (callee.callers.empty()) return false;
  if (callee.callers.front() != without_level(caller.function)) return false;
  const size_t shared = std::min(callee.callers.size() - 1, caller.callers.size());
  return std::equal(callee.callers.begin() + 1, callee.callers.begin() + 1 + static_cast<ptrdiff_t>(shared),
                    caller.callers.begin());
}

/// A function that calls itself stays in its context.
bool is_recursion(const NameContexts& caller, const NameContexts& callee) {
  return caller.callers == callee.callers && without_level(caller.function) == without_level(callee.function);
}

/// Takes off the outermost frames that cost nothing and have one callee: who ran the measured region.
void drop_frames_above_region(CallStacks& stacks) {
  const size_t events = stacks.events.size();
  std::vector<uint32_t> callees(stacks.frames.size(), 0), moved(stacks.frames.size());
  for (const CallFrame& frame : stacks.frames)
    if (frame.parent != kNoFrame) ++callees[frame.parent];
  std::vector<CallFrame> frames;
  std::vector<int64_t> self;
  for (uint32_t i = 0; i < stacks.frames.size(); ++i) {
    CallFrame frame = stacks.frames[i];
    if (frame.parent != kNoFrame) frame.parent = moved[frame.parent];
    const auto cost = stacks.self.begin() + static_cast<ptrdiff_t>(i * events);
    const bool costs_nothing =
        std::all_of(cost, cost + static_cast<ptrdiff_t>(events), [](int64_t c) { return c == 0; });
    if (frame.parent == kNoFrame && frame.kind == FrameKind::kFunction && costs_nothing && callees[i] == 1) {
      moved[i] = kNoFrame;
      continue;
    }
    moved[i] = static_cast<uint32_t>(frames.size());
    frames.push_back(frame);
    self.insert(self.end(), cost, cost + static_cast<ptrdiff_t>(events));
  }
  stacks.frames = std::move(frames);
  stacks.self = std::move(self);
}

class StackMaker {
 public:
  explicit StackMaker(const CostGraph& graph) : graph_(graph), names_(graph), preds_(graph.functions.size()) {
    std::vector<Arc> arcs;
    for (const Edge& edge : graph.edges) {
      if (edge.caller == edge.callee) continue;
      arcs.push_back({edge.caller, edge.callee});
      preds_[edge.callee].push_back(edge.caller);
    }
    for (FunctionIndex f = 0; f < graph.functions.size(); ++f) first_called_.try_emplace(graph.name(f), f);
    add_missing_calls(arcs);
    dominators_ = find_dominators(graph.functions.size(), arcs);
  }

  CallStacks make() {
    stacks_.events = graph_.events;
    stacks_.totals = graph_.totals;
    stacks_.callers = static_cast<int64_t>(names_.callers);
    frame_of_.assign(graph_.functions.size(), kNoFrame);
    for (const FunctionIndex f : dominators_.order) {
      const uint32_t parent = find_parent(f);
      frame_of_[f] = add(names_.of[f].function, graph_.functions[f], parent, FrameKind::kFunction);
      add_costs(stacks_.self, frame_of_[f], graph_.self, f, graph_.event_count());
    }
    drop_frames_above_region(stacks_);
    return std::move(stacks_);
  }

 private:
  /// A call that was active when the region began is not in the profile; the names still tell who made it.
  void add_missing_calls(std::vector<Arc>& arcs) {
    for (FunctionIndex f = 0; f < names_.of.size(); ++f) {
      if (!preds_[f].empty() || names_.of[f].callers.empty()) continue;
      const std::string_view whole = graph_.name(f);
      const auto outer = static_cast<size_t>(names_.of[f].callers.front().data() - whole.data());
      const auto caller = first_called_.find(whole.substr(outer));
      if (caller == first_called_.end() || caller->second == f) continue;
      arcs.push_back({caller->second, f});
      preds_[f].push_back(caller->second);
    }
  }

  uint32_t find_parent(FunctionIndex f) {
    const NameContexts& name = names_.of[f];
    const FunctionIndex above = dominators_.immediate[f];
    const bool whole = name.callers.size() < names_.callers;
    if (above == kAboveAll) {
      if (preds_[f].empty() || name.callers.empty()) return kNoFrame;
      return add_callers(name, whole ? kNoFrame : add_joined(kNoFrame));
    }
    const NameContexts& outer = names_.of[above];
    if (is_recursion(outer, name) && entered_by_recursion(f)) return frame_of_[above];
    if (whole && name.callers.empty()) return kNoFrame;
    if (!agree(outer, name)) return add_callers(name, whole ? kNoFrame : add_joined(frame_of_[above]));
    const bool one_way = whole || std::all_of(preds_[f].begin(), preds_[f].end(), [&](FunctionIndex p) {
                           return p == above || (is_recursion(outer, names_.of[p]) &&
                                                 dominators_.immediate[p] == above && entered_by_recursion(p));
                         });
    return one_way ? frame_of_[above] : add_joined(frame_of_[above]);
  }

  /// Whether only the function itself calls it in this context. Where a context tells the whole stack, levels differ by
  /// nothing else; elsewhere a deeper level may also come from a longer circle.
  bool entered_by_recursion(FunctionIndex f) const {
    if (names_.of[f].callers.size() < names_.callers) return true;
    return std::all_of(preds_[f].begin(), preds_[f].end(),
                       [&](FunctionIndex p) { return is_recursion(names_.of[p], names_.of[f]); });
  }

  uint32_t add_joined(uint32_t parent) {
    const StringId text = stacks_.strings.intern(kind_text(FrameKind::kJoined));
    return add_frame({text, kEmptyString, kEmptyString, parent, FrameKind::kJoined});
  }

  /// One frame per caller that the name holds, outermost first.
  uint32_t add_callers(const NameContexts& name, uint32_t parent) {
    for (size_t i = name.callers.size(); i-- > 0;) {
      const auto known = functions_by_name().find(name.callers[i]);
      parent = add(name.callers[i], known == by_name_.end() ? Function() : graph_.functions[known->second], parent,
                   FrameKind::kFunction);
    }
    return parent;
  }

  const std::unordered_map<std::string_view, FunctionIndex>& functions_by_name() {
    if (by_name_.empty())
      for (FunctionIndex f = 0; f < names_.of.size(); ++f)
        by_name_.try_emplace(without_level(names_.of[f].function), f);
    return by_name_;
  }

  uint32_t add(std::string_view name, const Function& function, uint32_t parent, FrameKind kind) {
    const auto text = [&](StringId id) { return stacks_.strings.intern(graph_.strings.view(id)); };
    return add_frame({stacks_.strings.intern(name), text(function.file), text(function.object), parent, kind});
  }

  uint32_t add_frame(const CallFrame& frame) {
    const uint32_t number = known_.number_of(
        frame.parent, frame.name, places_.number_of(frame.file, frame.object, static_cast<uint32_t>(frame.kind)));
    if (number == stacks_.frames.size()) {
      stacks_.frames.push_back(frame);
      stacks_.self.insert(stacks_.self.end(), graph_.event_count(), 0);
    }
    return number;
  }

  const CostGraph& graph_;
  ContextNames names_;
  std::vector<std::vector<FunctionIndex>> preds_;
  std::unordered_map<std::string_view, FunctionIndex> first_called_;  ///< by whole name
  std::unordered_map<std::string_view, FunctionIndex> by_name_;       ///< by name without level and callers
  Dominators dominators_;
  CallStacks stacks_;
  std::vector<uint32_t> frame_of_;
  FirstSeen known_, places_;
};

}  // namespace

bool has_contexts(const CostGraph& graph) {
  // Most profiles have none, and they should not pay for it: only names with an apostrophe are taken apart.
  const auto has_callers = [&](const Function& f) {
    const std::string_view name = graph.strings.view(f.name);
    return name.find('\'') != std::string_view::npos && !split_contexts(name).callers.empty();
  };
  if (std::none_of(graph.functions.begin(), graph.functions.end(), has_callers)) return false;
  const ContextNames names(graph);
  int64_t agreed = 0, looked_at = 0;
  for (const Edge& edge : graph.edges) {
    const NameContexts& callee = names.of[edge.callee];
    if (callee.callers.empty() || is_recursion(names.of[edge.caller], callee)) continue;
    ++looked_at;
    agreed += agree(names.of[edge.caller], callee);
  }
  return agreed > 0 && agreed * 2 > looked_at;
}

CallStacks make_call_stacks(const CostGraph& contexts) { return StackMaker(contexts).make(); }

std::optional<CallStacks> take_call_stacks(CostGraph& graph) {
  if (!has_contexts(graph)) return std::nullopt;
  std::optional<CallStacks> stacks = limit_call_stacks(make_call_stacks(graph), kMostStoredFrames);
  graph = fold_contexts(graph);
  return stacks;
}

}  // namespace icount
