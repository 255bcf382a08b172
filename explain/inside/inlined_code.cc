#include "icount/explain/inside/inlined_code.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "icount/base/checked.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/inside/opened_function.h"
#include "icount/explain/inside/region_lines.h"
#include "icount/explain/weights.h"
#include "icount/shapes/function_shape.h"

namespace icount {
namespace {

using Path = std::vector<std::string_view>;

/// Names from the outermost inlined function inwards.
Path path_of(const ProfileCode& code, const std::vector<uint32_t>& chain) {
  Path path;
  for (const uint32_t at : chain) path.push_back(code.inlined[at - 1].name);
  return path;
}

/// What is inlined along one path: its cost alone, and by side the lines that frame_to_name() of it is called from.
struct PathCost {
  std::array<long double, 2> cost{};
  std::array<std::set<uint64_t>, 2> call_lines;
  size_t of_library = 0;  ///< how much of the path leads to frame_to_name(), where that is the standard library's
  long double change() const { return cost[1] - cost[0]; }
};
using CostByPath = std::map<Path, PathCost>;

void name_frame(const OpenedFunction& opened, size_t side, const std::vector<uint32_t>& chain, PathCost& cost) {
  const uint32_t named = opened.frame_to_name(side, chain);
  const InlinedCode& one = opened.code[side]->inlined[named - 1];
  cost.call_lines[side].insert(one.call_line);
  if (is_library_file(opened.code[side]->files[one.file]))
    cost.of_library = static_cast<size_t>(std::find(chain.begin(), chain.end(), named) - chain.begin()) + 1;
}

CostByPath costs_of_region(const OpenedFunction& opened, uint32_t region, const std::array<long double, 2>& times) {
  CostByPath costs;
  costs[{}];
  for (size_t side = 0; side < 2; ++side) {
    const FunctionShape& shape = opened.shapes[side];
    std::map<uint32_t, PathCost*> known;
    for (uint32_t b = 0; b < shape.blocks.size(); ++b) {
      if (opened.region_of(side, b) != region) continue;
      const long double part = iteration_part(opened, side, region, b);
      for (uint32_t i = shape.blocks[b].first; i < shape.blocks[b].end; ++i) {
        const Instruction& one = shape.flow.instructions[i];
        PathCost*& at = known[one.inlined];
        if (!at) {
          const std::vector<uint32_t> chain = inlined_chain(*opened.code[side], one.inlined);
          at = &costs[path_of(*opened.code[side], chain)];
          if (!chain.empty()) name_frame(opened, side, chain, *at);
        }
        at->cost[side] += static_cast<long double>(one.self) * part / times[side];
      }
    }
  }
  return costs;
}

void move_into(CostByPath& costs, const Path& from, const Path& to) {
  const PathCost moved = costs.at(from);
  PathCost& into = costs[to];
  for (size_t side = 0; side < 2; ++side) {
    into.cost[side] += moved.cost[side];
    if (!to.empty()) into.call_lines[side].insert(moved.call_lines[side].begin(), moved.call_lines[side].end());
  }
  if (to.size() >= moved.of_library) into.of_library = moved.of_library;
  costs.erase(from);
}

/// Gives what is too small to be told to the function around it, the deepest first.
void fold_small_parts(CostByPath& costs) {
  long double gross = 0;
  for (const auto& [path, cost] : costs) gross += std::abs(cost.change());
  std::vector<Path> order;
  for (const auto& [path, cost] : costs)
    if (!path.empty()) order.push_back(path);
  std::stable_sort(order.begin(), order.end(), [](const Path& a, const Path& b) { return a.size() > b.size(); });
  for (size_t i = 0; i < order.size(); ++i) {  // grows while it is walked
    const PathCost& cost = costs.at(order[i]);
    if (std::abs(cost.change()) >= kPart * gross && cost.change() != 0) continue;
    Path around = order[i];
    around.pop_back();
    if (!costs.contains(around)) order.push_back(around);
    move_into(costs, order[i], around);
  }
}

/// Gives what several inlined functions of the standard library do to the one around them that the program calls,
/// unless one of them does nearly all of it.
void join_library_parts(CostByPath& costs) {
  std::map<Path, std::vector<Path>> parts;
  for (const auto& [path, cost] : costs) {
    const auto end = path.begin() + static_cast<std::ptrdiff_t>(cost.of_library);
    if (cost.of_library > 0) parts[Path(path.begin(), end)].push_back(path);
  }
  for (const auto& [called, paths] : parts) {
    long double sum = 0, most = 0;
    for (const Path& path : paths) {
      sum += costs.at(path).change();
      most = std::max(most, std::abs(costs.at(path).change()));
    }
    if (most >= kNearlyAll * std::abs(sum)) continue;
    for (const Path& path : paths)
      if (path != called) move_into(costs, path, called);
  }
}

/// By name, as the head has it or else the base.
CauseInlined function_called(const OpenedFunction& opened, std::string_view name) {
  for (const size_t side : {size_t{1}, size_t{0}})
    for (const InlinedCode& one : opened.code[side]->inlined)
      if (one.name == name) return {one.name, std::string(base_of_path(opened.code[side]->files[one.file])), one.line};
  return {std::string(name), {}, 0};
}

/// A symbol's name has its parameters.
bool has_symbol(std::string_view name) { return name.find('(') != std::string_view::npos; }

}  // namespace

InlinedNames::InlinedNames(const ProfileCode& code) : code_(code) {
  for (uint32_t i = 0; i < code.inlined.size(); ++i) {
    const std::string name(canonical_name(code.inlined[i].name));
    by_symbol_[name].push_back(i);
    if (!has_symbol(name)) by_last_word_[std::string(last_word(plain_name(name)))].push_back(i);
  }
}

std::vector<bool> InlinedNames::inside(std::string_view name) const {
  std::vector<bool> inside(code_.inlined.size() + 1, false);
  const auto add = [&](const auto& known, const std::string& key) {
    if (const auto found = known.find(key); found != known.end())
      for (const uint32_t i : found->second) inside[i + 1] = true;
  };
  const std::string canonical(canonical_name(name));
  add(by_symbol_, canonical);
  add(by_last_word_, std::string(last_word(plain_name(canonical))));
  for (uint32_t i = 0; i < code_.inlined.size(); ++i)
    if (inside[code_.inlined[i].outer]) inside[i + 1] = true;
  return inside;
}

std::vector<uint32_t> inlined_chain(const ProfileCode& code, uint32_t inlined) {
  std::vector<uint32_t> chain;
  for (uint32_t at = inlined; at != 0; at = code.inlined[at - 1].outer) chain.push_back(at);
  std::reverse(chain.begin(), chain.end());
  return chain;
}

std::vector<InlinedPart> split_by_inlined(const OpenedFunction& opened, uint32_t region,
                                          const std::array<long double, 2>& times,
                                          const std::array<long double, 2>& own_cost) {
  if (!opened.has_names || times[0] <= 0 || times[1] <= 0) return {};
  CostByPath costs = costs_of_region(opened, region, times);
  fold_small_parts(costs);
  join_library_parts(costs);
  if (costs.size() < 2) return {};
  std::array<long double, 2> told{};
  long double gross = 0;
  for (const auto& [path, cost] : costs) {
    if (path.empty()) continue;
    gross += std::abs(cost.change());
    for (size_t side = 0; side < 2; ++side) told[side] += cost.cost[side];
  }
  // What has no address is of the rest.
  PathCost& rest = costs.at({});
  for (size_t side = 0; side < 2; ++side) rest.cost[side] = own_cost[side] - told[side];
  gross += std::abs(rest.change());
  if (gross > kCancelling * std::abs(own_cost[1] - own_cost[0])) return {};
  std::vector<CauseLine> lines = lines_of_region(opened, region, times);
  std::vector<InlinedPart> parts;
  for (const auto& [path, cost] : costs) {
    InlinedPart& part = parts.emplace_back();
    part.path = path;
    part.cost = cost.cost;
    if (!path.empty()) part.function = function_called(opened, path.back());
    const std::set<uint64_t>& call_lines = cost.call_lines[cost.call_lines[1].empty() ? 0 : 1];
    if (call_lines.size() == 1) part.call_line = *call_lines.begin();
    part.is_of_library = cost.of_library > 0;
    for (const CauseLine& line : lines)
      if (line.inlined == part.function.name) part.lines.push_back(line);
  }
  return parts;
}

namespace {

bool as_many(int64_t a, int64_t b) {
  const auto [less, more] = std::minmax({static_cast<double>(a), static_cast<double>(b)});
  return less >= kNearlyAll * more;
}

}  // namespace

std::optional<CauseLoop> find_inlined_loop(const FoldedGraph& side, const ProfileCode& code, uint32_t caller,
                                           std::string_view callee, int64_t calls) {
  if (code.inlined.empty()) return std::nullopt;
  const FunctionShape shape = make_shape(flow_of_function(side, code, caller));
  const std::vector<bool> inside = InlinedNames(code).inside(callee);
  int64_t all = 0;
  std::vector<int64_t> of_loop(shape.loops.size(), 0);
  for (const ShapeBlock& block : shape.blocks)
    for (uint32_t i = block.first; i < block.end; ++i) {
      const Instruction& one = shape.flow.instructions[i];
      if (!inside[one.inlined]) continue;
      all = saturating_add(all, one.self);
      for (uint32_t loop = block.loop; loop != kNoLoop; loop = shape.loops[loop].parent)
        of_loop[loop] = saturating_add(of_loop[loop], one.self);
    }
  std::optional<CauseLoop> found;
  for (uint32_t loop = 0; loop < shape.loops.size(); ++loop) {  // an outer one before those inside it
    if (all == 0 || static_cast<double>(of_loop[loop]) < kNearlyAll * static_cast<double>(all)) continue;
    if (as_many(shape.loops[loop].entries, calls) && !as_many(shape.loops[loop].iterations, calls)) break;
    if (is_controlled_by_stub(shape, loop, code)) continue;
    const LoopPlace place = loop_place(shape, loop, code, side.functions[caller].file);
    found = CauseLoop{place.file, place.first_line, place.last_line, place.address, shape.loops[loop].depth};
  }
  return found;
}

void place_in_loop(Cause& cause, const CauseLoop& loop) {
  auto* const inlined = std::get_if<fact::Inlined>(&cause.facts);
  if (!inlined || !inlined->callee_is_known) return;
  inlined->loop = LoopPlace{loop.file, loop.first_line, loop.last_line, loop.address}.text();
  cause.loop = loop;
}

namespace {

// A lambda whose symbol is not known: its name says nothing.
constexpr std::string_view kCallOperator = "operator()";

/// Calls inside an inlined function, those that are in others inside it included.
struct Frame {
  BothSides calls{};
  std::array<std::vector<uint32_t>, 2> chain;  ///< by side: inlined functions from the outermost to this one
};
/// By names from the outermost inlined function inwards; empty: all calls.
using Frames = std::map<std::vector<std::string_view>, Frame>;

/// A chain without the inlined functions around a loop; whole where the loop is told to be in another one.
std::vector<uint32_t> without_those_around(const OpenedFunction& opened, size_t side, std::optional<uint32_t> region,
                                           std::vector<uint32_t> chain) {
  if (!region || *region == 0) return chain;
  const uint32_t loop = opened.regions[*region].loops[side].front();
  const std::vector<uint32_t> around =
      inlined_chain(*opened.code[side], inlined_around(opened.shapes[side], loop, *opened.code[side]));
  if (around.size() > chain.size() || !std::equal(around.begin(), around.end(), chain.begin())) return chain;
  chain.erase(chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(around.size()));
  return chain;
}

void add_calls(Frames& frames, const OpenedFunction& opened, size_t side, const std::vector<uint32_t>& chain,
               int64_t calls) {
  std::vector<std::string_view> path;
  for (size_t depth = 0;; ++depth) {
    Frame& frame = frames[path];
    frame.calls[side] = saturating_add(frame.calls[side], calls);
    frame.chain[side].assign(chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(depth));
    if (depth == chain.size()) return;
    path.push_back(opened.code[side]->inlined[chain[depth] - 1].name);
  }
}

Frames frames_of_calls(const OpenedFunction& opened, const CalleeNodes& of_callee, uint32_t callee,
                       std::optional<uint32_t> region) {
  Frames frames;
  for (size_t side = 0; side < 2; ++side) {
    const FunctionShape& shape = opened.shapes[side];
    for (uint32_t b = 0; b < shape.blocks.size(); ++b) {
      if (region && opened.region_of(side, b) != *region) continue;
      for (const FlowCall& call : shape.calls_of(shape.blocks[b])) {
        if (call.callee >= of_callee[side].size() || of_callee[side][call.callee] != callee) continue;
        const uint32_t inlined = shape.flow.instructions[call.from].inlined;
        add_calls(frames, opened, side,
                  without_those_around(opened, side, region, inlined_chain(*opened.code[side], inlined)), call.calls);
      }
    }
  }
  return frames;
}

}  // namespace

std::optional<CauseInlined> inlined_around_calls(const OpenedFunction& opened, const CalleeNodes& of_callee,
                                                 uint32_t callee, std::optional<uint32_t> region) {
  if (!opened.has_names) return std::nullopt;
  const Frames frames = frames_of_calls(opened, of_callee, callee, region);
  if (frames.empty()) return std::nullopt;
  const BothSides& all = frames.at({}).calls;
  const auto weight = [&](const Frame& frame) {
    return static_cast<long double>(all[0] == all[1] ? frame.calls[0] + frame.calls[1]
                                                     : frame.calls[1] - frame.calls[0]);
  };
  const long double whole = weight(frames.at({}));
  const Frame* innermost = nullptr;
  size_t depth = 0;
  for (const auto& [path, frame] : frames) {
    if (path.size() <= depth || whole == 0 || weight(frame) / whole < kNearlyAll) continue;
    innermost = &frame;
    depth = path.size();
  }
  if (innermost == nullptr) return std::nullopt;
  const size_t side = innermost->calls[1] > 0 ? 1 : 0;
  const InlinedCode& one = opened.code[side]->inlined[opened.frame_to_name(side, innermost->chain[side]) - 1];
  if (one.name.starts_with(kCallOperator)) return std::nullopt;
  return CauseInlined{one.name, std::string(base_of_path(opened.code[side]->files[one.file])), one.call_line};
}

LineKey line_of_calls(const OpenedFunction& opened, const CalleeNodes& of_callee, uint32_t callee, uint32_t region) {
  std::map<LineKey, BothSides> lines;
  BothSides all{};
  for (size_t side = 0; side < 2; ++side) {
    const FunctionShape& shape = opened.shapes[side];
    for (uint32_t b = 0; b < shape.blocks.size(); ++b) {
      if (opened.region_of(side, b) != region) continue;
      for (const FlowCall& call : shape.calls_of(shape.blocks[b])) {
        if (call.callee >= of_callee[side].size() || of_callee[side][call.callee] != callee) continue;
        LineKey line = opened.own_line_of(side, shape.flow.instructions[call.from]);
        if (const auto there = opened.lines.find(line); side == 0 && there != opened.lines.end()) line = there->second;
        if (line.second == 0) continue;
        lines[line][side] = saturating_add(lines[line][side], call.calls);
        all[side] = saturating_add(all[side], call.calls);
      }
    }
  }
  LineKey most{};
  int64_t changed = -1;
  for (const auto& [line, calls] : lines) {
    const int64_t here = all[0] == all[1] ? calls[1] : std::abs(calls[1] - calls[0]);
    if (here <= changed) continue;
    changed = here;
    most = line;
  }
  return most;
}

}  // namespace icount
