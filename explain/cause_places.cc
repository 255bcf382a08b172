#include "icount/explain/cause_places.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "icount/callgraph/name_parts.h"

namespace icount {
namespace {

// At most so many lines are named, and they carry at least this part of the change.
constexpr size_t kMostLines = 3;
constexpr long double kNearlyAll = 0.8L;
// A line that carries less than this part is not one of the few.
constexpr long double kWorthNaming = 0.1L;
// Lists of lines whose product exceeds this are compared line number by line number.
constexpr size_t kLargestAlignment = 250'000;

/// Cost of a source line on both sides, scaled.
struct LinePair {
  uint64_t line = 0;
  std::array<long double, 2> cost{};
  long double change() const { return cost[1] - cost[0]; }
};

/// The lines of one file, in their order.
using FileLines = std::vector<LineCost>;

std::map<std::string_view, std::array<FileLines, 2>> lines_by_file(const std::array<std::vector<LineCost>, 2>& lines) {
  std::map<std::string_view, std::array<FileLines, 2>> files;
  for (size_t side = 0; side < 2; ++side)
    for (const LineCost& line : lines[side]) files[line.file][side].push_back(line);
  return files;
}

/// Lines of the base and of the head in one order, those that are the same line side by side. Lines keep their order
/// when others are written between them, and most keep their cost.
class LineAlignment {
 public:
  LineAlignment(const FileLines& base, const FileLines& head, std::array<long double, 2> scale)
      : base_(base), head_(head), scale_(scale) {}

  std::vector<LinePair> pairs() {
    if (base_.size() * head_.size() > kLargestAlignment) return pairs_by_number();
    const size_t columns = head_.size() + 1;
    std::vector<int> best((base_.size() + 1) * columns, 0);
    for (size_t b = base_.size(); b-- > 0;)
      for (size_t h = head_.size(); h-- > 0;)
        best[b * columns + h] = std::max(
            {best[(b + 1) * columns + h], best[b * columns + h + 1], best[(b + 1) * columns + h + 1] + likeness(b, h)});
    std::vector<LinePair> found;
    size_t b = 0, h = 0;
    while (b < base_.size() && h < head_.size()) {
      const int here = best[b * columns + h];
      if (here == best[(b + 1) * columns + h + 1] + likeness(b, h)) {
        found.push_back(both(b++, h++));
      } else if (here == best[(b + 1) * columns + h]) {
        found.push_back(of_base(b++));
      } else {
        found.push_back(of_head(h++));
      }
    }
    while (b < base_.size()) found.push_back(of_base(b++));
    while (h < head_.size()) found.push_back(of_head(h++));
    return found;
  }

 private:
  long double cost(size_t side, size_t at) const {
    return static_cast<long double>((side == 0 ? base_ : head_)[at].cost) * scale_[side];
  }
  LinePair both(size_t b, size_t h) const { return {head_[h].line, {cost(0, b), cost(1, h)}}; }
  LinePair of_base(size_t b) const { return {base_[b].line, {cost(0, b), 0}}; }
  LinePair of_head(size_t h) const { return {head_[h].line, {0, cost(1, h)}}; }

  /// Equal cost says most, then that the line moved as the first or the last one of the function did.
  int likeness(size_t b, size_t h) const {
    const auto moved = [&](const LineCost& base, const LineCost& head) { return head.line - base.line; };
    const uint64_t here = moved(base_[b], head_[h]);
    const bool moved_along = here == moved(base_.front(), head_.front()) || here == moved(base_.back(), head_.back());
    const bool same_cost = std::abs(cost(0, b) - cost(1, h)) <= 0.02L * std::max(cost(0, b), cost(1, h));
    return 1 + 2 * moved_along + 3 * same_cost;
  }

  std::vector<LinePair> pairs_by_number() const {
    std::map<uint64_t, LinePair> by_line;
    for (size_t b = 0; b < base_.size(); ++b) by_line[base_[b].line].cost[0] += cost(0, b);
    for (size_t h = 0; h < head_.size(); ++h) by_line[head_[h].line].cost[1] += cost(1, h);
    std::vector<LinePair> found;
    for (auto& [line, pair] : by_line) {
      pair.line = line;
      found.push_back(pair);
    }
    return found;
  }

  const FileLines &base_, &head_;
  std::array<long double, 2> scale_;
};

/// The few lines of one file that carry `change`; nothing where these do not.
std::optional<ChangedLines> few_lines(std::string_view file, std::vector<LinePair> pairs, long double change) {
  if (pairs.size() < 2) return std::nullopt;  // the function itself says it
  std::stable_sort(pairs.begin(), pairs.end(), [&](const LinePair& a, const LinePair& b) {
    return a.change() / change > b.change() / change;  // those that go with the change first
  });
  ChangedLines found{file, {}, 0};
  long double part = 0;
  for (const LinePair& pair : pairs) {
    const long double of_line = pair.change() / change;
    if (found.lines.size() == kMostLines || of_line < kWorthNaming || part >= 1 - kWorthNaming) break;
    part += of_line;
    found.lines.push_back(pair.line);
  }
  // What other lines take back must not be more than what is named explains.
  if (part < kNearlyAll || part > 2 - kNearlyAll) return std::nullopt;
  found.part = static_cast<double>(part);
  return found;
}

}  // namespace

const SourceLines& CausePlaces::lines(size_t side) {
  if (sources_.empty())
    for (const FoldedGraph* graph : joined_.sides) sources_.emplace_back(*graph);
  return sources_[side];
}

SourcePlace CausePlaces::of_function(uint32_t function) {
  const JoinedFunction& joined = joined_.functions[function];
  const size_t side = joined.folded[1] != kNoFunction ? 1 : 0;
  const std::string_view file = joined_.sides[side]->functions[joined.folded[side]].file;
  if (file == "???") return {};
  return {file, lines(side).span(joined.folded[side]).first};
}

std::optional<ChangedLines> CausePlaces::changed_lines(uint32_t function, std::array<long double, 2> scale) {
  const JoinedFunction& joined = joined_.functions[function];
  std::array<std::vector<LineCost>, 2> costs;
  long double change = 0;
  for (size_t side = 0; side < 2; ++side) {
    if (joined.folded[side] == kNoFunction || !lines(side).has_lines()) return std::nullopt;
    costs[side] = lines(side).lines_of(joined.folded[side]);
    if (costs[side].empty()) return std::nullopt;
    const auto self = static_cast<long double>(joined_.flow.nodes[function].self[side]);
    change += (side == 1 ? self : -self) * scale[side];
  }
  if (change == 0) return std::nullopt;
  std::optional<ChangedLines> most;
  for (const auto& [file, sides] : lines_by_file(costs)) {
    auto found = few_lines(file, LineAlignment(sides[0], sides[1], scale).pairs(), change);
    if (found && (!most || found->part > most->part)) most = std::move(found);
  }
  return most;
}

}  // namespace icount
