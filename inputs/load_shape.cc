#include "icount/inputs/load_shape.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/text.h"
#include "icount/callgrind/code_reader.h"
#include "icount/explain/inside/opened_function.h"

namespace icount {
namespace {

std::vector<ShownShape> shapes_of(const CostGraph& graph, const ProfileCode& code, size_t event,
                                  std::span<const FunctionIndex> functions, const std::string& unknown, bool saved) {
  const FoldedGraph folded = fold_graph(graph, event, false);
  std::vector<ShownShape> shapes;
  for (const uint32_t function : chosen_functions(folded, functions)) {
    const FoldedFunction& of = folded.functions[function];
    ShownShape shown{.name = std::string(of.name),
                     .file = std::string(of.file),
                     .object = std::string(of.object),
                     .event = graph.events[event],
                     .self = of.self,
                     .shape = make_shape(flow_of_function(folded, code, function)),
                     .files = code.files};
    if (code.functions.empty()) {
      shown.shape.closed = unknown;
    } else if (std::string why = saved ? why_not_kept(folded, code, function) : std::string(); !why.empty()) {
      shown.shape.closed = std::move(why);
    }
    shapes.push_back(std::move(shown));
  }
  return shapes;
}

}  // namespace

std::string why_no_insides(const LoadedProfile& profile) {
  if (profile.stacks) return "the profile has contexts (--separate-callers)";
  return std::string(profile.has_addresses ? "the profile has no jumps" : "the profile has no addresses") +
         "; profile with --dump-instr=yes --collect-jumps=yes";
}

std::string why_not_kept(const FoldedGraph& folded, const ProfileCode& code, uint32_t function) {
  for (const FunctionCode& one : code.functions)
    if (folded.folded_of[one.function] == function) return {};
  const FoldedFunction& of = folded.functions[function];
  const int64_t total = folded.graph->totals[folded.event];
  if (static_cast<double>(of.self) < kCostlyPart * static_cast<double>(total))
    return fmt::format(
        "results keep what happens inside functions that have at least a thousandth of the cost; its self cost is {} "
        "of {}",
        with_thousands(of.self), with_thousands(total));
  return "the result does not keep what happens inside it: not all of its self cost was recorded with its addresses";
}

std::vector<uint32_t> chosen_functions(const FoldedGraph& folded, std::span<const FunctionIndex> functions) {
  std::vector<uint32_t> chosen;
  for (const FunctionIndex f : functions)
    if (std::find(chosen.begin(), chosen.end(), folded.folded_of[f]) == chosen.end())
      chosen.push_back(folded.folded_of[f]);
  const auto self = [&](uint32_t function) { return folded.functions[function].self; };
  std::stable_sort(chosen.begin(), chosen.end(), [&](uint32_t a, uint32_t b) { return self(a) > self(b); });
  return chosen;
}

std::vector<ShownShape> load_shapes(const FileBytes& file, std::string_view name, const LoadedProfile& profile,
                                    size_t event, std::span<const FunctionIndex> functions) {
  return shapes_of(profile.graph, read_inside(file, name, profile, functions), event, functions,
                   why_no_insides(profile), false);
}

std::vector<ShownShape> make_shapes(const CostGraph& graph, size_t event, std::span<const FunctionIndex> functions) {
  return shapes_of(graph, graph.code ? *graph.code : ProfileCode(), event, functions, kSavedWithoutInsides, true);
}

}  // namespace icount
