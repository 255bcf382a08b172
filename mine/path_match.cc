#include "icount/mine/path_match.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <unordered_map>

#include "icount/callgraph/name_parts.h"

namespace icount {
namespace {

std::string normal(const std::string& path) {
  std::string text = std::filesystem::path(path).lexically_normal().generic_string();
  if (text.starts_with("./")) text.erase(0, 2);
  return text;
}

bool ends_with_path(std::string_view path, std::string_view ending) {
  if (!path.ends_with(ending)) return false;
  return path.size() == ending.size() || path[path.size() - ending.size() - 1] == '/';
}

bool is_of_system(std::string_view path) {
  return path.starts_with("/usr/include/") || path.starts_with("/usr/lib/") || path.starts_with("/usr/src/");
}

}  // namespace

PathMatch match_paths(std::span<const std::string> profile_files, const Diff& diff, size_t side,
                      std::span<const std::string> given_roots) {
  std::unordered_map<std::string_view, std::vector<uint32_t>> by_name;
  std::unordered_map<std::string_view, uint32_t> by_path;
  for (uint32_t i = 0; i < diff.files.size(); ++i) {
    const std::string& path = diff.files[i].path(side);
    if (path.empty()) continue;
    by_name[base_of_path(path)].push_back(i);
    by_path.emplace(path, i);
  }
  std::set<std::string> roots;
  for (const std::string& root : given_roots)
    if (const std::string plain = normal(root); !plain.empty())
      roots.insert(plain.ends_with('/') ? plain : plain + "/");
  PathMatch match;
  match.diff_file.assign(profile_files.size(), kNotInDiff);
  match.repository.resize(profile_files.size());
  std::vector<std::string> paths;
  // Statements are compiled in a folder that their debug information calls /icount (harness/compile.cc).
  constexpr std::string_view kFolder = "/icount/";
  for (const std::string& file : profile_files)
    paths.push_back(normal(file.starts_with(kFolder) ? file.substr(kFolder.size()) : file));
  const auto below_root = [&](size_t i) {
    for (const std::string& root : roots)
      if (paths[i].starts_with(root))
        match.repository[i] = std::max(match.repository[i], paths[i].substr(root.size()),
                                       [](const auto& a, const auto& b) { return a.size() < b.size(); });
  };
  std::set<uint32_t> found_below;  // the repository's own, under its root's or its own name
  for (size_t i = 0; i < paths.size(); ++i) {
    below_root(i);
    const auto found = by_path.find(match.repository[i].empty() ? paths[i] : match.repository[i]);
    if (found == by_path.end()) continue;
    match.diff_file[i] = found->second;
    match.repository[i] = found->first;
    found_below.insert(found->second);
  }
  for (size_t i = 0; i < paths.size(); ++i) {
    if (!match.repository[i].empty()) continue;
    if (paths[i].empty() || paths[i] == "???" || is_of_system(paths[i])) continue;
    const auto named = by_name.find(base_of_path(paths[i]));
    if (named == by_name.end()) continue;
    uint32_t best = kNotInDiff, ended = kNotInDiff;
    size_t ended_by = 0;
    for (const uint32_t candidate : named->second) {
      const std::string& path = diff.files[candidate].path(side);
      if (!given_roots.empty() && paths[i].starts_with('/') && found_below.contains(candidate)) continue;
      if (ends_with_path(paths[i], path)) {
        if (best == kNotInDiff || path.size() > diff.files[best].path(side).size()) best = candidate;
      } else if (ends_with_path(path, paths[i])) {
        ended = candidate;
        ++ended_by;
      }
    }
    if (best == kNotInDiff && ended_by == 1) best = ended;
    if (best == kNotInDiff) continue;
    match.diff_file[i] = best;
    match.repository[i] = diff.files[best].path(side);
    if (paths[i].size() > match.repository[i].size())
      roots.insert(paths[i].substr(0, paths[i].size() - match.repository[i].size()));
  }
  for (size_t i = 0; i < paths.size(); ++i)
    if (match.repository[i].empty()) below_root(i);
  return match;
}

}  // namespace icount
