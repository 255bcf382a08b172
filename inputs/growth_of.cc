#include "icount/inputs/growth_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "icount/base/checked.h"
#include "icount/base/error.h"
#include "icount/inputs/load_asm.h"

namespace icount {
namespace {

// Functions with less of the cost at the largest size are left to the rest; so are their loops.
constexpr double kShown = 0.01;

using FunctionKey = std::pair<std::string, std::string>;  // name, file
using LoopKey = std::pair<std::string, uint64_t>;         // file, line

/// The functions of one graph with one name and file, and what they cost together.
struct Found {
  std::vector<FunctionIndex> functions;
  int64_t cost = 0;
};

std::map<FunctionKey, Found> functions_of(const CostGraph& graph, size_t event) {
  std::map<FunctionKey, Found> found;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) {
    Found& one = found[{std::string(graph.name(f)), std::string(graph.file(f))}];
    one.functions.push_back(f);
    one.cost = saturating_add(one.cost, graph.self_of(f, event));
  }
  return found;
}

/// The first line of a loop: of what is written in its head's file and inlined as its head is. Compilers move the test
/// to the loop's end.
LoopKey place_of(const ShownShape& shown, const ShapeLoop& loop) {
  const auto& instructions = shown.shape.flow.instructions;
  const Instruction& head = instructions[shown.shape.blocks[loop.header].first];
  uint64_t first = head.line;
  for (const uint32_t block : loop.blocks)
    for (uint32_t i = shown.shape.blocks[block].first; i < shown.shape.blocks[block].end; ++i) {
      const Instruction& one = instructions[i];
      if (one.line != 0 && one.file == head.file && one.inlined == head.inlined) first = std::min(first, one.line);
    }
  return {shown.files[head.file], first};
}

/// Iterations of the loops of a function whose inside is known.
std::map<LoopKey, int64_t> loops_of(const CostGraph& graph, size_t event, const Found& function) {
  std::map<LoopKey, int64_t> loops;
  for (const ShownShape& shown : make_shapes(graph, event, function.functions))
    for (const ShapeLoop& loop : shown.shape.loops) {
      const LoopKey place = place_of(shown, loop);
      if (place.second == 0) continue;
      int64_t& iterations = loops[place];
      iterations = saturating_add(iterations, loop.iterations);
    }
  return loops;
}

/// Those that are known at every size.
std::vector<GrowingLoop> growing_loops(std::span<const int64_t> sizes, std::span<const std::map<LoopKey, int64_t>> at) {
  std::vector<GrowingLoop> loops;
  for (const auto& [key, most] : at.back()) {
    GrowingLoop loop{.file = key.first, .line = key.second};
    for (const auto& known : at) {
      const auto one = known.find(key);
      if (one != known.end()) loop.iterations.push_back(one->second);
    }
    if (loop.iterations.size() != sizes.size()) continue;
    loop.fit = fit_growth(sizes, loop.iterations);
    loops.push_back(std::move(loop));
  }
  std::stable_sort(loops.begin(), loops.end(), [](const GrowingLoop& a, const GrowingLoop& b) {
    return a.iterations.back() > b.iterations.back();
  });
  return loops;
}

}  // namespace

Growth make_growth(std::string label, std::string event, std::vector<int64_t> sizes,
                   std::span<const std::shared_ptr<const CostGraph>> graphs) {
  ICOUNT_CHECK(sizes.size() == graphs.size(), "each size has its graph");
  Growth growth{.label = std::move(label), .event = std::move(event), .sizes = std::move(sizes)};
  std::vector<size_t> events;
  std::vector<std::map<FunctionKey, Found>> found;
  for (const auto& graph : graphs) {
    const auto index = graph->event_index(growth.event);
    if (!index) throw Error(ErrorKind::kCannotJudge, fmt::format("a count has no event {}", growth.event));
    events.push_back(*index);
    growth.costs.push_back(graph->totals[*index]);
    found.push_back(functions_of(*graph, *index));
  }
  growth.whole = fit_growth(growth.sizes, growth.costs);
  for (const auto& [key, last] : found.back()) {
    if (static_cast<double>(last.cost) < kShown * static_cast<double>(growth.costs.back())) continue;
    GrowingFunction function{.name = key.first, .file = key.second};
    std::vector<std::map<LoopKey, int64_t>> loops;
    for (size_t i = 0; i < found.size(); ++i) {
      const auto one = found[i].find(key);
      function.costs.push_back(one == found[i].end() ? 0 : one->second.cost);
      loops.push_back(one == found[i].end() ? std::map<LoopKey, int64_t>()
                                            : loops_of(*graphs[i], events[i], one->second));
    }
    function.fit = fit_growth(growth.sizes, function.costs);
    function.loops = growing_loops(growth.sizes, loops);
    growth.functions.push_back(std::move(function));
  }
  std::stable_sort(growth.functions.begin(), growth.functions.end(),
                   [](const GrowingFunction& a, const GrowingFunction& b) { return a.costs.back() > b.costs.back(); });
  return growth;
}

}  // namespace icount
