#include "icount/explain/compared_lines.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <tuple>
#include <utility>

#include "icount/base/checked.h"

namespace icount {
namespace {

/// "src/main.cc" of "/build/1/src/main.cc".
std::string_view last_two_parts(std::string_view path) {
  const size_t name = path.rfind('/');
  if (name == std::string_view::npos || name == 0) return path;
  const size_t folder = path.rfind('/', name - 1);
  return folder == std::string_view::npos ? path : path.substr(folder + 1);
}

using Place = std::pair<std::string_view, uint64_t>;

struct Found {
  ComparedLine line;
  int64_t dearest = -1;  // cost of the function that is named
};

void add_side(std::map<Place, Found>& found, const CostGraph& graph, size_t event, size_t side) {
  for (size_t i = 0; i < graph.lines.size(); ++i) {
    const LineRow& row = graph.lines[i];
    const int64_t cost = graph.line_self[i * graph.event_count() + event];
    if (row.line == 0 || cost == 0) continue;
    const std::string_view file = graph.strings.view(row.file);
    Found& entry = found[{last_two_parts(file), row.line}];
    entry.line.line = row.line;
    entry.line.self[side] = saturating_add(entry.line.self[side], cost);
    entry.line.file = file;
    if (cost <= entry.dearest) continue;
    entry.dearest = cost;
    entry.line.function = graph.name(row.function);
  }
}

}  // namespace

std::vector<ComparedLine> compare_lines(const CostGraph& base, const CostGraph& head, std::string_view event) {
  std::map<Place, Found> found;
  const std::array<const CostGraph*, 2> sides = {&base, &head};
  for (size_t side = 0; side < 2; ++side)
    if (const auto column = sides[side]->event_index(event)) add_side(found, *sides[side], *column, side);
  std::vector<ComparedLine> lines;
  lines.reserve(found.size());
  for (auto& [place, entry] : found) lines.push_back(std::move(entry.line));
  std::stable_sort(lines.begin(), lines.end(), [](const ComparedLine& a, const ComparedLine& b) {
    const auto weight = [](const ComparedLine& line) {
      return std::pair(std::abs(line.self[1] - line.self[0]), std::max(line.self[0], line.self[1]));
    };
    return weight(a) > weight(b);
  });
  return lines;
}

}  // namespace icount
