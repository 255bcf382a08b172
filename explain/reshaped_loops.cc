#include "icount/explain/reshaped_loops.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace icount {
namespace {

// So many times fewer iterations, each so many times dearer, with calls that differ by no more.
constexpr long double kFewer = 1.8L, kDearer = 1.25L, kSameCalls = 0.02L;

double ratio(int64_t of, int64_t per) {
  return static_cast<double>(of) / static_cast<double>(std::max<int64_t>(per, 1));
}

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
  if (turns[dear] <= 0 || turns[1 - dear] < kFewer * turns[dear] || own[dear] < kDearer * own[1 - dear]) return false;
  const auto base = calls_per_entry(opened, callees, 0, region), head = calls_per_entry(opened, callees, 1, region);
  const auto agree = [](const auto& a, const auto& b) {
    return std::all_of(a.begin(), a.end(), [&](const auto& one) {
      const auto other = b.find(one.first);
      return other != b.end() &&
             std::abs(one.second - other->second) <= kSameCalls * std::max(one.second, other->second);
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
