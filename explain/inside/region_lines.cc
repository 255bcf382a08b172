#include "icount/explain/inside/region_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "icount/base/checked.h"
#include "icount/callgraph/name_parts.h"
#include "icount/explain/inside/inside_causes.h"

namespace icount {
namespace {

constexpr double kNoChange = 1e-6;

}  // namespace

long double iteration_part(const OpenedFunction& opened, size_t side, uint32_t region, uint32_t block) {
  if (region == 0 || opened.regions[region].reshaped || block != opened.header_of(side, region)) return 1;
  const ShapeLoop& loop = opened.shapes[side].loops[opened.regions[region].loops[side].front()];
  return loop.heads <= 0 ? 1 : static_cast<long double>(loop.iterations) / static_cast<long double>(loop.heads);
}

LineKey line_of_block(const OpenedFunction& opened, uint32_t block, bool last,
                      LineKey (OpenedFunction::*line_of)(size_t, const Instruction&) const) {
  for (const size_t side : {size_t{1}, size_t{0}}) {
    const ShapeBlock& one = opened.shapes[side].blocks[block];
    if (one.end == one.first) continue;
    const Instruction& at = opened.shapes[side].flow.instructions[last ? one.end - 1 : one.first];
    const LineKey line = (opened.*line_of)(side, at);
    if (line.second != 0) return line;
  }
  return {};
}

std::vector<std::string> loop_names(const OpenedFunction& opened) {
  std::vector<LoopPlace> places(1);
  std::vector<int> depths(1, 0);
  std::map<std::string, std::vector<uint32_t>> regions_at;
  for (uint32_t r = 1; r < opened.regions.size(); ++r) {
    const size_t side = opened.regions[r].loops[1].empty() ? 0 : 1;
    places.push_back(opened.place_of(r));
    depths.push_back(opened.shapes[side].loops[opened.regions[r].loops[side].front()].depth);
    if (!opened.regions[r].measuring) regions_at[places.back().text()].push_back(r);
  }
  std::vector<std::string> names(opened.regions.size(), "measuring loop");
  names[0].clear();
  for (const auto& [text, regions] : regions_at)
    for (const uint32_t r : regions) {
      names[r] = "loop at " + text;
      if (regions.size() == 1 || places[r].first_line == 0) continue;
      const auto same_depth =
          std::count_if(regions.begin(), regions.end(), [&](uint32_t other) { return depths[other] == depths[r]; });
      const auto not_behind = std::count_if(regions.begin(), regions.end(), [&](uint32_t other) {
        return std::pair(places[other].address, other) <= std::pair(places[r].address, r);
      });
      names[r] += same_depth > 1 ? fmt::format(" ({} of {} there)", not_behind, regions.size())
                                 : fmt::format(" (nested {} deep)", depths[r]);
    }
  return names;
}

std::vector<CauseLine> lines_of_region(const OpenedFunction& opened, uint32_t region,
                                       const std::array<long double, 2>& times) {
  std::map<std::pair<LineKey, bool>, CauseLine> lines;  // whether the line is base's alone
  for (size_t side = 0; side < 2; ++side) {
    if (times[side] <= 0) continue;
    const FunctionShape& shape = opened.shapes[side];
    for (uint32_t b = 0; b < shape.blocks.size(); ++b) {
      if (opened.region_of(side, b) != region) continue;
      const long double part = iteration_part(opened, side, region, b);
      for (uint32_t i = shape.blocks[b].first; i < shape.blocks[b].end; ++i) {
        const Instruction& one = shape.flow.instructions[i];
        LineKey key = opened.line_of(side, one);
        bool alone = false;
        if (side == 0) {
          const auto there = opened.lines.find(key);
          alone = there == opened.lines.end();
          if (!alone) key = there->second;
        }
        CauseLine& line = lines[{key, alone}];
        line.file = key.first;
        line.line = key.second;
        if (const auto guessed = opened.guessed_lines.find(key);
            side == 0 && !alone && guessed != opened.guessed_lines.end()) {
          line.base_file = opened.code[0]->files[one.file];
          line.base_line = one.line;
          line.is_certain = guessed->second;
        }
        if (one.inlined != 0 && line.inlined.empty()) line.inlined = opened.code[side]->inlined[one.inlined - 1].name;
        (side == 0 ? line.base : line.head) +=
            static_cast<double>(static_cast<long double>(one.self) * part / times[side]);
      }
    }
  }
  std::vector<CauseLine> changed;
  for (auto& [key, line] : lines)
    if (std::abs(line.head - line.base) > kNoChange) changed.push_back(std::move(line));
  std::stable_sort(changed.begin(), changed.end(), [](const CauseLine& a, const CauseLine& b) {
    return std::abs(a.head - a.base) > std::abs(b.head - b.base);
  });
  return changed;
}

namespace {

class ListingMaker {
 public:
  ListingMaker(const OpenedFunction& opened, const CalleeNodes& of_callee, const std::vector<std::string>& callee_names)
      : opened_(opened), of_callee_(of_callee), callee_names_(callee_names), loops_(loop_names(opened)) {}

  FunctionListing make(const std::string& function, const BothSides& calls, const BothSides& self) {
    listing_.function = function;
    BothSides known{};
    for (size_t side = 0; side < 2; ++side)
      for (const ShapeBlock& block : opened_.shapes[side].blocks) known[side] = saturating_add(known[side], block.self);
    add_cost(0, "self cost per call", self, calls);
    add(1, "calls", calls, {1, 1});
    if (known != self) add_cost(1, "without an address", {self[0] - known[0], self[1] - known[1]}, calls);
    add_cost(1, opened_.regions.size() > 1 ? "outside its loops" : "own lines", own_of(0), calls);
    add_lines(2, 0, calls);
    add_loops(1, 0, calls);
    add_whole_lines();
    return std::move(listing_);
  }

 private:
  void add(int indent, std::string label, const BothSides& total, const BothSides& per) {
    ListingRow row;
    row.indent = indent;
    row.label = std::move(label);
    row.total = total;
    for (size_t side = 0; side < 2; ++side)
      row.per[side] = per[side] > 0 ? static_cast<double>(total[side]) / static_cast<double>(per[side]) : 0;
    listing_.rows.push_back(std::move(row));
  }

  void add_cost(int indent, std::string label, const BothSides& total, const BothSides& per) {
    add(indent, std::move(label), total, per);
    listing_.rows.back().is_cost = true;
  }

  ListedPlace place_of(size_t side, const Instruction& one) const {
    return {opened_.code[side]->files[one.file], one.line};
  }

  /// A line's row: what it comes to in one region.
  struct RegionLine {
    BothSides self{}, executions{};
    std::array<ListedPlace, 2> places;
  };

  BothSides own_of(uint32_t region) const {
    BothSides own{};
    for (size_t side = 0; side < 2; ++side)
      for (uint32_t b = 0; b < opened_.shapes[side].blocks.size(); ++b)
        if (opened_.region_of(side, b) == region) own[side] += opened_.shapes[side].blocks[b].self;
    return own;
  }

  void add_lines(int indent, uint32_t region, const BothSides& per) {
    std::map<std::pair<LineKey, bool>, RegionLine> lines;  // and whether the line is only base's
    std::map<std::string, BothSides> calls;
    for (size_t side = 0; side < 2; ++side) {
      const FunctionShape& shape = opened_.shapes[side];
      auto call = shape.flow.calls.begin();
      for (uint32_t b = 0; b < shape.blocks.size(); ++b) {
        const ShapeBlock& block = shape.blocks[b];
        if (opened_.region_of(side, b) != region) continue;
        for (uint32_t i = block.first; i < block.end; ++i) {
          const Instruction& one = shape.flow.instructions[i];
          LineKey key = opened_.line_of(side, one);
          const auto there = opened_.lines.find(key);
          const bool unmatched = side == 0 && there == opened_.lines.end();
          if (side == 0 && !unmatched) key = there->second;
          RegionLine& line = lines[{key, unmatched && !opened_.same_code && key.second != 0}];
          line.self[side] = saturating_add(line.self[side], one.self);
          line.executions[side] = std::max(line.executions[side], one.executions);
          const ListedPlace place = place_of(side, one);
          if (line.places[side].line == 0 || place.line < line.places[side].line) line.places[side] = place;
        }
        while (call != shape.flow.calls.end() && call->from < block.first) ++call;
        for (; call != shape.flow.calls.end() && call->from < block.end; ++call)
          if (call->callee < of_callee_[side].size() && of_callee_[side][call->callee] != kNoFunction) {
            int64_t& sum = calls[callee_names_[of_callee_[side][call->callee]]][side];
            sum = saturating_add(sum, call->calls);
          }
      }
    }
    for (auto& [line_and_side, line] : lines) {
      const LineKey& key = line_and_side.first;
      add_cost(indent, key.second == 0 ? "no line" : "", line.self, per);
      ListingRow& row = listing_.rows.back();
      row.executions = line.executions;
      if (key.second == 0) continue;
      row.file = key.first;
      row.line = key.second;
      row.places = std::move(line.places);
    }
    for (const auto& [name, times] : calls) add(indent, "calls " + name, times, per);
  }

  /// The loops right inside `around`; head's nesting where the sides differ.
  void add_loops(int indent, uint32_t around, const BothSides& per) {
    for (uint32_t r = 1; r < opened_.regions.size(); ++r) {
      const Region& region = opened_.regions[r];
      if ((region.loops[1].empty() ? region.parent[0] : region.parent[1]) != around) continue;
      add(indent, loops_[r] + ": entered", region.entries, per);
      add(indent + 1, "iterations per entry", region.iterations, region.entries);
      add_cost(indent + 1, "self cost per iteration", own_of(r), region.iterations);
      add_lines(indent + 2, r, region.iterations);
      add_loops(indent + 1, r, region.iterations);
    }
  }

  /// Lines of the whole function side by side, and its loops.
  void add_whole_lines() {
    std::array<std::map<LineKey, ListedLine>, 2> whole;
    for (size_t side = 0; side < 2; ++side)
      for (const Instruction& one : opened_.shapes[side].flow.instructions) {
        if (one.line == 0) continue;
        ListedLine& line = whole[side][opened_.line_of(side, one)];
        line.place = place_of(side, one);
        line.executions = std::max(line.executions, one.executions);
        line.self = saturating_add(line.self, one.self);
      }
    for (const auto& [base, head] : opened_.lines) {
      const auto in_base = whole[0].find(base), in_head = whole[1].find(head);
      if (in_base != whole[0].end() && in_head != whole[1].end())
        listing_.same_lines.emplace_back(in_base->second.place, in_head->second.place);
    }
    for (size_t side = 0; side < 2; ++side)
      for (auto& [key, line] : whole[side]) listing_.lines[side].push_back(std::move(line));
    for (uint32_t r = 1; r < opened_.regions.size(); ++r) {
      const Region& region = opened_.regions[r];
      const LoopPlace place = opened_.place_of(r);
      listing_.loops.push_back({.file = std::string(base_of_path(place.file)),
                                .first_line = place.first_line,
                                .last_line = place.last_line,
                                .depth = depth_of(r),
                                .in_head = !region.loops[1].empty(),
                                .entries = region.entries,
                                .iterations = region.iterations,
                                .self = own_of(r)});
    }
  }

  int depth_of(uint32_t region) const {
    int depth = 0;
    for (; region != 0; ++depth) {
      const Region& at = opened_.regions[region];
      region = at.loops[1].empty() ? at.parent[0] : at.parent[1];
    }
    return depth;
  }

  const OpenedFunction& opened_;
  const CalleeNodes& of_callee_;
  const std::vector<std::string>& callee_names_;
  std::vector<std::string> loops_;
  FunctionListing listing_;
};

}  // namespace

FunctionListing make_listing(const OpenedFunction& opened, const std::string& function, const BothSides& calls,
                             const BothSides& self, const CalleeNodes& of_callee,
                             const std::vector<std::string>& callee_names) {
  if (!opened.closed.empty()) return {.function = function, .closed = opened.closed};
  return ListingMaker(opened, of_callee, callee_names).make(function, calls, self);
}

}  // namespace icount
