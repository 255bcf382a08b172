#include "icount/explain/line_alignment.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace icount {
namespace {

// A file with more pairs of lines than this is aligned by equal numbers.
constexpr size_t kMostPairs = 1'000'000;

// What speaks for two lines being one; several thousand pairs of real builds were looked at.
constexpr double kAnyLine = 0.3, kEqualNumber = 0.4, kEqualSize = 0.6, kEqualCost = 0.8, kEqualCallees = 3,
                 kCommonCallee = 1.5, kOtherCallees = -0.3, kMovedAlike = 0.5;

struct LineFacts {
  uint64_t line = 0;
  size_t instructions = 0;
  double cost = 0;  // per call
  std::set<uint32_t> callees;
};
using FactsByFile = std::map<std::string_view, std::map<uint64_t, LineFacts>>;

FactsByFile facts_of(const OpenedFunction& opened, size_t side, const std::vector<uint32_t>& callee_names) {
  FactsByFile facts;
  const CodeFlow& flow = opened.shapes[side].flow;
  const auto calls = static_cast<double>(std::max<int64_t>(flow.entries, 1));
  auto call = flow.calls.begin();
  for (uint32_t i = 0; i < flow.instructions.size(); ++i) {
    const Instruction& one = flow.instructions[i];
    const LineKey key = opened.line_of(side, one);
    LineFacts& line = facts[key.first][key.second];
    line.line = key.second;
    ++line.instructions;
    line.cost += static_cast<double>(one.self) / calls;
    for (; call != flow.calls.end() && call->from <= i; ++call)
      if (call->from == i && call->callee < callee_names.size()) line.callees.insert(callee_names[call->callee]);
  }
  return facts;
}

double likeness(const LineFacts& a, const LineFacts& b) {
  double score = kAnyLine;
  if (a.line == b.line) score += kEqualNumber;
  if (a.instructions == b.instructions) score += kEqualSize;
  if (std::abs(a.cost - b.cost) <= 1e-9 * std::max(a.cost, b.cost)) score += kEqualCost;
  const bool common =
      std::any_of(a.callees.begin(), a.callees.end(), [&](uint32_t c) { return b.callees.contains(c); });
  if (!a.callees.empty() && a.callees == b.callees) {
    score += kEqualCallees;
  } else if (common) {
    score += kCommonCallee;
  } else if (a.callees != b.callees) {
    score += kOtherCallees;
  }
  return score;
}

/// The chain of pairs with the highest sum.
void align(std::string_view file, const std::vector<const LineFacts*>& a, const std::vector<const LineFacts*>& b,
           std::map<LineKey, LineKey>& pairs) {
  const size_t width = b.size() + 1;
  std::vector<double> best((a.size() + 1) * width, 0);
  const auto score = [&](size_t i, size_t j) {
    const bool alike = i > 1 && j > 1 && a[i - 1]->line - a[i - 2]->line == b[j - 1]->line - b[j - 2]->line;
    return likeness(*a[i - 1], *b[j - 1]) + (alike ? kMovedAlike : 0);
  };
  for (size_t i = 1; i <= a.size(); ++i)
    for (size_t j = 1; j <= b.size(); ++j)
      best[i * width + j] =
          std::max({best[(i - 1) * width + j], best[i * width + j - 1], best[(i - 1) * width + j - 1] + score(i, j)});
  for (size_t i = a.size(), j = b.size(); i > 0 && j > 0;) {
    if (best[i * width + j] == best[(i - 1) * width + j - 1] + score(i, j)) {
      pairs[{file, a[i - 1]->line}] = {file, b[j - 1]->line};
      --i;
      --j;
    } else if (best[i * width + j] == best[(i - 1) * width + j]) {
      --i;
    } else {
      --j;
    }
  }
}

}  // namespace

std::map<LineKey, LineKey> align_lines(const OpenedFunction& opened, size_t from, const CalleeNodes& callees) {
  const FactsByFile here = facts_of(opened, from, callees[from]), there = facts_of(opened, 1 - from, callees[1 - from]);
  std::map<LineKey, LineKey> pairs;
  for (const auto& [file, lines] : here) {
    const auto others = there.find(file);
    if (others == there.end()) continue;
    std::vector<const LineFacts*> a, b;
    for (const auto& [number, facts] : lines)
      if (number != 0) a.push_back(&facts);
    for (const auto& [number, facts] : others->second)
      if (number != 0) b.push_back(&facts);
    if (a.size() * b.size() <= kMostPairs) {
      align(others->first, a, b, pairs);
      continue;
    }
    for (const LineFacts* one : a)
      if (others->second.contains(one->line)) pairs[{file, one->line}] = {others->first, one->line};
  }
  return pairs;
}

}  // namespace icount
