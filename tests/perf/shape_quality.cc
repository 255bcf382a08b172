// Whether what icount finds inside functions is right for every function of a real profile (docs/inside_functions.md):
// shape_quality PROFILE. Each function's blocks come to its self cost, all control that arrives at a block is explained
// (jumps, falls, calls) but for arrivals from nowhere, of which there is one per exception, longjmp, signal and frame
// that was active at a dump, and what arrives also leaves. Prints totals; fails where one function breaks the rules or
// more than a few arrivals have no explanation. scripts/check-all insides runs it on the C++ compiler's profile.
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/callgraph/function_code.h"
#include "icount/callgrind/code_reader.h"
#include "icount/callgrind/cost_graph_builder.h"
#include "icount/callgrind/parser.h"
#include "icount/explain/inside/opened_function.h"
#include "icount/shapes/function_shape.h"

namespace {

using namespace icount;

constexpr int64_t kMostArrivals = 20;  // the process's start, frames active at its end

struct Totals {
  int64_t functions = 0, closed = 0, instructions = 0, blocks = 0, loops = 0, irreducible = 0, knots = 0;
  int64_t passages = 0, arrivals = 0, wrong = 0;
};

/// Control that reaches each block but does not come from anywhere, and the other way round.
int64_t unbalanced_blocks(const FunctionShape& shape) {
  std::vector<int64_t> in(shape.blocks.size(), 0), out(shape.blocks.size(), 0);
  for (const ShapeEdge& edge : shape.edges) {
    in[edge.to] += edge.times;
    out[edge.from] += edge.times;
  }
  int64_t unbalanced = 0;
  for (size_t b = 0; b < shape.blocks.size(); ++b) {
    const ShapeBlock& block = shape.blocks[b];
    if (block.first == block.end) continue;
    unbalanced += in[b] + block.entered != block.executions || out[b] + block.left != block.executions;
  }
  return unbalanced;
}

void check_function(const FoldedGraph& folded, const ProfileCode& code, uint32_t function, Totals& totals) {
  const FoldedFunction& of = folded.functions[function];
  ++totals.functions;
  const FunctionShape shape = make_shape(flow_of_function(folded, code, function));
  if (!shape.closed.empty()) {
    ++totals.closed;
    if (of.self > 0) fmt::print("closed: {}: {}\n", of.name, shape.closed);
    return;
  }
  // Steps through another object's linkage table have the function's name, and are left out.
  int64_t self = 0, own = 0;
  for (const ShapeBlock& block : shape.blocks) self += block.self;
  for (FunctionIndex f = 0; f < folded.graph->functions.size(); ++f)
    if (folded.folded_of[f] == function && folded.graph->object(f) == of.object) own += folded.graph->self_of(f, 0);
  const int64_t unbalanced = unbalanced_blocks(shape);
  if (self != own || unbalanced != 0) {
    ++totals.wrong;
    fmt::print("WRONG: {}: self cost {} instead of {}; {} blocks unbalanced\n", of.name, self, own, unbalanced);
  }
  if (shape.flow.arrivals > 0) fmt::print("arrivals: {}: {}\n", of.name, shape.flow.arrivals);
  totals.arrivals += shape.flow.arrivals;
  for (const ShapeBlock& block : shape.blocks) totals.passages += block.executions;
  totals.instructions += static_cast<int64_t>(shape.flow.instructions.size());
  totals.blocks += static_cast<int64_t>(shape.blocks.size());
  totals.loops += static_cast<int64_t>(shape.loops.size());
  for (const ShapeLoop& loop : shape.loops) {
    totals.irreducible += loop.irreducible;
    totals.knots += loop.knot;
  }
}

int check_profile(const std::string& path) {
  const FileBytes file = load_file(path);
  ParseOptions options;
  options.keep_lines = true;
  const CostGraph graph = make_cost_graph(parse_profile(file.view(), path, options));
  const std::vector<FunctionIndex> functions = costly_functions(graph, 0);
  const ProfileCode code = read_code(file.view(), path, graph, functions);
  const FoldedGraph folded = fold_graph(graph, 0, false);
  Totals totals;
  for (uint32_t f = 0; f < folded.functions.size(); ++f)
    if (folded.functions[f].self > 0) check_function(folded, code, f, totals);
  fmt::print("{} functions ({} closed), {} instructions, {} blocks, {} loops ({} irreducible, {} knots)\n",
             totals.functions, totals.closed, totals.instructions, totals.blocks, totals.loops, totals.irreducible,
             totals.knots);
  fmt::print("{} passages of blocks, {} of them from nowhere; {} functions wrong\n", totals.passages, totals.arrivals,
             totals.wrong);
  return totals.wrong == 0 && totals.arrivals <= kMostArrivals && totals.functions > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: shape_quality PROFILE\n");
    return 2;
  }
  try {
    return check_profile(argv[1]);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
