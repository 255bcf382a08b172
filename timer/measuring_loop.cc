#include "icount/timer/measuring_loop.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>

#include "icount/callgraph/function_code.h"
#include "icount/callgraph/name_parts.h"

namespace icount {
namespace {

constexpr std::string_view kName = "(measuring loop)";
constexpr std::string_view kStatement = "stmt";

bool is_ours(std::string_view name) { return name.starts_with("icount_stub::") || name == "icount_stub_image_entry"; }

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

constexpr FunctionIndex kNone = 0xffffffff;

/// The statement that was entered before the region began: nobody calls it, or no times. A child that begins with a
/// snapshot returns into it, which Callgrind takes for a call. kNone when there is none.
FunctionIndex find_entered_statement(const CostGraph& graph) {
  std::vector<bool> called(graph.functions.size());
  for (const Edge& edge : graph.edges)
    if (edge.caller != edge.callee && edge.calls > 0) called[edge.callee] = true;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    if (!called[f] && graph.name(f) == kStatement) return f;
  return kNone;
}

/// One call of the statement by the loop, and the statement under the file of the loop in it: as it is with a snapshot.
void enter_statement(CostGraph& graph, FunctionIndex loop, FunctionIndex statement) {
  const size_t width = graph.event_count();
  std::vector<int64_t> inclusive(graph.self.begin() + static_cast<std::ptrdiff_t>(statement * width),
                                 graph.self.begin() + static_cast<std::ptrdiff_t>((statement + 1) * width));
  for (size_t i = 0; i < graph.edges.size(); ++i)
    if (graph.edges[i].caller == statement && graph.edges[i].callee != statement)
      add_row(inclusive, 0, graph.inclusive, i, width);
  size_t call = 0;
  while (call < graph.edges.size() && (graph.edges[call].caller != loop || graph.edges[call].callee != statement))
    ++call;
  if (call == graph.edges.size()) {
    graph.edges.push_back({loop, statement, 0});
    graph.inclusive.resize(graph.inclusive.size() + width);
  }
  graph.edges[call].calls = 1;
  std::copy(inclusive.begin(), inclusive.end(), graph.inclusive.begin() + static_cast<std::ptrdiff_t>(call * width));
  for (const Row& row : graph.rows)
    if (row.function == statement && graph.strings.view(row.file) == kMeasuringLoopFile)
      graph.functions[statement].file = row.file;
}

}  // namespace

void fold_measuring_loop(CostGraph& graph) {
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
  const FunctionIndex entered = find_entered_statement(graph);
  graph.functions = std::move(functions);
  graph.self = std::move(self);
  renumber(graph, renumbered, loop);
  if (entered != kNone) enter_statement(graph, loop, renumbered[entered]);
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
