#include "icount/shapes/loop_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "icount/base/checked.h"
#include "icount/callgraph/name_parts.h"

namespace icount {
namespace {

struct FileLines {
  std::set<uint64_t> lines;
  int64_t executions = 0;

  void add(const Instruction& one) {
    lines.insert(one.line);
    executions = saturating_add(executions, std::max<int64_t>(one.executions, 1));
  }
};
using LinesByFile = std::map<std::string_view, FileLines>;

/// The own file, or the one that was executed most.
const LinesByFile::value_type& choose_file(const LinesByFile& by_file, std::string_view own) {
  if (const auto found = by_file.find(own); found != by_file.end()) return *found;
  return *std::max_element(by_file.begin(), by_file.end(),
                           [](const auto& a, const auto& b) { return a.second.executions < b.second.executions; });
}

}  // namespace

std::string LoopPlace::text() const {
  if (first_line == 0) return fmt::format("{:#x}", address);
  if (first_line == last_line) return fmt::format("{}:{}", file, first_line);
  return fmt::format("{}:{}-{}", file, first_line, last_line);
}

LoopPlace loop_place(const FunctionShape& shape, uint32_t loop, const std::vector<std::string>& files,
                     std::string_view own_file,
                     const std::function<bool(std::string_view file, uint64_t line)>& counts) {
  const ShapeLoop& of = shape.loops[loop];
  LoopPlace place;
  place.address = shape.blocks[of.header].address;
  LinesByFile decisive, all;
  auto call = shape.flow.calls.begin();
  for (const uint32_t b : of.blocks) {
    const ShapeBlock& block = shape.blocks[b];
    const auto edges = std::equal_range(shape.edges.begin(), shape.edges.end(), ShapeEdge{b, 0, 0},
                                        [](const ShapeEdge& x, const ShapeEdge& y) { return x.from < y.from; });
    bool decides = edges.second - edges.first > 1;
    for (auto edge = edges.first; edge != edges.second; ++edge) decides = decides || edge->to == of.header;
    for (uint32_t i = block.first; i < block.end; ++i) {
      const Instruction& one = shape.flow.instructions[i];
      while (call != shape.flow.calls.end() && call->from < i) ++call;
      const bool calls = call != shape.flow.calls.end() && call->from == i;
      const std::string_view file = base_of_path(files[one.file]);
      if (one.line == 0 || (counts && !counts(file, one.line))) continue;
      all[file].add(one);
      if (calls || (decides && i + 1 == block.end)) decisive[file].add(one);
    }
  }
  const std::string_view own = base_of_path(own_file);
  const bool enough = !decisive.empty() && (decisive.contains(own) || !all.contains(own));
  const LinesByFile& chosen = enough ? decisive : all;
  if (chosen.empty()) return place;
  const auto& [file, lines] = choose_file(chosen, own);
  place.file = file;
  place.first_line = *lines.lines.begin();
  place.last_line = *lines.lines.rbegin();
  return place;
}

}  // namespace icount
