#include "icount/stacks/stack_tree_diff.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "icount/callgraph/name_parts.h"

namespace icount {
namespace {

using Children = std::vector<std::vector<uint32_t>>;  ///< per frame; the last entry holds the outermost ones

Children children_of(const StackTree& tree) {
  Children children(tree.frames.size() + 1);
  for (uint32_t i = 0; i < tree.frames.size(); ++i) {
    const uint32_t parent = tree.frames[i].parent;
    children[parent == kNoFrame ? tree.frames.size() : parent].push_back(i);
  }
  return children;
}

/// Walks both trees at once; base frames with their partners first, in base's order, then what only head has.
class Joiner {
 public:
  Joiner(const StackTree& base, const StackTree& head, const std::vector<RenamedFunction>& renamed)
      : base_(base), head_(head), base_children_(children_of(base)), head_children_(children_of(head)) {
    for (const RenamedFunction& name : renamed) head_name_.emplace(name.base, name.head);
  }

  StackTreeDiff join() {
    diff_.event = head_.event;
    diff_.base_total = base_.total;
    diff_.head_total = head_.total;
    diff_.approximate = base_.approximate || head_.approximate;
    std::vector<Pair> open = sorted_pairs(base_children_.back(), head_children_.back(), kNoFrame, 1);
    std::reverse(open.begin(), open.end());
    while (!open.empty()) {
      const Pair pair = open.back();
      open.pop_back();
      const uint32_t frame = add(pair);
      static const std::vector<uint32_t> kNone;
      const auto below = sorted_pairs(pair.base == kNoFrame ? kNone : base_children_[pair.base],
                                      pair.head == kNoFrame ? kNone : head_children_[pair.head], frame, pair.depth + 1);
      open.insert(open.end(), below.rbegin(), below.rend());
    }
    return std::move(diff_);
  }

 private:
  struct Pair {
    uint32_t base = kNoFrame, head = kNoFrame;
    uint32_t parent = kNoFrame;  ///< in the diff
    size_t depth = 1;
  };
  /// Kind and names of one frame, in head's words; the loose form leaves the last two empty.
  using Key = std::tuple<FrameKind, std::string_view, std::string_view, std::string_view>;

  std::string_view shown_name(const StackTree& tree, uint32_t frame) const {
    const std::string_view name = tree.name(frame);
    if (&tree == &head_) return name;
    const auto renamed = head_name_.find(name);
    return renamed == head_name_.end() ? name : renamed->second;
  }

  Key key(const StackTree& tree, uint32_t frame, bool exact) const {
    const std::string_view name = shown_name(tree, frame);
    if (!exact) return {tree.frames[frame].kind, name, {}, {}};
    return {tree.frames[frame].kind, name, base_of_path(tree.file(frame)), base_of_path(tree.object(frame))};
  }

  auto sort_key(const Pair& pair) const {
    const int64_t base = pair.base == kNoFrame ? 0 : base_.frames[pair.base].inclusive;
    const int64_t head = pair.head == kNoFrame ? 0 : head_.frames[pair.head].inclusive;
    const StackTree& tree = pair.head == kNoFrame ? base_ : head_;
    const uint32_t frame = pair.head == kNoFrame ? pair.base : pair.head;
    return std::tuple(-std::max(base, head), tree.name(frame), tree.file(frame), tree.object(frame),
                      tree.frames[frame].kind, pair.head == kNoFrame);
  }

  /// Pairs equal keys in the order of the lists and takes them out of both.
  void match(std::vector<uint32_t>& base, std::vector<uint32_t>& head, bool exact, std::vector<Pair>& pairs) const {
    std::multimap<Key, uint32_t> by_key;
    for (uint32_t frame : head) by_key.emplace(key(head_, frame, exact), frame);
    std::vector<uint32_t> base_left;
    for (uint32_t frame : base) {
      const Key wanted = key(base_, frame, exact);
      const auto found = by_key.lower_bound(wanted);
      if (found == by_key.end() || found->first != wanted) {
        base_left.push_back(frame);
        continue;
      }
      pairs.push_back({frame, found->second});
      by_key.erase(found);
    }
    base = std::move(base_left);
    head.clear();
    for (const auto& [unused, frame] : by_key) head.push_back(frame);
    std::sort(head.begin(), head.end());
  }

  std::vector<Pair> sorted_pairs(std::vector<uint32_t> base, std::vector<uint32_t> head, uint32_t parent,
                                 size_t depth) const {
    std::vector<Pair> pairs;
    for (const bool exact : {true, false})
      if (!base.empty() && !head.empty()) match(base, head, exact, pairs);
    for (uint32_t frame : base) pairs.push_back({.base = frame});
    for (uint32_t frame : head) pairs.push_back({.head = frame});
    for (Pair& pair : pairs) {
      pair.parent = parent;
      pair.depth = depth;
    }
    std::sort(pairs.begin(), pairs.end(), [this](const Pair& a, const Pair& b) { return sort_key(a) < sort_key(b); });
    return pairs;
  }

  uint32_t add(const Pair& pair) {
    const StackTree& tree = pair.head == kNoFrame ? base_ : head_;
    const uint32_t from = pair.head == kNoFrame ? pair.base : pair.head;
    StackDiffFrame frame;
    frame.name = diff_.strings.intern(shown_name(tree, from));
    frame.file = diff_.strings.intern(tree.file(from));
    frame.object = diff_.strings.intern(tree.object(from));
    frame.kind = tree.frames[from].kind;
    frame.parent = pair.parent;
    frame.status = pair.base == kNoFrame   ? FrameStatus::kNew
                   : pair.head == kNoFrame ? FrameStatus::kVanished
                                           : FrameStatus::kKept;
    if (pair.base != kNoFrame) {
      frame.base_self = base_.frames[pair.base].self;
      frame.base_inclusive = base_.frames[pair.base].inclusive;
    }
    if (pair.head != kNoFrame) {
      frame.head_self = head_.frames[pair.head].self;
      frame.head_inclusive = head_.frames[pair.head].inclusive;
    }
    diff_.frames.push_back(frame);
    diff_.max_depth = std::max(diff_.max_depth, pair.depth);
    return static_cast<uint32_t>(diff_.frames.size() - 1);
  }

  const StackTree& base_;
  const StackTree& head_;
  Children base_children_, head_children_;
  std::map<std::string, std::string, std::less<>> head_name_;
  StackTreeDiff diff_;
};

}  // namespace

std::string_view to_text(FrameStatus status) {
  switch (status) {
    case FrameStatus::kKept:
      return "kept";
    case FrameStatus::kNew:
      return "new";
    case FrameStatus::kVanished:
      return "vanished";
  }
  return "";
}

StackTreeDiff make_stack_tree_diff(const StackTree& base, const StackTree& head,
                                   const std::vector<RenamedFunction>& renamed) {
  return Joiner(base, head, renamed).join();
}

}  // namespace icount
