#include "icount/explain/inside_listing.h"

#include <algorithm>
#include <map>

#include "icount/base/checked.h"
#include "icount/callgraph/name_parts.h"
#include "icount/explain/inside_causes.h"

namespace icount {
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
