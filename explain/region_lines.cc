#include "icount/explain/region_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace icount {
namespace {

constexpr double kNoChange = 1e-6;

}  // namespace

long double iteration_part(const OpenedFunction& opened, size_t side, uint32_t region, uint32_t block) {
  if (region == 0 || opened.regions[region].reshaped || block != opened.header_of(side, region)) return 1;
  const ShapeLoop& loop = opened.shapes[side].loops[opened.regions[region].loops[side].front()];
  return loop.heads <= 0 ? 1 : static_cast<long double>(loop.iterations) / static_cast<long double>(loop.heads);
}

LineKey line_of_block(const OpenedFunction& opened, uint32_t block, bool last) {
  for (const size_t side : {size_t{1}, size_t{0}}) {
    const ShapeBlock& one = opened.shapes[side].blocks[block];
    if (one.end == one.first) continue;
    const LineKey line = opened.line_of(side, opened.shapes[side].flow.instructions[last ? one.end - 1 : one.first]);
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
      names[r] +=
          same_depth > 1 ? fmt::format(" ({:#x})", places[r].address) : fmt::format(" (nested {} deep)", depths[r]);
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

}  // namespace icount
