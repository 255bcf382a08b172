#include "icount/explain/inside/loop_matching.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "icount/explain/inside/inlined_code.h"
#include "icount/explain/match/alignment.h"
#include "icount/explain/weights.h"

namespace icount {
namespace {

// What speaks for two loops being one, and how much is needed; with lines and without.
constexpr double kLines = 6, kCallees = 2, kOtherCallees = -0.5, kInlined = 2.5, kDepth = 0.5, kOrder = 0.5,
                 kFigures = 0.7, kCost = 0.6;
constexpr double kEnough = 2.5, kEnoughWithoutLines = 1.6;
// More loops than this are not compared with one another.
constexpr size_t kMostLoops = 500;

/// A function that was inlined, and the line of its call.
using InlinedCall = std::pair<std::string_view, uint64_t>;

std::vector<InlinedCall> inlined_calls(const ProfileCode& code, uint32_t inlined) {
  std::vector<InlinedCall> calls;
  for (const uint32_t at : inlined_chain(code, inlined))
    calls.emplace_back(code.inlined[at - 1].name, code.inlined[at - 1].call_line);
  return calls;
}

struct LoopFacts {
  std::set<LineKey> lines;  // of base as the lines of head that they are
  std::set<uint32_t> callees;
  std::string_view inlined;  // the inlined function that it is written in; empty: the function itself, or not known
  std::vector<InlinedCall> inlined_by;  // the calls that put it there, from the outermost inwards
  double cost = 0, order = 0;
};

/// Whether two loops are written in different functions, or came from different calls of one. Not where one is of the
/// function itself, or that is not known: a piece of a loop may be of a callee's code alone.
bool are_of_others(const LoopFacts& a, const LoopFacts& b) {
  if (a.inlined_by.empty() || b.inlined_by.empty()) return false;
  return a.inlined_by != b.inlined_by;
}

double shared_part(const auto& a, const auto& b, size_t of) {
  size_t common = 0;
  for (const auto& one : a) common += b.contains(one);
  return of == 0 ? 0 : static_cast<double>(common) / static_cast<double>(of);
}
double jaccard(const auto& a, const auto& b) {
  size_t common = 0;
  for (const auto& one : a) common += b.contains(one);
  const size_t all = a.size() + b.size() - common;
  return all == 0 ? 0 : static_cast<double>(common) / static_cast<double>(all);
}

double closeness(double a, double b) { return std::max(a, b) == 0 ? 1 : std::min(a, b) / std::max(a, b); }
double ratio(int64_t of, int64_t per) {
  return static_cast<double>(of) / static_cast<double>(std::max<int64_t>(per, 1));
}

class LoopMatcher {
 public:
  /// `first`: the side whose lines and loops come first, the same whichever is base.
  LoopMatcher(OpenedFunction& opened, const CalleeNodes& callees, size_t first)
      : opened_(opened), callees_(callees), first_(first), lines_(align_lines(opened, first, callees)) {}

  void match() {
    for (size_t side = 0; side < 2; ++side) {
      nests_[side] = same_source_nests(opened_, side);
      find_facts(side);
      partner_[side].assign(loops(side).size(), kNoLoop);
      joined_to_[side].assign(loops(side).size(), kNoLoop);
    }
    for (size_t side = 0; side < 2; ++side) keep_real_nests(side);
    pair_loops();
    if (with_lines_)
      for (size_t side = 0; side < 2; ++side) join_pieces(side);
    pair_replacements();
    for (size_t side = 0; side < 2; ++side) find_straight(side);
    add_regions();
    for (const auto& [from, to] : lines_)
      first_ == 0 ? opened_.lines.emplace(from, to) : opened_.lines.emplace(to, from);
  }

 private:
  const std::vector<ShapeLoop>& loops(size_t side) const { return opened_.shapes[side].loops; }

  /// Two loops that seem to be one by their lines are two where the other side has two of the same turns.
  void keep_real_nests(size_t side) {
    const auto alike = [](const ShapeLoop& a, const ShapeLoop& b) {
      return closeness(static_cast<double>(a.entries), static_cast<double>(b.entries)) >= 1 - kSame &&
             closeness(static_cast<double>(a.iterations), static_cast<double>(b.iterations)) >= 1 - kSame;
    };
    std::erase_if(nests_[side], [&](uint32_t inner) {
      for (uint32_t l = 0; l < loops(1 - side).size(); ++l) {
        const uint32_t outer = loops(1 - side)[l].parent;
        if (outer != kNoLoop && !nests_[1 - side].contains(l) && alike(loops(side)[inner], loops(1 - side)[l]) &&
            alike(loops(side)[loops(side)[inner].parent], loops(1 - side)[outer]))
          return true;
      }
      return false;
    });
  }

  void find_facts(size_t side) {
    const FunctionShape& shape = opened_.shapes[side];
    for (const ShapeLoop& loop : shape.loops) {
      LoopFacts& facts = facts_[side].emplace_back();
      const auto number = static_cast<uint32_t>(facts_[side].size() - 1);
      facts.inlined_by = inlined_calls(*opened_.code[side], inlined_around(shape, number, *opened_.code[side]));
      if (!facts.inlined_by.empty()) facts.inlined = facts.inlined_by.back().first;
      for (const uint32_t b : loop.blocks) {
        const ShapeBlock& block = shape.blocks[b];
        facts.cost += static_cast<double>(block.self);
        for (uint32_t i = block.first; i < block.end; ++i) {
          const LineKey line = opened_.line_of(side, shape.flow.instructions[i]);
          if (line.second == 0) continue;
          if (side != first_) {
            facts.lines.insert(line);
          } else if (const auto there = lines_.find(line); there != lines_.end()) {
            facts.lines.insert(there->second);
          } else {
            facts.lines.insert({"-", line.second});  // the other side has no such line
          }
        }
        for (const FlowCall& call : shape.calls_of(block))
          if (call.callee < callees_[side].size()) facts.callees.insert(callees_[side][call.callee]);
      }
      with_lines_ = with_lines_ || !facts.lines.empty();
    }
    find_order(side);
  }

  /// Where a loop stands among those in the same loop, from 0 to 1.
  void find_order(size_t side) {
    std::map<uint32_t, std::vector<uint32_t>> children;
    for (uint32_t l = 0; l < loops(side).size(); ++l) children[loops(side)[l].parent].push_back(l);
    for (auto& [parent, of] : children) {
      std::sort(of.begin(), of.end(),
                [&](uint32_t a, uint32_t b) { return loops(side)[a].blocks.front() < loops(side)[b].blocks.front(); });
      for (size_t i = 0; i < of.size(); ++i)
        facts_[side][of[i]].order = (static_cast<double>(i) + 0.5) / static_cast<double>(of.size());
    }
  }

  std::optional<double> score(uint32_t a, uint32_t b) const {
    const size_t other = 1 - first_;
    const LoopFacts &p = facts_[first_][a], &q = facts_[other][b];
    const ShapeLoop &l = loops(first_)[a], &m = loops(other)[b];
    double score = 0;
    if (with_lines_) {
      const double common = jaccard(p.lines, q.lines);
      const bool is_same_function = !p.inlined.empty() && p.inlined == q.inlined;
      if (common == 0 && !is_same_function) return std::nullopt;
      score += kLines * common + (is_same_function ? kInlined : 0);
    }
    if (!p.callees.empty() || !q.callees.empty()) score += kCallees * jaccard(p.callees, q.callees) + kOtherCallees;
    if (l.depth == m.depth) score += kDepth;
    score += kOrder * (1 - std::abs(p.order - q.order));
    const int64_t calls_here = opened_.shapes[first_].flow.entries, calls_there = opened_.shapes[other].flow.entries;
    score += kFigures * closeness(ratio(l.entries, calls_here), ratio(m.entries, calls_there));
    score += kFigures * closeness(ratio(l.iterations, l.entries), ratio(m.iterations, m.entries));
    score += kCost * closeness(p.cost / static_cast<double>(std::max<int64_t>(calls_here, 1)),
                               q.cost / static_cast<double>(std::max<int64_t>(calls_there, 1)));
    return score;
  }

  void pair_loops() {
    const size_t other = 1 - first_;
    if (loops(0).size() > kMostLoops || loops(1).size() > kMostLoops) return;
    std::vector<std::tuple<double, uint32_t, uint32_t>> candidates;
    for (uint32_t a = 0; a < loops(first_).size(); ++a)
      for (uint32_t b = 0; b < loops(other).size(); ++b) {
        if (nests_[first_].contains(a) || nests_[other].contains(b)) continue;
        if (const auto found = score(a, b); found && *found >= (with_lines_ ? kEnough : kEnoughWithoutLines))
          candidates.emplace_back(-*found, a, b);
      }
    std::sort(candidates.begin(), candidates.end());
    for (const auto& [negative, a, b] : candidates) {
      if (partner_[first_][a] != kNoLoop || partner_[other][b] != kNoLoop) continue;
      partner_[first_][a] = b;
      partner_[other][b] = a;
    }
  }

  bool is_inside(size_t side, uint32_t loop, uint32_t outer) const {
    for (uint32_t at = loop; at != kNoLoop; at = loops(side)[at].parent)
      if (at == outer) return true;
    return false;
  }

  /// One loop of the source that is several on a side, each with half of its lines: peeled, unrolled with a rest,
  /// split.
  void join_pieces(size_t side) {
    for (uint32_t l = 0; l < loops(side).size(); ++l) {
      if (partner_[side][l] != kNoLoop || nests_[side].contains(l)) continue;
      double best = 0;
      for (uint32_t m = 0; m < loops(side).size(); ++m) {
        if (partner_[side][m] == kNoLoop || loops(side)[m].parent != loops(side)[l].parent) continue;
        const auto &p = facts_[side][l].lines, &q = facts_[side][m].lines;
        const double common = shared_part(p, q, std::min(p.size(), q.size()));
        if (common < kHalf || common <= best || are_of_others(facts_[side][l], facts_[side][m])) continue;
        best = common;
        joined_to_[side][l] = m;
      }
    }
  }

  bool is_left(size_t side, uint32_t loop) const {
    return partner_[side][loop] == kNoLoop && joined_to_[side][loop] == kNoLoop && !nests_[side].contains(loop);
  }

  /// Two loops of other source in the same place, which are entered and iterate alike.
  bool takes_place(uint32_t a, uint32_t b) const {
    const size_t other = 1 - first_;
    if (!is_left(first_, a) || !is_left(other, b)) return false;
    const ShapeLoop &l = loops(first_)[a], &m = loops(other)[b];
    const bool same_parent =
        l.parent == kNoLoop ? m.parent == kNoLoop : m.parent != kNoLoop && partner_[first_][l.parent] == m.parent;
    const auto alike = [](int64_t here, int64_t there) {
      return closeness(static_cast<double>(here), static_cast<double>(there)) >= 1 - kSame;
    };
    return same_parent && l.iterations > l.entries && alike(l.entries, m.entries) && alike(l.iterations, m.iterations);
  }

  /// What lines and callees leave over: a loop of one side and one of the other of which each is the only one that can
  /// have taken the other's place.
  void pair_replacements() {
    const size_t other = 1 - first_;
    if (loops(0).size() > kMostLoops || loops(1).size() > kMostLoops) return;
    std::vector<std::vector<uint32_t>> of(loops(first_).size());
    std::vector<size_t> rivals(loops(other).size(), 0);
    for (uint32_t a = 0; a < loops(first_).size(); ++a)
      for (uint32_t b = 0; b < loops(other).size(); ++b) {
        if (!takes_place(a, b)) continue;
        of[a].push_back(b);
        ++rivals[b];
      }
    for (uint32_t a = 0; a < of.size(); ++a) {
      if (of[a].size() != 1 || rivals[of[a].front()] != 1) continue;
      partner_[first_][a] = of[a].front();
      partner_[other][of[a].front()] = a;
      replaced_.insert(a);
    }
  }

  /// A loop of one side alone that hardly ever turns, such as a retry, is code of the loop around it: what the other
  /// side does there without a loop is not told as gone from there.
  void find_straight(size_t side) {
    for (uint32_t l = 0; l < loops(side).size(); ++l) {
      const ShapeLoop& loop = loops(side)[l];
      const bool turns = closeness(static_cast<double>(loop.heads), static_cast<double>(loop.entries)) < 1 - kSame;
      const bool has_nest = std::any_of(nests_[side].begin(), nests_[side].end(),
                                        [&](uint32_t inner) { return loops(side)[inner].parent == l; });
      if (is_left(side, l) && !turns && !has_nest) straight_[side].insert(l);
    }
  }

  void add_regions() {
    opened_.regions.assign(1, {});
    for (size_t side = 0; side < 2; ++side) opened_.region_of_loop[side].assign(loops(side).size(), 0);
    const size_t other = 1 - first_;
    const auto add = [&](size_t side, uint32_t loop) {
      opened_.regions.back().loops[side].push_back(loop);
      opened_.region_of_loop[side][loop] = static_cast<uint32_t>(opened_.regions.size() - 1);
    };
    const auto is_own = [&](size_t side, uint32_t loop) {
      return !nests_[side].contains(loop) && joined_to_[side][loop] == kNoLoop && !straight_[side].contains(loop);
    };
    for (uint32_t a = 0; a < loops(first_).size(); ++a) {
      if (!is_own(first_, a)) continue;
      opened_.regions.emplace_back();
      add(first_, a);
      if (partner_[first_][a] != kNoLoop) add(other, partner_[first_][a]);
      opened_.regions.back().replaced = replaced_.contains(a);
    }
    for (uint32_t b = 0; b < loops(other).size(); ++b) {
      if (!is_own(other, b) || partner_[other][b] != kNoLoop) continue;
      opened_.regions.emplace_back();
      add(other, b);
    }
    for (size_t side = 0; side < 2; ++side) {
      for (uint32_t l = 0; l < loops(side).size(); ++l) {
        const uint32_t around = loops(side)[l].parent;
        if (straight_[side].contains(l))
          opened_.region_of_loop[side][l] = around == kNoLoop ? 0 : opened_.region_of_loop[side][around];
        const bool nested = nests_[side].contains(l);
        if (!nested && joined_to_[side][l] == kNoLoop) continue;
        const uint32_t to = nested ? around : joined_to_[side][l];
        const uint32_t region = opened_.region_of_loop[side][to];
        opened_.regions[region].loops[side].push_back(l);
        opened_.region_of_loop[side][l] = region;
      }
      for (uint32_t r = 1; r < opened_.regions.size(); ++r) {
        auto& of = opened_.regions[r].loops[side];
        if (of.empty()) continue;
        const uint32_t parent = loops(side)[of.front()].parent;
        opened_.regions[r].parent[side] = parent == kNoLoop ? 0 : opened_.region_of_loop[side][parent];
      }
    }
  }

  OpenedFunction& opened_;
  const CalleeNodes& callees_;
  size_t first_;
  std::map<LineKey, LineKey> lines_;
  bool with_lines_ = false;
  std::array<std::set<uint32_t>, 2> nests_, straight_;
  std::array<std::vector<LoopFacts>, 2> facts_;
  std::array<std::vector<uint32_t>, 2> partner_, joined_to_;
  std::set<uint32_t> replaced_;  ///< loops of the first side that another took the place of
};

/// Which side's figures come first, so that ties fall the same way whichever is base.
size_t first_side(const OpenedFunction& opened) {
  const auto key = [&](size_t side) {
    const CodeFlow& flow = opened.shapes[side].flow;
    int64_t self = 0;
    uint64_t addresses = 0;
    for (const Instruction& one : flow.instructions) {
      self = static_cast<int64_t>(static_cast<uint64_t>(self) + static_cast<uint64_t>(one.self));
      addresses = addresses * 31 + one.address + static_cast<uint64_t>(one.executions) * 7;
    }
    return std::tuple(self, flow.instructions.size(), addresses);
  };
  return key(1) < key(0) ? 1 : 0;
}

}  // namespace

void match_loops(OpenedFunction& opened, const CalleeNodes& callees) {
  LoopMatcher(opened, callees, first_side(opened)).match();
}

namespace {

// A file with more pairs of lines than this is aligned by equal numbers.
constexpr size_t kMostPairs = 1'000'000;

// What speaks for two lines being one; several thousand pairs of real builds were looked at.
constexpr double kAnyLine = 0.3, kEqualNumber = 0.4, kEqualSize = 0.6, kEqualCost = 0.8, kEqualCallees = 3,
                 kCommonCallee = 1.5, kUnlikeCallees = -0.3, kMovedAlike = 0.5;

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
    score += kUnlikeCallees;
  }
  return score;
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
      // From the end: of equal sums the one that pairs the latest.
      const auto pair = [&](size_t i, size_t j) { return std::pair(a.size() - 1 - i, b.size() - 1 - j); };
      const auto score = [&](size_t from_i, size_t from_j) {
        const auto [i, j] = pair(from_i, from_j);
        const bool alike = i > 0 && j > 0 && a[i]->line - a[i - 1]->line == b[j]->line - b[j - 1]->line;
        return likeness(*a[i], *b[j]) + (alike ? kMovedAlike : 0);
      };
      for (const auto& [from_i, from_j] : align_in_order(a.size(), b.size(), score)) {
        const auto [i, j] = pair(from_i, from_j);
        pairs[{others->first, a[i]->line}] = {others->first, b[j]->line};
      }
      continue;
    }
    for (const LineFacts* one : a)
      if (others->second.contains(one->line)) pairs[{file, one->line}] = {others->first, one->line};
  }
  return pairs;
}

void pair_known_lines(OpenedFunction& opened, const SameLines& same_lines) {
  std::set<LineKey> of_head, known;
  for (const Instruction& one : opened.shapes[1].flow.instructions) of_head.insert(opened.line_of(1, one));
  for (const Instruction& one : opened.shapes[0].flow.instructions) {
    if (one.line == 0 || !same_lines) continue;
    const LineKey line = opened.line_of(0, one);
    const auto same = same_lines(opened.code[0]->files[one.file], one.line);
    if (!same || !known.insert(line).second) continue;
    opened.lines.erase(line);
    if (const LineKey there{line.first, *same}; of_head.contains(there)) opened.lines.emplace(line, there);
  }
  std::map<std::string_view, std::vector<std::pair<uint64_t, uint64_t>>> guessed;
  for (const auto& [base, head] : opened.lines)
    if (!known.contains(base)) guessed[head.first].emplace_back(base.second, head.second);
  for (const auto& [file, pairs] : guessed) {
    const std::vector<bool> along = moved_along(pairs);
    for (size_t i = 0; i < pairs.size(); ++i) opened.guessed_lines[{file, pairs[i].second}] = along[i];
  }
}

namespace {

/// Calls per entry of the region, loops in it included.
std::map<uint32_t, long double> calls_per_entry(const OpenedFunction& opened, const CalleeNodes& callees, size_t side,
                                                uint32_t region) {
  const FunctionShape& shape = opened.shapes[side];
  std::map<uint32_t, long double> calls;
  for (const uint32_t l : opened.regions[region].loops[side])
    for (const uint32_t b : shape.loops[l].blocks)
      for (const FlowCall& call : shape.calls_of(shape.blocks[b]))
        if (call.callee < callees[side].size())
          calls[callees[side][call.callee]] +=
              static_cast<long double>(call.calls) /
              static_cast<long double>(std::max<int64_t>(opened.regions[region].entries[side], 1));
  return calls;
}

long double own_per_iteration(const OpenedFunction& opened, size_t side, uint32_t region) {
  long double own = 0;
  for (uint32_t b = 0; b < opened.shapes[side].blocks.size(); ++b)
    if (opened.region_of(side, b) == region) own += static_cast<long double>(opened.shapes[side].blocks[b].self);
  return own / static_cast<long double>(std::max<int64_t>(opened.regions[region].iterations[side], 1));
}

/// Tested at the top by one compiler, at the bottom by another: passes that leave from the header are turns on those
/// sides where that makes the turns per entry agree best.
void choose_turns(OpenedFunction& opened, uint32_t region) {
  Region& of = opened.regions[region];
  struct Choice {
    std::array<bool, 2> with{};
    double distance = 0;
  };
  std::optional<Choice> best;
  std::array<ShapeLoop*, 2> tops{};
  for (size_t side = 0; side < 2; ++side) tops[side] = &opened.shapes[side].loops[of.loops[side].front()];
  for (const std::array<bool, 2> with : {std::array{false, false}, {true, true}, {false, true}, {true, false}}) {
    std::array<double, 2> turns{};
    bool possible = true;
    for (size_t side = 0; side < 2; ++side) {
      if (with[side] && tops[side]->head_exits == 0) possible = false;
      turns[side] = ratio(with[side] ? tops[side]->heads : tops[side]->iterations, tops[side]->entries);
    }
    if (!possible || std::min(turns[0], turns[1]) <= 0) continue;
    const double distance = std::max(turns[0], turns[1]) / std::min(turns[0], turns[1]);
    if (!best || distance < best->distance - 1e-9) best = {with, distance};
  }
  if (!best) return;
  for (size_t side = 0; side < 2; ++side) {
    if (!best->with[side]) continue;
    of.iterations[side] += tops[side]->head_exits;
    tops[side]->iterations = tops[side]->heads;
    tops[side]->head_exits = 0;
  }
}

bool is_reshaped(const OpenedFunction& opened, const CalleeNodes& callees, uint32_t region) {
  const Region& of = opened.regions[region];
  std::array<long double, 2> turns{}, own{};
  for (size_t side = 0; side < 2; ++side) {
    turns[side] = static_cast<long double>(of.iterations[side]) /
                  static_cast<long double>(std::max<int64_t>(of.entries[side], 1));
    own[side] = own_per_iteration(opened, side, region);
  }
  const size_t dear = turns[0] > turns[1] ? 1 : 0;
  if (turns[dear] <= 0 || turns[1 - dear] < kMuchMore * turns[dear] || own[dear] < (1 + kMatters) * own[1 - dear])
    return false;
  const auto base = calls_per_entry(opened, callees, 0, region), head = calls_per_entry(opened, callees, 1, region);
  const auto agree = [](const auto& a, const auto& b) {
    return std::all_of(a.begin(), a.end(), [&](const auto& one) {
      const auto other = b.find(one.first);
      return other != b.end() && std::abs(one.second - other->second) <= kSame * std::max(one.second, other->second);
    });
  };
  return agree(base, head) && agree(head, base);
}

}  // namespace

void find_reshaped(OpenedFunction& opened, const CalleeNodes& callees) {
  for (uint32_t r = 1; r < opened.regions.size(); ++r) {
    if (!opened.regions[r].on_both() || opened.is_knot(r)) continue;
    choose_turns(opened, r);
    opened.regions[r].reshaped = is_reshaped(opened, callees, r);
  }
}

}  // namespace icount
