#include "icount/explain/inside_listing.h"

#include <map>

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
      for (const ShapeBlock& block : opened_.shapes[side].blocks) known[side] += block.self;
    add(0, "self cost per call", self, calls);
    add(1, "calls", calls, {1, 1});
    if (known != self) add(1, "without an address", {self[0] - known[0], self[1] - known[1]}, calls);
    add(1, opened_.regions.size() > 1 ? "outside its loops" : "own lines", own_of(0), calls);
    add_lines(2, 0, calls);
    add_loops(1, 0, calls);
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

  BothSides own_of(uint32_t region) const {
    BothSides own{};
    for (size_t side = 0; side < 2; ++side)
      for (uint32_t b = 0; b < opened_.shapes[side].blocks.size(); ++b)
        if (opened_.region_of(side, b) == region) own[side] += opened_.shapes[side].blocks[b].self;
    return own;
  }

  void add_lines(int indent, uint32_t region, const BothSides& per) {
    std::map<LineKey, BothSides> lines;
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
          if (const auto there = opened_.lines.find(key); side == 0 && there != opened_.lines.end())
            key = there->second;
          lines[key][side] += one.self;
        }
        while (call != shape.flow.calls.end() && call->from < block.first) ++call;
        for (; call != shape.flow.calls.end() && call->from < block.end; ++call)
          if (call->callee < of_callee_[side].size() && of_callee_[side][call->callee] != kNoFunction)
            calls[callee_names_[of_callee_[side][call->callee]]][side] += call->calls;
      }
    }
    for (const auto& [key, total] : lines) {
      add(indent, key.second == 0 ? "no line" : "", total, per);
      if (key.second == 0) continue;
      listing_.rows.back().file = key.first;
      listing_.rows.back().line = key.second;
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
      add(indent + 1, "self cost per iteration", own_of(r), region.iterations);
      add_lines(indent + 2, r, region.iterations);
      add_loops(indent + 1, r, region.iterations);
    }
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
  if (!opened.closed.empty()) return {function, {}, opened.closed};
  return ListingMaker(opened, of_callee, callee_names).make(function, calls, self);
}

}  // namespace icount
