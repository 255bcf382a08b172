#include "icount/store/run_order.h"

#include <algorithm>
#include <deque>
#include <queue>
#include <tuple>
#include <utility>

namespace icount {

Ancestry::Predecessor Ancestry::nearest(const std::string& commit,
                                        const std::function<bool(const std::string&)>& is_measured) const {
  std::deque<std::pair<std::string, size_t>> next = {{commit, 0}};
  std::set<std::string> seen = {commit};
  bool whole = true;
  while (!next.empty()) {
    const auto [at, steps] = std::move(next.front());
    next.pop_front();
    if (steps > 0 && is_measured(at)) return {Predecessor::Kind::kFound, at, steps - 1};
    const auto known = parents_.find(at);
    if (known == parents_.end()) {
      whole = false;
      continue;
    }
    for (const std::string& parent : known->second)
      if (seen.insert(parent).second) next.emplace_back(parent, steps + 1);
  }
  return {whole ? Predecessor::Kind::kNone : Predecessor::Kind::kUnknown, {}, 0};
}

Ancestry::Line Ancestry::line_of(const std::string& commit) const {
  Line line;
  std::vector<std::string> next = {commit};
  while (!next.empty()) {
    const std::string at = std::move(next.back());
    next.pop_back();
    if (!line.commits.insert(at).second) continue;
    const auto known = parents_.find(at);
    if (known == parents_.end())
      line.whole = false;
    else
      next.insert(next.end(), known->second.begin(), known->second.end());
  }
  return line;
}

Ancestry stored_ancestry(const std::vector<RunInfo>& runs) {
  Ancestry ancestry;
  // None stored: a root commit, or a commit that was only named. A repository tells.
  for (const RunInfo& run : runs)
    if (!run.tag.commit.hash.empty() && !run.tag.commit.parents.empty())
      ancestry.add(run.tag.commit.hash, run.tag.commit.parents);
  return ancestry;
}

namespace {

/// Runs of one commit, which stay together as far as their order goes.
struct CommitNode {
  std::vector<size_t> runs;      ///< sorted
  std::vector<size_t> children;  ///< nodes
  size_t open_parents = 0;
};

/// One node per commit; a run without a commit is a node of its own.
std::vector<CommitNode> make_nodes(const std::vector<RunInfo>& runs) {
  std::vector<CommitNode> nodes;
  std::map<std::string, size_t> node_of;
  for (size_t i = 0; i < runs.size(); ++i) {
    const std::string& hash = runs[i].tag.commit.hash;
    size_t node = nodes.size();
    if (!hash.empty()) node = node_of.try_emplace(hash, node).first->second;
    if (node == nodes.size()) nodes.emplace_back();
    nodes[node].runs.push_back(i);
  }
  for (size_t n = 0; n < nodes.size(); ++n) {
    const CommitInfo& commit = runs[nodes[n].runs.front()].tag.commit;
    for (const std::string& parent : std::set<std::string>(commit.parents.begin(), commit.parents.end())) {
      const auto found = node_of.find(parent);
      if (found == node_of.end() || found->second == n) continue;
      nodes[found->second].children.push_back(n);
      ++nodes[n].open_parents;
    }
  }
  return nodes;
}

}  // namespace

int64_t time_of(const RunTag& tag) { return tag.commit.unix_time != 0 ? tag.commit.unix_time : tag.unix_time; }

std::vector<RunInfo> in_history_order(std::vector<RunInfo> runs) {
  std::sort(runs.begin(), runs.end(), [](const RunInfo& a, const RunInfo& b) {
    return std::tuple(time_of(a.tag), a.tag.unix_time, a.id) < std::tuple(time_of(b.tag), b.tag.unix_time, b.id);
  });
  std::vector<CommitNode> nodes = make_nodes(runs);
  // Kahn's topological order, the earliest first among those that may come. Nodes are numbered by their first run, so
  // node numbers are in the order of time.
  std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
  for (size_t n = 0; n < nodes.size(); ++n)
    if (nodes[n].open_parents == 0) ready.push(n);
  std::vector<RunInfo> ordered;
  std::vector<bool> placed(nodes.size(), false);
  const auto place = [&](size_t n) {
    placed[n] = true;
    for (const size_t run : nodes[n].runs) ordered.push_back(std::move(runs[run]));
    for (const size_t child : nodes[n].children)
      if (--nodes[child].open_parents == 0 && !placed[child]) ready.push(child);
  };
  size_t first_left = 0;
  while (ordered.size() < runs.size()) {
    while (!ready.empty()) {
      const size_t n = ready.top();
      ready.pop();
      place(n);
    }
    while (first_left < nodes.size() && placed[first_left]) ++first_left;
    if (first_left < nodes.size()) place(first_left);  // a circle
  }
  return ordered;
}

}  // namespace icount
