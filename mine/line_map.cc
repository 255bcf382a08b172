#include "icount/mine/line_map.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <set>
#include <unordered_map>

#include "icount/explain/match/alignment.h"
#include "icount/mine/path_match.h"

namespace icount {

namespace {

constexpr size_t kLeastLines = 2, kLeastLetters = 20;
constexpr size_t kMostPlaces = 64;  // a line that stands in more of them begins no run

/// A line without blanks and without the '\\' that continues it.
std::string squeezed(std::string_view line) {
  std::string text;
  for (const char c : line)
    if (!std::isspace(static_cast<unsigned char>(c))) text += c;
  if (text.ends_with('\\')) text.pop_back();
  return text;
}

size_t letters_of(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0; }));
}

}  // namespace

MovedText find_moved_text(const Diff& diff) {
  struct Added {
    uint32_t hunk, line;
  };
  std::vector<std::vector<std::string>> removed, added;
  std::vector<std::vector<bool>> used;
  std::unordered_map<std::string_view, std::vector<Added>> places;
  for (const DiffHunk& hunk : diff.hunks) {
    for (auto* side : {&removed, &added}) side->emplace_back();
    for (const std::string& line : hunk.removed) removed.back().push_back(squeezed(line));
    for (const std::string& line : hunk.added) added.back().push_back(squeezed(line));
    used.emplace_back(hunk.added.size(), false);
  }
  for (uint32_t h = 0; h < added.size(); ++h)
    for (uint32_t i = 0; i < added[h].size(); ++i)
      if (!added[h][i].empty()) places[added[h][i]].push_back({h, i});
  MovedText moved;
  for (uint32_t h = 0; h < removed.size(); ++h) {
    for (size_t i = 0; i < removed[h].size();) {
      Added best{};
      size_t length = 0;
      if (const auto found = places.find(removed[h][i]); found != places.end() && found->second.size() <= kMostPlaces)
        for (const Added& at : found->second) {
          size_t k = 0;
          while (i + k < removed[h].size() && at.line + k < added[at.hunk].size() && !used[at.hunk][at.line + k] &&
                 removed[h][i + k] == added[at.hunk][at.line + k])
            ++k;
          if (k > length) std::tie(best, length) = std::pair(at, k);
        }
      size_t letters = 0;
      for (size_t k = 0; k < length; ++k) letters += letters_of(removed[h][i + k]);
      if (length < kLeastLines || letters < kLeastLetters) {
        ++i;
        continue;
      }
      for (size_t k = 0; k < length; ++k) {
        const DiffHunk &from = diff.hunks[h], &to = diff.hunks[best.hunk];
        const DiffLine was{from.file, from.old_lines.first + i + k}, is{to.file, to.new_lines.first + best.line + k};
        moved.to_head.emplace(was, is);
        moved.to_base.emplace(is, was);
        used[best.hunk][best.line + k] = true;
      }
      i += length;
    }
  }
  return moved;
}

HunkMap::HunkMap(const Diff& diff) : diff_(diff) {
  for (auto& hunks : hunks_of_) hunks.resize(diff.files.size());
  for (uint32_t h = 0; h < diff.hunks.size(); ++h)
    for (size_t side = 0; side < 2; ++side) hunks_of_[side][diff.hunks[h].file].push_back(h);
  for (size_t side = 0; side < 2; ++side)
    for (std::vector<uint32_t>& hunks : hunks_of_[side])
      std::stable_sort(hunks.begin(), hunks.end(), [&](uint32_t a, uint32_t b) {
        return diff.hunks[a].lines(side).first < diff.hunks[b].lines(side).first;
      });
}

std::optional<uint32_t> HunkMap::before(size_t side, uint32_t file, uint64_t line) const {
  const std::vector<uint32_t>& hunks = hunks_of_[side][file];
  const auto at = std::upper_bound(hunks.begin(), hunks.end(), line, [&](uint64_t wanted, uint32_t h) {
    const LineRange& lines = diff_.hunks[h].lines(side);
    return wanted < lines.first + (lines.count == 0 ? 1 : 0);  // one without lines lies behind the line that it names
  });
  return at == hunks.begin() ? std::nullopt : std::optional(*(at - 1));
}

uint64_t HunkMap::head_line(uint32_t file, uint64_t line) const {
  const auto found = before(0, file, line);
  if (!found) return line;
  const auto& [was, now] = std::pair(diff_.hunks[*found].old_lines, diff_.hunks[*found].new_lines);
  if (was.has(line)) return now.count == 0 ? now.first : now.first + std::min(line - was.first, now.count - 1);
  const uint64_t was_end = was.first + (was.count == 0 ? 1 : was.count),
                 now_end = now.first + (now.count == 0 ? 1 : now.count);
  return line - was_end + now_end;
}

namespace {

class LinePairs {
 public:
  LinePairs(std::span<const std::string> files, const CommitSources& commits)
      : diff_(commits.diff), hunks_(commits.diff) {
    const PathMatch paths = match_paths(files, diff_, 0, commits.roots[0]);
    for (size_t i = 0; i < files.size(); ++i)
      if (!paths.repository[i].empty() || paths.diff_file[i] != kNotInDiff)
        files_.emplace(files[i], paths.diff_file[i]);
    for (const DiffHunk& hunk : diff_.hunks) pair_inside(hunk);
    for (const auto& [was, is] : find_moved_text(diff_).to_head)
      if (was.first == is.first) keep(was, is);
  }

  std::optional<uint64_t> in_head(std::string_view file, uint64_t line) const {
    const auto found = files_.find(std::string(file));
    if (found == files_.end()) return std::nullopt;
    if (found->second == kNotInDiff) return line;
    if (const auto kept = kept_.find({found->second, line}); kept != kept_.end()) return kept->second;
    const auto hunk = hunks_.before(0, found->second, line);
    return hunk && diff_.hunks[*hunk].old_lines.has(line) ? 0 : hunks_.head_line(found->second, line);
  }

 private:
  /// Lines of a hunk whose blanks alone changed; of a hunk of as many lines as before, those edited in place, too.
  void pair_inside(const DiffHunk& hunk) {
    constexpr size_t kMostPairs = 250'000;
    if (hunk.removed.size() * hunk.added.size() > kMostPairs) return;
    std::array<std::vector<std::string>, 2> text;
    for (size_t side = 0; side < 2; ++side)
      for (const std::string& line : hunk.text(side)) text[side].push_back(squeezed(line));
    for (const auto& [was, is] : align_in_order(text[0].size(), text[1].size(), [&](size_t b, size_t h) {
           return text[0][b] == text[1][h] ? static_cast<double>(text[0][b].size()) : 0.0;
         }))
      keep({hunk.file, hunk.old_lines.first + was}, {hunk.file, hunk.new_lines.first + is});
    for (size_t i = 0; i < text[0].size() && text[0].size() == text[1].size(); ++i)
      keep({hunk.file, hunk.old_lines.first + i}, {hunk.file, hunk.new_lines.first + i});
  }

  void keep(const DiffLine& was, const DiffLine& is) {
    if (!kept_.contains(was) && of_head_.insert(is).second) kept_.emplace(was, is.second);
  }

  const Diff& diff_;
  HunkMap hunks_;
  std::unordered_map<std::string, uint32_t> files_;  // of the repository: of the diff, or none
  std::map<DiffLine, uint64_t> kept_;
  std::set<DiffLine> of_head_;  // that are some line of base's
};

}  // namespace

SameLines same_lines(std::span<const std::string> files, const CommitSources& commits) {
  return [pairs = std::make_shared<const LinePairs>(files, commits)](std::string_view file, uint64_t line) {
    return pairs->in_head(file, line);
  };
}

}  // namespace icount
