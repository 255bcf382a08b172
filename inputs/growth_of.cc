#include "icount/inputs/growth_of.h"

#include <algorithm>
#include <map>
#include <utility>

#include "icount/base/checked.h"
#include "icount/inputs/load_asm.h"
#include "icount/store/result_file.h"

namespace icount {
namespace {

// Functions with less of the cost at the largest size are left to the rest, but for those that outgrow it: they will be
// the cost at a larger one.
constexpr double kShown = 0.01, kLeast = 0.0001, kOutgrows = 1.5;
// Beyond, a small function is no law but a first call at the largest size.
constexpr double kLaw = 4;

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

std::optional<SizedKey> parse_sized_key(const std::string& key, std::string_view pattern) {
  constexpr std::string_view kBetweenParts = " / ";
  const size_t end = key.rfind(kBetweenParts);
  if (end == std::string::npos) return std::nullopt;
  const auto size = size_in_name(std::string_view(key).substr(end + kBetweenParts.size()), pattern);
  return size ? std::optional(SizedKey{key.substr(0, end), *size}) : std::nullopt;
}

std::optional<SizedCount> sized_count(int64_t size, const Result& result, std::shared_ptr<const CostGraph> graph) {
  const auto median = median_count(result);
  if (!result.ok() || !median) return std::nullopt;
  const int64_t runs = std::max<int64_t>(result.number_per_run, 1);
  return SizedCount{size, *median / runs, std::move(graph), runs};
}

Growth make_growth(std::string label, std::string event, std::span<const SizedCount> counts) {
  Growth growth{.label = std::move(label), .event = std::move(event)};
  std::vector<std::map<FunctionKey, Found>> found;
  std::vector<size_t> events;
  for (const SizedCount& count : counts) {
    growth.sizes.push_back(count.size);
    growth.costs.push_back(count.cost);
    const auto index = count.graph ? count.graph->event_index(growth.event) : std::nullopt;
    if (!index) continue;
    events.push_back(*index);
    found.push_back(functions_of(*count.graph, *index));
  }
  growth.whole = fit_growth(growth.sizes, growth.costs);
  if (found.size() < counts.size()) return growth;
  for (const auto& [key, last] : found.back()) {
    GrowingFunction function{.name = key.first, .file = key.second};
    for (size_t i = 0; i < found.size(); ++i) {
      const auto one = found[i].find(key);
      function.costs.push_back(one == found[i].end() ? 0 : one->second.cost / counts[i].runs);
    }
    const double share = growth.share(function);
    if (share < kLeast) continue;
    function.fit = fit_growth(growth.sizes, function.costs);
    const double least = function.fit.is_constant ? 0 : function.fit.least_part_exponent;
    if (share < kShown && (least < kOutgrows || least > kLaw)) continue;
    std::vector<std::map<LoopKey, int64_t>> loops;
    for (size_t i = 0; i < found.size(); ++i) {
      const auto one = found[i].find(key);
      loops.push_back(one == found[i].end() ? std::map<LoopKey, int64_t>()
                                            : loops_of(*counts[i].graph, events[i], one->second));
      for (auto& [place, iterations] : loops.back()) iterations /= counts[i].runs;
    }
    function.loops = growing_loops(growth.sizes, loops);
    growth.functions.push_back(std::move(function));
  }
  std::stable_sort(growth.functions.begin(), growth.functions.end(),
                   [](const GrowingFunction& a, const GrowingFunction& b) { return a.costs.back() > b.costs.back(); });
  return growth;
}

std::vector<Growth> find_growths(const ResultFile& file, std::string_view name) {
  std::map<std::string, std::map<int64_t, const Result*>> groups;
  for (const Result& result : file.results)
    if (const auto sized = parse_sized_key(result_key(result)); sized && result.ok())
      groups[sized->key].emplace(sized->size, &result);
  std::vector<Growth> growths;
  for (const auto& [key, group] : groups) {
    std::vector<SizedCount> counts;
    for (const auto& [size, result] : group)
      if (auto count = sized_count(size, *result, unpack_graph(*result, name))) counts.push_back(std::move(*count));
    if (counts.size() >= kLeastSizes) growths.push_back(make_growth(key, group.begin()->second->event, counts));
  }
  return growths;
}

}  // namespace icount
