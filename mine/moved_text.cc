#include "icount/mine/moved_text.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <unordered_map>
#include <vector>

namespace icount {
namespace {

constexpr size_t kLeastLines = 2, kLeastLetters = 20;
constexpr size_t kMostPlaces = 64;  // a line that stands in more of them begins no run

/// A line without blanks and without the '\' that continues it.
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

}  // namespace icount
