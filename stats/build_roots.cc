#include "icount/stats/build_roots.h"

#include <algorithm>
#include <map>
#include <set>

#include "icount/callgraph/name_parts.h"

namespace icount {
namespace {

using FilesByName = std::map<std::string_view, std::vector<std::string_view>>;

FilesByName by_name(const std::set<std::string_view>& files, const std::set<std::string_view>& others) {
  FilesByName result;
  for (std::string_view file : files)
    if (!others.contains(file) && file.find('/') != std::string_view::npos) result[base_of_path(file)].push_back(file);
  return result;
}

// Length of the longest common suffix made of whole path components.
size_t common_tail(std::string_view a, std::string_view b) {
  size_t same = 0, whole = 0;
  while (same < a.size() && same < b.size() && a[a.size() - 1 - same] == b[b.size() - 1 - same]) {
    if (a[a.size() - 1 - same] == '/') whole = same;
    ++same;
  }
  auto starts_component = [same](std::string_view path) {
    return same == path.size() || path[path.size() - 1 - same] == '/';
  };
  return starts_component(a) && starts_component(b) ? same : whole;
}

std::string_view without_tail(std::string_view path, size_t tail) { return path.substr(0, path.size() - tail); }

// A vote of one base file for the head file that shares the longest tail with it; none when two share equally long
// ones.
void vote(std::string_view file, const std::vector<std::string_view>& candidates, bool lone,
          std::map<std::pair<std::string, std::string>, int>& votes) {
  size_t best = 0;
  std::string_view winner;
  bool tie = false;
  for (std::string_view candidate : candidates) {
    size_t tail = common_tail(file, candidate);
    tie = tail == best && !winner.empty();
    if (tail > best) {
      best = tail;
      winner = candidate;
      tie = false;
    }
  }
  if (winner.empty() || tie) return;
  bool has_folder = file.substr(file.size() - best).find('/') != std::string_view::npos;
  if (has_folder || lone) ++votes[{std::string(without_tail(file, best)), std::string(without_tail(winner, best))}];
}

}  // namespace

std::vector<RootPair> find_build_roots(std::span<const std::string_view> base_files,
                                       std::span<const std::string_view> head_files) {
  std::set<std::string_view> base(base_files.begin(), base_files.end()), head(head_files.begin(), head_files.end());
  FilesByName base_only = by_name(base, head), head_only = by_name(head, base);
  std::map<std::pair<std::string, std::string>, int> votes;
  for (const auto& [name, files] : base_only) {
    auto others = head_only.find(name);
    if (others == head_only.end()) continue;
    bool lone = files.size() == 1 && others->second.size() == 1;
    for (std::string_view file : files) vote(file, others->second, lone, votes);
  }
  std::vector<std::pair<int, RootPair>> ranked;
  for (const auto& [roots, count] : votes) ranked.push_back({count, {roots.first, roots.second}});
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<RootPair> pairs;
  for (auto& [count, pair] : ranked) pairs.push_back(std::move(pair));
  return pairs;
}

std::string to_base_root(std::string_view file, std::span<const RootPair> roots) {
  for (const RootPair& pair : roots)
    if (!pair.head.empty() && file.starts_with(pair.head))
      return pair.base + std::string(file.substr(pair.head.size()));
  for (const RootPair& pair : roots)
    if (pair.head.empty() && !file.starts_with('/') && !file.empty()) return pair.base + std::string(file);
  return std::string(file);
}

}  // namespace icount
