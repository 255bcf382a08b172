#include "icount/mine/hunk_units.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <string_view>

#include "icount/callgraph/name_parts.h"

namespace icount {
namespace {

/// By name, hunks that have it on each side, in lines that were not moved.
struct NamedIn {
  std::array<std::set<uint32_t>, 2> hunks;
};

std::map<std::string, NamedIn> names_in_hunks(const ChangedSource& source) {
  constexpr size_t kShortestName = 3;
  std::map<std::string, NamedIn> names;
  for (uint32_t h = 0; h < source.diff().hunks.size(); ++h) {
    if (source.text_of(h) != HunkText::kCode) continue;
    for (size_t side = 0; side < 2; ++side) {
      const SourceText* const text = source.source(side, source.diff().hunks[h].file);
      if (!text) continue;
      for (const uint64_t line : source.code_lines(h, side))
        for (const std::string& word : text->words[line - 1])
          if (word.size() >= kShortestName) names[word].hunks[side].insert(h);
    }
  }
  return names;
}

void join_by_names(const ChangedSource& source, const CommitSources& commits, HunkUnits& units) {
  std::map<std::string, NamedIn> names = names_in_hunks(source);
  std::array<std::set<std::string>, 2> anywhere;  // names of the files of the diff
  for (size_t side = 0; side < 2; ++side)
    for (uint32_t file = 0; file < source.diff().files.size(); ++file)
      if (const SourceText* const text = source.source(side, file))
        for (const auto& line : text->words) anywhere[side].insert(line.begin(), line.end());
  std::set<std::string> alone;
  for (const auto& [name, in] : names)
    if (in.hunks[0].size() + in.hunks[1].size() > 1 && anywhere[0].contains(name) != anywhere[1].contains(name))
      alone.insert(name);
  if (commits.find_words && !alone.empty()) {
    const std::set<std::string> base = commits.find_words(0, alone), head = commits.find_words(1, alone);
    std::erase_if(alone, [&](const std::string& name) { return base.contains(name) && head.contains(name); });
  }
  for (const std::string& name : alone) {
    std::vector<uint32_t> hunks;
    for (const auto& side : names[name].hunks) hunks.insert(hunks.end(), side.begin(), side.end());
    units.join(hunks);
  }
}

/// Hunks of a file that one side alone has, or under another name, and those that include it.
void join_by_files(const ChangedSource& source, HunkUnits& units) {
  const Diff& diff = source.diff();
  std::map<uint32_t, std::vector<uint32_t>> of_file;
  for (uint32_t h = 0; h < diff.hunks.size(); ++h)
    if (source.text_of(h) == HunkText::kCode &&
        diff.files[diff.hunks[h].file].old_path != diff.files[diff.hunks[h].file].new_path)
      of_file[diff.hunks[h].file].push_back(h);
  if (of_file.empty()) return;
  std::map<std::string_view, uint32_t> by_name;
  for (const auto& [file, hunks] : of_file)
    for (size_t side = 0; side < 2; ++side) {
      const std::string_view path = diff.files[file].path(side);
      if (!path.empty()) by_name.emplace(base_of_path(path), file);
    }
  for (uint32_t h = 0; h < diff.hunks.size(); ++h) {
    if (source.text_of(h) != HunkText::kCode) continue;
    for (size_t side = 0; side < 2; ++side)
      for (const std::string& line : diff.hunks[h].text(side)) {
        const size_t include = line.find("include");
        const size_t open = line.find_first_of("\"<", include);
        if (include == std::string::npos || open == std::string::npos) continue;
        const size_t close = line.find_first_of("\">", open + 1);
        if (close == std::string::npos) continue;
        const std::string_view path = std::string_view(line).substr(open + 1, close - open - 1);
        const auto found = by_name.find(base_of_path(path));
        if (found != by_name.end()) of_file[found->second].push_back(h);
      }
  }
  for (const auto& [file, hunks] : of_file) units.join(hunks);
}

void join_by_moves(const ChangedSource& source, HunkUnits& units) {
  const Diff& diff = source.diff();
  std::array<std::map<DiffLine, uint32_t>, 2> hunk_at;
  for (uint32_t h = 0; h < diff.hunks.size(); ++h)
    for (size_t side = 0; side < 2; ++side)
      for (uint64_t i = 0; i < diff.hunks[h].lines(side).count; ++i)
        hunk_at[side][{diff.hunks[h].file, diff.hunks[h].lines(side).first + i}] = h;
  for (const auto& [was, is] : source.moved().to_head) {
    const uint32_t from = hunk_at[0].at(was), to = hunk_at[1].at(is);
    if (source.text_of(from) == HunkText::kCode && source.text_of(to) == HunkText::kCode) units.join(from, to);
  }
}

}  // namespace

HunkUnits::HunkUnits(size_t hunks) : parent_(hunks) { std::iota(parent_.begin(), parent_.end(), 0); }

uint32_t HunkUnits::of(uint32_t hunk) const {
  while (parent_[hunk] != hunk) hunk = parent_[hunk] = parent_[parent_[hunk]];
  return hunk;
}

void HunkUnits::join(uint32_t a, uint32_t b) {
  const auto [first, second] = std::minmax({of(a), of(b)});  // its first hunk names a unit
  parent_[second] = first;
}

void HunkUnits::join(std::span<const uint32_t> hunks) {
  for (const uint32_t hunk : hunks) join(hunks.front(), hunk);
}

void join_by_source(const ChangedSource& source, const CommitSources& commits, HunkUnits& units) {
  for (const ChangedBlock& function : source.changed_functions()) units.join(function.hunks);
  for (const auto& [before, after] : source.around_switched()) units.join(before, after);
  join_by_moves(source, units);
  join_by_names(source, commits, units);
  join_by_files(source, units);
}

}  // namespace icount
