#include "icount/store/ancestry.h"

#include <deque>
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

}  // namespace icount
