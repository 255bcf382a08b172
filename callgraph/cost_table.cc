#include "icount/callgraph/cost_table.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "icount/base/checked.h"
#include "icount/base/error.h"

namespace icount {
namespace {

std::vector<int64_t> slice(const std::vector<int64_t>& table, size_t entry, size_t events) {
  const auto begin = table.begin() + static_cast<std::ptrdiff_t>(entry * events);
  return {begin, begin + static_cast<std::ptrdiff_t>(events)};
}

/// Makes rows by function, as many as are asked for.
class FunctionRows {
 public:
  explicit FunctionRows(const CostGraph& graph)
      : graph_(graph), inclusive_(make_inclusive_costs(graph)), calls_(calls_into(graph)) {}

  CostRow row(FunctionIndex f) const {
    const size_t events = graph_.event_count();
    CostRow row;
    row.name = graph_.name(f);
    row.file = graph_.file(f);
    row.object = graph_.object(f);
    row.calls = calls_[f];
    row.cycle_size = inclusive_.component_size(f);
    row.self = slice(graph_.self, f, events);
    for (size_t e = 0; e < events; ++e) row.inclusive.push_back(inclusive_.of(f, e));
    return row;
  }

  /// Functions with a cost, the first `top` of them in order.
  std::vector<FunctionIndex> costliest(const CostTableOptions& options, size_t top) const {
    std::vector<FunctionIndex> order;
    for (FunctionIndex f = 0; f < graph_.functions.size(); ++f)
      if (cost(f, options) != 0) order.push_back(f);
    const auto middle =
        order.begin() + static_cast<std::ptrdiff_t>(top == 0 ? order.size() : std::min(top, order.size()));
    std::partial_sort(order.begin(), middle, order.end(), [&](FunctionIndex a, FunctionIndex b) {
      if (cost(a, options) != cost(b, options)) return cost(a, options) > cost(b, options);
      return std::tuple{graph_.name(a), graph_.file(a), graph_.object(a)} <
             std::tuple{graph_.name(b), graph_.file(b), graph_.object(b)};
    });
    return order;
  }

 private:
  int64_t cost(FunctionIndex f, const CostTableOptions& options) const {
    return options.inclusive ? inclusive_.of(f, options.event) : graph_.self_of(f, options.event);
  }

  const CostGraph& graph_;
  InclusiveCosts inclusive_;
  std::vector<int64_t> calls_;
};

std::vector<CostRow> function_rows(const CostGraph& graph) {
  const FunctionRows all(graph);
  std::vector<CostRow> rows;
  rows.reserve(graph.functions.size());
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) rows.push_back(all.row(f));
  return rows;
}

CostTableTop top_functions(const CostGraph& graph, const CostTableOptions& options, size_t top) {
  const FunctionRows all(graph);
  CostTableTop table;
  for (const FunctionIndex f : all.costliest(options, top)) {
    if (top == 0 || table.rows.size() < top) {
      table.rows.push_back(all.row(f));
      continue;
    }
    ++table.more;
    table.more_self = checked_add(table.more_self, graph.self_of(f, options.event), "self cost");
  }
  return table;
}

/// Sums of costs by a key of strings; the caller says what the key of an entry is.
class Sums {
 public:
  explicit Sums(size_t events) : events_(events) {}
  CostRow& at(std::tuple<StringId, StringId, uint64_t> key) {
    const auto [found, is_new] = index_.try_emplace(key, rows_.size());
    if (is_new) rows_.emplace_back().self.assign(events_, 0);
    return rows_[found->second];
  }
  void add(CostRow& row, const int64_t* costs) const {
    for (size_t e = 0; e < events_; ++e) row.self[e] = checked_add(row.self[e], costs[e], "self cost");
  }
  std::vector<CostRow> take() { return std::move(rows_); }

 private:
  size_t events_;
  std::map<std::tuple<StringId, StringId, uint64_t>, size_t> index_;
  std::vector<CostRow> rows_;
};

std::vector<CostRow> file_rows(const CostGraph& graph) {
  Sums sums(graph.event_count());
  for (size_t i = 0; i < graph.rows.size(); ++i) {
    CostRow& row = sums.at({graph.rows[i].file, kEmptyString, 0});
    row.file = graph.strings.view(graph.rows[i].file);
    sums.add(row, &graph.row_self[i * graph.event_count()]);
  }
  return sums.take();
}

std::vector<CostRow> object_rows(const CostGraph& graph) {
  Sums sums(graph.event_count());
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) {
    CostRow& row = sums.at({graph.functions[f].object, kEmptyString, 0});
    row.object = graph.object(f);
    sums.add(row, &graph.self[f * graph.event_count()]);
  }
  return sums.take();
}

std::vector<CostRow> line_rows(const CostGraph& graph) {
  Sums sums(graph.event_count());
  for (size_t i = 0; i < graph.lines.size(); ++i) {
    const LineRow& line = graph.lines[i];
    CostRow& row = sums.at({line.file, graph.functions[line.function].name, line.line});
    row.file = graph.strings.view(line.file);
    row.name = graph.name(line.function);
    row.line = line.line;
    sums.add(row, &graph.line_self[i * graph.event_count()]);
  }
  return sums.take();
}

std::vector<CostRow> rows_by(const CostGraph& graph, GroupBy by) {
  switch (by) {
    case GroupBy::kFunction:
      return function_rows(graph);
    case GroupBy::kFile:
      return file_rows(graph);
    case GroupBy::kObject:
      return object_rows(graph);
    case GroupBy::kLine:
      return line_rows(graph);
  }
  return {};
}

/// The name up to its parameters or template arguments, which may follow a "::" or stand at the beginning.
bool is_called(std::string_view full, std::string_view name) {
  const size_t at = full.find(name);
  if (at == std::string_view::npos) return false;
  const std::string_view before = full.substr(0, at), after = full.substr(at + name.size());
  const bool starts = before.empty() || before.ends_with("::") || before.ends_with(' ');
  const bool ends = after.empty() || after[0] == '(' || after[0] == '<' || after[0] == '\'' || after[0] == '@' ||
                    after[0] == '.' || after[0] == '[';
  return starts && ends;
}

}  // namespace

std::vector<CostRow> make_cost_table(const CostGraph& graph, const CostTableOptions& options) {
  ICOUNT_CHECK(!options.inclusive || options.by == GroupBy::kFunction, "inclusive cost is known by function only");
  std::vector<CostRow> rows = rows_by(graph, options.by);
  const auto cost = [&](const CostRow& row) {
    return options.inclusive ? row.inclusive[options.event] : row.self[options.event];
  };
  std::sort(rows.begin(), rows.end(), [&](const CostRow& a, const CostRow& b) {
    if (cost(a) != cost(b)) return cost(a) > cost(b);
    return std::tie(a.name, a.file, a.object, a.line) < std::tie(b.name, b.file, b.object, b.line);
  });
  return rows;
}

CostTableTop make_cost_table_top(const CostGraph& graph, const CostTableOptions& options, size_t top) {
  if (options.by == GroupBy::kFunction) return top_functions(graph, options, top);
  CostTableTop table;
  for (CostRow& row : make_cost_table(graph, options)) {
    const int64_t self = row.self[options.event];
    if (self != 0 && (top == 0 || table.rows.size() < top)) {
      table.rows.push_back(std::move(row));
      continue;
    }
    table.more += self != 0;
    table.more_self = checked_add(table.more_self, self, "self cost");
  }
  return table;
}

std::vector<CallRow> make_call_table(const CostGraph& graph, FunctionIndex function, bool callers, size_t event) {
  const Components components = make_inclusive_costs(graph).components;
  std::vector<CallRow> rows;
  for (size_t i = 0; i < graph.edges.size(); ++i) {
    const Edge& edge = graph.edges[i];
    if ((callers ? edge.callee : edge.caller) != function) continue;
    rows.push_back({callers ? edge.caller : edge.callee, edge.calls, slice(graph.inclusive, i, graph.event_count()),
                    components.of[edge.caller] == components.of[edge.callee]});
  }
  const auto key = [&](const CallRow& row) {
    return std::tuple{graph.name(row.other), graph.file(row.other), graph.object(row.other)};
  };
  std::sort(rows.begin(), rows.end(), [&](const CallRow& a, const CallRow& b) {
    if (a.in_cycle != b.in_cycle) return b.in_cycle;
    const int64_t left = a.in_cycle ? a.calls : a.inclusive[event], right = b.in_cycle ? b.calls : b.inclusive[event];
    return left != right ? left > right : key(a) < key(b);
  });
  return rows;
}

std::vector<FunctionIndex> find_functions(const CostGraph& graph, std::string_view name, size_t event) {
  std::vector<FunctionIndex> exact, called, containing;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) {
    const std::string_view full = graph.name(f);
    if (full == name)
      exact.push_back(f);
    else if (is_called(full, name))
      called.push_back(f);
    else if (full.find(name) != std::string_view::npos)
      containing.push_back(f);
  }
  std::vector<FunctionIndex> found = !exact.empty() ? exact : !called.empty() ? called : containing;
  std::sort(found.begin(), found.end(), [&](FunctionIndex a, FunctionIndex b) {
    if (graph.self_of(a, event) != graph.self_of(b, event)) return graph.self_of(a, event) > graph.self_of(b, event);
    return std::tuple{graph.name(a), graph.file(a), graph.object(a)} <
           std::tuple{graph.name(b), graph.file(b), graph.object(b)};
  });
  return found;
}

}  // namespace icount
