#include "icount/callgraph/components.h"

#include <algorithm>
#include <limits>

#include "icount/base/check.h"

namespace icount {
namespace {

constexpr uint32_t kUnseen = std::numeric_limits<uint32_t>::max();

/// Arcs sorted by their source: targets of node v are targets[starts[v]] to targets[starts[v + 1]].
struct Adjacency {
  std::vector<size_t> starts;
  std::vector<uint32_t> targets;

  Adjacency(size_t nodes, std::span<const Arc> arcs) : starts(nodes + 1, 0), targets(arcs.size()) {
    for (const Arc& arc : arcs) {
      ICOUNT_CHECK(arc.from < nodes && arc.to < nodes, "an arc leaves the graph");
      ++starts[arc.from + 1];
    }
    for (size_t v = 0; v < nodes; ++v) starts[v + 1] += starts[v];
    std::vector<size_t> next(starts.begin(), starts.end() - 1);
    for (const Arc& arc : arcs) targets[next[arc.from]++] = arc.to;
  }
};

/// One run of Tarjan's search; the machine stack is replaced by path_ and the positions in next_.
class Search {
 public:
  Search(size_t nodes, std::span<const Arc> arcs)
      : graph_(nodes, arcs),
        next_(graph_.starts.begin(), graph_.starts.end() - 1),
        index_(nodes, kUnseen),
        low_(nodes, 0) {
    found_.of.assign(nodes, kUnseen);
  }

  Components run() && {
    for (uint32_t root = 0; root < index_.size(); ++root)
      if (index_[root] == kUnseen) search_from(root);
    return std::move(found_);
  }

 private:
  void search_from(uint32_t root) {
    enter(root);
    while (!path_.empty()) {
      const uint32_t v = path_.back();
      if (next_[v] < graph_.starts[v + 1]) {
        visit_arc(v, graph_.targets[next_[v]++]);
      } else {
        leave(v);
      }
    }
  }

  void enter(uint32_t v) {
    index_[v] = low_[v] = visited_++;
    path_.push_back(v);
    open_.push_back(v);
  }

  void visit_arc(uint32_t v, uint32_t target) {
    if (index_[target] == kUnseen) {
      enter(target);
    } else if (found_.of[target] == kUnseen) {  // still open: target is on a cycle through v
      low_[v] = std::min(low_[v], index_[target]);
    }
  }

  void leave(uint32_t v) {
    path_.pop_back();
    if (!path_.empty()) low_[path_.back()] = std::min(low_[path_.back()], low_[v]);
    if (low_[v] != index_[v]) return;
    const auto component = static_cast<uint32_t>(found_.sizes.size());
    uint32_t size = 0;
    for (uint32_t member = kUnseen; member != v; ++size) {
      member = open_.back();
      open_.pop_back();
      found_.of[member] = component;
    }
    found_.sizes.push_back(size);
  }

  Adjacency graph_;
  std::vector<size_t> next_;     // the arc of each node to look at next
  std::vector<uint32_t> index_;  // order of first visit
  std::vector<uint32_t> low_;    // smallest index known to be reachable among open nodes
  std::vector<uint32_t> path_;   // nodes being searched, root first
  std::vector<uint32_t> open_;   // visited nodes without a component
  uint32_t visited_ = 0;
  Components found_;
};

}  // namespace

Components::Members Components::members() const {
  Members members;
  members.starts.assign(count() + 1, 0);
  for (size_t c = 0; c < count(); ++c) members.starts[c + 1] = members.starts[c] + sizes[c];
  members.nodes.resize(of.size());
  std::vector<uint32_t> next(members.starts.begin(), members.starts.end() - 1);
  for (uint32_t v = 0; v < of.size(); ++v) members.nodes[next[of[v]]++] = v;
  return members;
}

Components find_components(size_t nodes, std::span<const Arc> arcs) {
  ICOUNT_CHECK(nodes < kUnseen, "more than 2^32 nodes");
  return Search(nodes, arcs).run();
}

}  // namespace icount
