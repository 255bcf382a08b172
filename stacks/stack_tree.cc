#include "icount/stacks/stack_tree.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "icount/base/checked.h"
#include "icount/base/error.h"
#include "icount/base/hash.h"
#include "icount/callgraph/name_parts.h"
#include "icount/stacks/approximate_stacks.h"

namespace icount {
namespace {

size_t column_of(const std::vector<std::string>& events, std::string_view event) {
  if (event.empty()) return 0;
  const auto at = std::find(events.begin(), events.end(), event);
  if (at != events.end()) return static_cast<size_t>(at - events.begin());
  std::string all;
  for (const std::string& known : events) all += (all.empty() ? "" : ", ") + known;
  throw Error(ErrorKind::kUsage, "no event '" + std::string(event) + "'; there are " + all);
}

bool is_piece(std::string_view tags) {
  return tags.find(".part") != std::string_view::npos || tags.find(".cold") != std::string_view::npos;
}

struct FrameKey {
  uint32_t parent, name, file, object, kind;
  bool operator==(const FrameKey&) const = default;
};
struct FrameKeyHash {
  size_t operator()(const FrameKey& key) const { return hash64({reinterpret_cast<const char*>(&key), sizeof key}); }
};

/// Frames with clones and equal siblings added up; parents before children; inclusive not yet known.
class Merger {
 public:
  Merger(const CallStacks& stacks, size_t event, bool fold_clones)
      : stacks_(stacks), event_(event), fold_(fold_clones) {}

  StackTree merge() {
    tree_.event = stacks_.events[event_];
    tree_.total = stacks_.totals[event_];
    tree_.approximate = stacks_.approximate;
    tree_.callers = stacks_.callers;
    merged_.resize(stacks_.frames.size());
    for (uint32_t i = 0; i < stacks_.frames.size(); ++i) {
      merged_[i] = place(stacks_.frames[i]);
      int64_t& self = tree_.frames[merged_[i]].self;
      self = checked_add(self, stacks_.self[i * stacks_.events.size() + event_], "cost of a frame");
    }
    return std::move(tree_);
  }

 private:
  uint32_t place(const CallFrame& frame) {
    const uint32_t parent = frame.parent == kNoFrame ? kNoFrame : merged_[frame.parent];
    NameParts parts;
    parts.base = stacks_.strings.view(frame.name);
    if (fold_ && frame.kind == FrameKind::kFunction) parts = name_parts(parts.base);
    const StringId name = tree_.strings.intern(parts.base);
    const StringId object = tree_.strings.intern(stacks_.strings.view(frame.object));
    if (parent != kNoFrame && is_piece(parts.tags)) {
      const StackFrame& whole = tree_.frames[parent];
      if (whole.kind == FrameKind::kFunction && whole.name == name && whole.object == object) return parent;
    }
    const StringId file = tree_.strings.intern(stacks_.strings.view(frame.file));
    const FrameKey key = {parent, name, file, object, static_cast<uint32_t>(frame.kind)};
    const auto [at, is_new] = index_.try_emplace(key, static_cast<uint32_t>(tree_.frames.size()));
    if (is_new) tree_.frames.push_back({name, file, object, parent, frame.kind, 0, 0});
    return at->second;
  }

  const CallStacks& stacks_;
  size_t event_;
  bool fold_;
  StackTree tree_;
  std::vector<uint32_t> merged_;  ///< frame of the stacks -> frame of the tree
  std::unordered_map<FrameKey, uint32_t, FrameKeyHash> index_;
};

void add_inclusive(std::vector<StackFrame>& frames) {
  for (StackFrame& frame : frames) frame.inclusive = frame.self;
  for (size_t i = frames.size(); i-- > 0;)
    if (frames[i].parent != kNoFrame) frames[frames[i].parent].inclusive += frames[i].inclusive;
}

std::vector<size_t> depths_of(const std::vector<StackFrame>& frames) {
  std::vector<size_t> depths(frames.size(), 1);
  for (size_t i = 0; i < frames.size(); ++i)
    if (frames[i].parent != kNoFrame) depths[i] = depths[frames[i].parent] + 1;
  return depths;
}

/// What may be told apart, the costliest first. A frame's parent comes before it: it costs no less and stands before
/// it.
std::vector<uint32_t> wanted_frames(const StackTree& tree, const std::vector<bool>& alone,
                                    const StackTreeOptions& options) {
  const std::vector<StackFrame>& frames = tree.frames;
  const std::vector<size_t> depths = depths_of(frames);
  const auto least = static_cast<long double>(options.min_share) * static_cast<long double>(tree.total);
  std::vector<uint32_t> wanted;
  for (uint32_t i = 0; i < frames.size(); ++i)
    if (alone[i] && frames[i].inclusive > 0 && depths[i] <= options.max_depth &&
        static_cast<long double>(frames[i].inclusive) >= least)
      wanted.push_back(i);
  std::stable_sort(wanted.begin(), wanted.end(),
                   [&](uint32_t a, uint32_t b) { return frames[a].inclusive > frames[b].inclusive; });
  return wanted;
}

std::vector<CallFrame> plain_frames(const StackTree& tree) {
  std::vector<CallFrame> frames;
  for (const StackFrame& frame : tree.frames)
    frames.push_back({frame.name, frame.file, frame.object, frame.parent, frame.kind});
  return frames;
}

/// Leaves the costliest frames and, below each that lost some, "… other" with the functions that were there.
void join_small_frames(StackTree& tree, const StackTreeOptions& options) {
  const std::vector<CallFrame> plain = plain_frames(tree);
  std::vector<bool> costs(plain.size());
  for (size_t i = 0; i < costs.size(); ++i) costs[i] = tree.frames[i].self > 0;
  const std::vector<bool> alone = frames_that_stand_alone(plain);
  const std::vector<uint32_t> wanted = wanted_frames(tree, alone, options);
  size_t costly = 0;
  for (size_t i = 0; i < alone.size(); ++i)
    if (alone[i] && tree.frames[i].inclusive > 0) ++costly;
  const bool all_fit = costly <= options.max_frames;
  const size_t most = all_fit ? wanted.size() : std::max<size_t>(1, options.max_frames / 2);
  const size_t max_leaves = options.max_leaves ? plain.size() : options.max_frames;
  const JoinedFrames joined = join_frames(plain, wanted, most, max_leaves, costs);
  const StringId other = tree.strings.intern(kind_text(FrameKind::kOther));
  std::vector<StackFrame> frames;
  for (const JoinedFrame& one : joined.frames) {
    StackFrame frame{.name = other, .kind = FrameKind::kOther};
    if (one.source != kNoFrame) frame = tree.frames[one.source];
    frame.parent = one.parent;
    frame.self = 0;
    frames.push_back(frame);
  }
  for (size_t i = 0; i < plain.size(); ++i)
    if (costs[i]) frames[joined.moved[i]].self += tree.frames[i].self;
  tree.frames = std::move(frames);
}

/// The smaller leaves of "… other" become part of it.
void limit_leaves(StackTree& tree, size_t max_leaves) {
  std::vector<uint32_t> leaves;
  for (uint32_t i = 0; i < tree.frames.size(); ++i) {
    const uint32_t parent = tree.frames[i].parent;
    if (parent != kNoFrame && tree.frames[parent].kind == FrameKind::kOther) leaves.push_back(i);
  }
  if (leaves.size() <= max_leaves) return;
  std::stable_sort(leaves.begin(), leaves.end(),
                   [&](uint32_t a, uint32_t b) { return tree.frames[a].self > tree.frames[b].self; });
  std::vector<bool> gone(tree.frames.size(), false);
  for (size_t i = max_leaves; i < leaves.size(); ++i) {
    StackFrame& leaf = tree.frames[leaves[i]];
    tree.frames[leaf.parent].self += leaf.self;
    gone[leaves[i]] = true;
  }
  std::vector<uint32_t> moved(tree.frames.size(), kNoFrame);
  std::vector<StackFrame> frames;
  for (uint32_t i = 0; i < tree.frames.size(); ++i) {
    if (gone[i]) continue;
    moved[i] = static_cast<uint32_t>(frames.size());
    frames.push_back(tree.frames[i]);
    if (frames.back().parent != kNoFrame) frames.back().parent = moved[frames.back().parent];
  }
  tree.frames = std::move(frames);
}

int64_t joined_cost(const StackTree& tree) {
  int64_t joined = 0;
  for (const StackFrame& frame : tree.frames)
    if (frame.kind == FrameKind::kOther) joined += frame.inclusive;
  return joined;
}

void sort_frames(StackTree& tree) {
  const std::vector<StackFrame>& frames = tree.frames;
  std::vector<std::vector<uint32_t>> children(frames.size() + 1);
  for (uint32_t i = 0; i < frames.size(); ++i)
    children[frames[i].parent == kNoFrame ? frames.size() : frames[i].parent].push_back(i);
  const auto comes_first = [&](uint32_t a, uint32_t b) {
    if (frames[a].inclusive != frames[b].inclusive) return frames[a].inclusive > frames[b].inclusive;
    return std::tuple(tree.name(a), tree.file(a), tree.object(a), frames[a].kind) <
           std::tuple(tree.name(b), tree.file(b), tree.object(b), frames[b].kind);
  };
  for (auto& siblings : children) std::sort(siblings.begin(), siblings.end(), comes_first);
  std::vector<StackFrame> sorted;
  std::vector<uint32_t> moved(frames.size());
  std::vector<uint32_t> open(children.back().rbegin(), children.back().rend());
  while (!open.empty()) {
    const uint32_t i = open.back();
    open.pop_back();
    moved[i] = static_cast<uint32_t>(sorted.size());
    sorted.push_back(frames[i]);
    if (sorted.back().parent != kNoFrame) sorted.back().parent = moved[sorted.back().parent];
    open.insert(open.end(), children[i].rbegin(), children[i].rend());
  }
  tree.frames = std::move(sorted);
}

}  // namespace

StackTree make_stack_tree(const CallStacks& stacks, std::string_view event, const StackTreeOptions& options) {
  StackTree tree = Merger(stacks, column_of(stacks.events, event), options.fold_clones).merge();
  add_inclusive(tree.frames);
  join_small_frames(tree, options);
  if (options.max_leaves) limit_leaves(tree, *options.max_leaves);
  add_inclusive(tree.frames);
  tree.joined = joined_cost(tree);
  sort_frames(tree);
  for (size_t depth : depths_of(tree.frames)) tree.max_depth = std::max(tree.max_depth, depth);
  return tree;
}

StackTree make_stack_tree(const CostGraph& graph, std::string_view event, const StackTreeOptions& options) {
  const ApproximateStacksOptions guess = {
      .max_frames = options.max_frames, .max_depth = options.max_depth, .min_share = options.min_share};
  return make_stack_tree(make_approximate_stacks(graph, column_of(graph.events, event), guess), {}, options);
}

}  // namespace icount
