#include "icount/callgraph/graph_sum.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "icount/base/checked.h"
#include "icount/callgraph/code_sum.h"
#include "icount/callgraph/components.h"

namespace icount {
namespace {

/// One table of the sum: a row for each key, costs added up.
template <typename Key, typename Entry>
class SumTable {
 public:
  SumTable(std::vector<Entry>& entries, std::vector<int64_t>& costs, size_t events)
      : entries_(entries), costs_(costs), events_(events) {}

  /// The entry's index; a new one is `entry` with no cost.
  size_t find(const Key& key, const Entry& entry) {
    const auto [at, is_new] = index_.try_emplace(key, entries_.size());
    if (is_new) {
      entries_.push_back(entry);
      costs_.resize(costs_.size() + events_, 0);
    }
    return at->second;
  }
  int64_t* costs(size_t entry) { return &costs_[entry * events_]; }

 private:
  std::vector<Entry>& entries_;
  std::vector<int64_t>& costs_;
  size_t events_;
  std::map<Key, size_t> index_;
};

class GraphSum {
 public:
  explicit GraphSum(CostGraph empty) : sum_(std::move(empty)) {}

  void add(const CostGraph& graph) {
    columns_.clear();
    for (const std::string& event : graph.events) columns_.push_back(*sum_.event_index(event));
    std::vector<FunctionIndex> index(graph.functions.size());
    for (FunctionIndex f = 0; f < graph.functions.size(); ++f) {
      const Function function{text(graph, graph.functions[f].name), text(graph, graph.functions[f].file),
                              text(graph, graph.functions[f].object)};
      index[f] = static_cast<FunctionIndex>(functions_.find({function.object, function.file, function.name}, function));
      add_checked(functions_.costs(index[f]), &graph.self[f * graph.events.size()]);
    }
    for (size_t r = 0; r < graph.rows.size(); ++r) {
      const Row row{index[graph.rows[r].function], text(graph, graph.rows[r].file)};
      add_checked(rows_.costs(rows_.find({row.function, row.file}, row)), &graph.row_self[r * graph.events.size()]);
    }
    for (size_t l = 0; l < graph.lines.size(); ++l) {
      const LineRow line{index[graph.lines[l].function], text(graph, graph.lines[l].file), graph.lines[l].line};
      add_checked(lines_.costs(lines_.find({line.function, line.file, line.line}, line)),
                  &graph.line_self[l * graph.events.size()]);
    }
    for (size_t e = 0; e < graph.edges.size(); ++e) {
      const Edge edge{index[graph.edges[e].caller], index[graph.edges[e].callee], 0};
      const size_t at = edges_.find({edge.caller, edge.callee}, edge);
      sum_.edges[at].calls = saturating_add(sum_.edges[at].calls, graph.edges[e].calls);
      for (size_t i = 0; i < columns_.size(); ++i) {
        int64_t& cost = edges_.costs(at)[columns_[i]];
        cost = saturating_add(cost, graph.inclusive[e * graph.events.size() + i]);
      }
    }
    add_checked(sum_.totals.data(), graph.totals.data());
    sum_.parts += graph.parts;
    if (sum_.call_counts.trusted) sum_.call_counts = graph.call_counts;
    parts_.push_back({&graph, std::move(index)});
  }

  CostGraph take() {
    sum_.code = sum_code(parts_, sum_);
    return std::move(sum_);
  }

 private:
  StringId text(const CostGraph& graph, StringId id) { return sum_.strings.intern(graph.strings.view(id)); }

  void add_checked(int64_t* to, const int64_t* from) {
    for (size_t i = 0; i < columns_.size(); ++i)
      to[columns_[i]] = icount::checked_add(to[columns_[i]], from[i], "cost of " + sum_.events[columns_[i]]);
  }

  CostGraph sum_;
  std::vector<CodeOfPart> parts_;
  std::vector<size_t> columns_;  // of the sum, for each event of the graph that is added
  using Triple = std::tuple<StringId, StringId, StringId>;
  size_t width() const { return sum_.events.size(); }
  SumTable<Triple, Function> functions_{sum_.functions, sum_.self, width()};
  SumTable<std::pair<FunctionIndex, StringId>, Row> rows_{sum_.rows, sum_.row_self, width()};
  SumTable<std::pair<FunctionIndex, FunctionIndex>, Edge> edges_{sum_.edges, sum_.inclusive, width()};
  SumTable<std::tuple<FunctionIndex, StringId, uint64_t>, LineRow> lines_{sum_.lines, sum_.line_self, width()};
};

/// No functions, and the events of all.
CostGraph make_empty_sum(std::span<const CostGraph* const> graphs) {
  CostGraph sum;
  sum.parts = 0;
  for (const CostGraph* graph : graphs)
    for (const std::string& event : graph->events)
      if (!sum.event_index(event)) sum.events.push_back(event);
  sum.totals.assign(sum.events.size(), 0);
  return sum;
}

}  // namespace

CostGraph sum_graphs(std::span<const CostGraph* const> graphs) {
  GraphSum sum(make_empty_sum(graphs));
  for (const CostGraph* graph : graphs) sum.add(*graph);
  return sum.take();
}

void complete_inclusive(CostGraph& graph) {
  const size_t events = graph.event_count();
  std::vector<Arc> arcs;
  for (const Edge& edge : graph.edges) arcs.push_back({edge.caller, edge.callee});
  const Components components = find_components(graph.functions.size(), arcs);
  const Components::Members members = components.members();
  std::vector<std::vector<uint32_t>> entering(components.count()), leaving(components.count());
  for (uint32_t e = 0; e < graph.edges.size(); ++e) {
    const uint32_t from = components.of[graph.edges[e].caller], to = components.of[graph.edges[e].callee];
    if (from == to) continue;
    leaving[from].push_back(e);
    entering[to].push_back(e);
  }
  // Callees have the lower numbers: what leaves a component is complete when its turn comes.
  for (uint32_t c = 0; c < components.count(); ++c) {
    if (entering[c].empty()) continue;
    const uint32_t most = *std::max_element(entering[c].begin(), entering[c].end(), [&](uint32_t a, uint32_t b) {
      return graph.edges[a].calls < graph.edges[b].calls;
    });
    for (size_t i = 0; i < events; ++i) {
      int64_t missing = 0;
      for (const uint32_t f : members.of(c)) missing = saturating_add(missing, graph.self_of(f, i));
      for (const uint32_t e : leaving[c]) missing = saturating_add(missing, graph.inclusive_of(e, i));
      for (const uint32_t e : entering[c]) missing = saturating_add(missing, -graph.inclusive_of(e, i));
      if (missing > 0) graph.inclusive[most * events + i] = saturating_add(graph.inclusive_of(most, i), missing);
    }
  }
}

}  // namespace icount
