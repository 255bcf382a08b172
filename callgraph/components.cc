#include "icount/callgraph/components.h"

#include <algorithm>
#include <utility>

#include "icount/base/error.h"

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

namespace {

/// Heads of the arcs of each node in one array.
struct Neighbours {
  std::vector<uint32_t> starts, nodes;
  std::span<const uint32_t> of(uint32_t node) const {
    return std::span(nodes).subspan(starts[node], starts[node + 1] - starts[node]);
  }
};

Neighbours neighbours_of(size_t nodes, std::span<const Arc> arcs, bool backwards) {
  Neighbours result;
  result.starts.assign(nodes + 2, 0);
  const auto from = [&](const Arc& arc) { return backwards ? arc.to : arc.from; };
  for (const Arc& arc : arcs) ++result.starts[from(arc) + 2];
  for (size_t i = 2; i < result.starts.size(); ++i) result.starts[i] += result.starts[i - 1];
  result.nodes.resize(arcs.size());
  for (const Arc& arc : arcs) result.nodes[result.starts[from(arc) + 1]++] = backwards ? arc.from : arc.to;
  result.starts.pop_back();
  return result;
}

/// Works on numbers of the depth-first walk; 0 is the root above all roots.
class Finder {
 public:
  Finder(size_t nodes, std::span<const Arc> arcs)
      : out_(neighbours_of(nodes, arcs, false)),
        in_(neighbours_of(nodes, arcs, true)),
        number_(nodes, 0),
        vertex_(1, kAboveAll),
        parent_(1, 0) {
    std::vector<bool> entered(nodes, false);
    for (const Arc& arc : arcs)
      if (arc.from != arc.to) entered[arc.to] = true;
    for (uint32_t node = 0; node < nodes; ++node)
      if (!entered[node]) walk(node);
    for (uint32_t node = 0; node < nodes; ++node)
      if (number_[node] == 0) walk(node);
  }

  Dominators find() {
    const size_t count = vertex_.size();
    semi_.resize(count);
    for (uint32_t v = 0; v < count; ++v) semi_[v] = v;
    label_ = semi_;
    ancestor_.assign(count, 0);
    std::vector<uint32_t> immediate(count, 0);
    std::vector<std::vector<uint32_t>> bucket(count);
    for (uint32_t w = static_cast<uint32_t>(count); w-- > 1;) {
      if (is_root_[w]) semi_[w] = 0;
      for (uint32_t from : in_.of(vertex_[w])) semi_[w] = std::min(semi_[w], semi_[lowest(number_[from])]);
      bucket[semi_[w]].push_back(w);
      ancestor_[w] = parent_[w];
      linked_from_ = w;
      for (uint32_t v : bucket[parent_[w]]) {
        const uint32_t u = lowest(v);
        immediate[v] = semi_[u] < semi_[v] ? u : parent_[w];
      }
      bucket[parent_[w]].clear();
    }
    Dominators result;
    result.immediate.resize(count - 1);
    for (uint32_t w = 1; w < count; ++w) {
      if (immediate[w] != semi_[w]) immediate[w] = immediate[immediate[w]];
      result.immediate[vertex_[w]] = vertex_[immediate[w]];
      result.order.push_back(vertex_[w]);
    }
    return result;
  }

 private:
  void walk(uint32_t root) {
    std::vector<std::pair<uint32_t, uint32_t>> open = {{root, 0}};  // node, number of its parent
    is_root_.resize(vertex_.size(), false);
    while (!open.empty()) {
      const auto [node, parent] = open.back();
      open.pop_back();
      if (number_[node] != 0) continue;
      const auto number = number_[node] = static_cast<uint32_t>(vertex_.size());
      vertex_.push_back(node);
      parent_.push_back(parent);
      is_root_.push_back(parent == 0);
      const auto next = out_.of(node);
      for (size_t i = next.size(); i-- > 0;)
        if (number_[next[i]] == 0) open.emplace_back(next[i], number);
    }
  }

  /// The node with the least semidominator on the linked way above v, v included; shortens that way.
  uint32_t lowest(uint32_t v) {
    if (v < linked_from_) return v;  // not linked yet
    path_.clear();
    while (ancestor_[v] >= linked_from_) {
      path_.push_back(v);
      v = ancestor_[v];
    }
    for (size_t i = path_.size(); i-- > 0;) {
      const uint32_t u = path_[i], above = ancestor_[u];
      if (semi_[label_[above]] < semi_[label_[u]]) label_[u] = label_[above];
      ancestor_[u] = ancestor_[above];
    }
    return label_[path_.empty() ? v : path_.front()];
  }

  Neighbours out_, in_;
  std::vector<uint32_t> number_;  ///< of a node; 0: not reached yet
  std::vector<uint32_t> vertex_, parent_;
  std::vector<bool> is_root_;
  std::vector<uint32_t> semi_, label_, ancestor_, path_;
  uint32_t linked_from_ = kAboveAll;  ///< numbers from here on are linked to their parents
};

}  // namespace

Dominators find_dominators(size_t nodes, std::span<const Arc> arcs) { return Finder(nodes, arcs).find(); }

}  // namespace icount
