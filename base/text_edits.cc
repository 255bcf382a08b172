#include "icount/base/text_edits.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace icount {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row.back();
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr size_t kFar = 4;
  constexpr size_t kLeast = 3;  // letters that say enough
  std::string best;
  size_t best_distance = kFar;
  for (const std::string& candidate : candidates) {
    const size_t shorter = std::min(word.size(), candidate.size()) - (word.starts_with("--") ? 2 : 0);
    const bool is_part = shorter >= kLeast && (candidate.starts_with(word) || word.starts_with(candidate) ||
                                               candidate.ends_with("_" + std::string(word)));
    const size_t distance = is_part ? 1 : edit_distance(word, candidate);
    if (distance >= best_distance || (!is_part && distance * 2 > candidate.size())) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

}  // namespace icount
