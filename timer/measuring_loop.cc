#include "icount/timer/measuring_loop.h"

#include <map>
#include <memory>
#include <tuple>

#include "icount/callgraph/function_code.h"

namespace icount {
namespace {

constexpr std::string_view kName = "(measuring loop)";

bool is_ours(std::string_view name) { return name.starts_with("icount_stub::"); }

void add_row(std::vector<int64_t>& to, size_t at, const std::vector<int64_t>& from, size_t row, size_t width) {
  if (to.size() < (at + 1) * width) to.resize((at + 1) * width);
  for (size_t event = 0; event < width; ++event) to[at * width + event] += from[row * width + event];
}

/// Entries with equal keys added up, in the order of their first.
template <typename Entry, typename KeyOf>
void add_up(std::vector<Entry>& entries, std::vector<int64_t>& costs, size_t width, const KeyOf& key_of) {
  std::map<decltype(key_of(entries[0])), size_t> known;
  std::vector<Entry> kept;
  std::vector<int64_t> kept_costs;
  for (size_t i = 0; i < entries.size(); ++i) {
    const auto [at, fresh] = known.emplace(key_of(entries[i]), kept.size());
    if (fresh) kept.push_back(entries[i]);
    add_row(kept_costs, at->second, costs, i, width);
  }
  entries = std::move(kept);
  costs = std::move(kept_costs);
}

/// Function f becomes renumbered[f]. A statement that asks the loop for its next runs is called by it as well: of the
/// two only the call of the statement stays, without what the loop costs below it.
void renumber(CostGraph& graph, const std::vector<FunctionIndex>& renumbered, FunctionIndex loop) {
  std::vector<Edge> edges;
  std::vector<int64_t> inclusive;
  std::vector<int64_t> called_back(graph.functions.size() * graph.event_count());
  std::map<std::pair<FunctionIndex, FunctionIndex>, size_t> known;
  for (size_t i = 0; i < graph.edges.size(); ++i) {
    const Edge edge{renumbered[graph.edges[i].caller], renumbered[graph.edges[i].callee], graph.edges[i].calls};
    if (edge.callee == loop) {
      if (edge.caller != loop) add_row(called_back, edge.caller, graph.inclusive, i, graph.event_count());
      continue;
    }
    const auto [at, fresh] = known.emplace(std::pair(edge.caller, edge.callee), edges.size());
    if (fresh) edges.push_back({edge.caller, edge.callee, 0});
    edges[at->second].calls += edge.calls;
    add_row(inclusive, at->second, graph.inclusive, i, graph.event_count());
  }
  for (size_t i = 0; i < edges.size(); ++i)
    for (size_t event = 0; edges[i].caller == loop && event < graph.event_count(); ++event)
      inclusive[i * graph.event_count() + event] -= called_back[edges[i].callee * graph.event_count() + event];
  graph.edges = std::move(edges);
  graph.inclusive = std::move(inclusive);
  for (Row& row : graph.rows) {
    row.function = renumbered[row.function];
    if (row.function == loop) row.file = kEmptyString;
  }
  add_up(graph.rows, graph.row_self, graph.event_count(),
         [](const Row& row) { return std::pair(row.function, row.file); });
  for (LineRow& row : graph.lines) {
    row.function = renumbered[row.function];
    if (row.function == loop) row = {loop, kEmptyString, 0};
  }
  if (!graph.lines.empty())
    add_up(graph.lines, graph.line_self, graph.event_count(),
           [](const LineRow& row) { return std::tuple(row.function, row.file, row.line); });
}

}  // namespace

void fold_measuring_loop(CostGraph& graph) {
  constexpr FunctionIndex kNone = 0xffffffff;
  FunctionIndex loop = kNone;
  std::vector<Function> functions;
  std::vector<int64_t> self;
  std::vector<FunctionIndex> renumbered;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) {
    const bool ours = is_ours(graph.name(f));
    const FunctionIndex becomes = ours && loop != kNone ? loop : static_cast<FunctionIndex>(functions.size());
    if (ours) loop = becomes;
    if (becomes == functions.size()) functions.push_back(graph.functions[f]);
    add_row(self, becomes, graph.self, f, graph.event_count());
    renumbered.push_back(becomes);
  }
  if (loop == kNone) return;
  if (graph.code) graph.code = std::make_shared<const ProfileCode>(renumber_functions(*graph.code, renumbered));
  functions[loop].name = graph.strings.intern(kName);
  functions[loop].file = kEmptyString;
  graph.functions = std::move(functions);
  graph.self = std::move(self);
  renumber(graph, renumbered, loop);
}

void fold_measuring_loop(CallStacks& stacks) {
  std::vector<CallFrame> frames;
  std::vector<int64_t> self;
  std::vector<uint32_t> renumbered;
  std::vector<bool> loop;
  for (uint32_t i = 0; i < stacks.frames.size(); ++i) {
    CallFrame frame = stacks.frames[i];
    if (frame.parent != kNoFrame) frame.parent = renumbered[frame.parent];
    const bool ours = frame.kind == FrameKind::kFunction && is_ours(stacks.name(i));
    const bool joins = ours && frame.parent != kNoFrame && loop[frame.parent];
    const uint32_t becomes = joins ? frame.parent : static_cast<uint32_t>(frames.size());
    if (ours) {
      frame.name = stacks.strings.intern(kName);
      frame.file = kEmptyString;
    }
    if (!joins) {
      frames.push_back(frame);
      loop.push_back(ours);
    }
    add_row(self, becomes, stacks.self, i, stacks.events.size());
    renumbered.push_back(becomes);
  }
  stacks.frames = std::move(frames);
  stacks.self = std::move(self);
}

}  // namespace icount
