#include "icount/callgraph/graph_sum.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "icount/base/checked.h"
#include "icount/callgraph/components.h"

namespace icount {
namespace {

class CodeSum {
 public:
  explicit CodeSum(const CostGraph& sum) : sum_(sum) { code_.events = sum.event_count(); }

  void add(const CodeOfPart& part) {
    const ProfileCode& code = *part.graph->code;
    std::vector<uint32_t> files;
    for (const std::string& file : code.files) {
      const auto [at, fresh] = files_.try_emplace(file, static_cast<uint32_t>(code_.files.size()));
      if (fresh) code_.files.push_back(file);
      files.push_back(at->second);
    }
    const std::vector<uint32_t> inlined = take_inlined(code.inlined, files);
    std::map<FunctionIndex, int> meant;
    for (const FunctionIndex number : part.numbers) ++meant[number];
    for (FunctionCode one : code.functions) {
      const FunctionIndex number = part.numbers[one.function];
      if (meant[number] > 1) continue;  // two functions of this part have one name in the sum
      for (CodeRow& row : one.rows) {
        row.file = files[row.file];
        row.inlined = inlined[row.inlined];
      }
      move(one, distance(code, part.graph->object(one.function)));
      renumber(one, part.numbers);
      append_code(functions_[number], std::move(one));
    }
  }

  std::shared_ptr<const ProfileCode> take() {
    for (auto& [function, one] : functions_) {
      add_up_places(one, code_.events);
      int64_t self = 0;
      for (size_t r = 0; r < one.rows.size(); ++r) self = saturating_add(self, one.self[r * code_.events]);
      if (self == sum_.self_of(function, 0)) code_.functions.push_back(std::move(one));
    }
    if (code_.functions.empty()) return nullptr;
    for (auto& [name, object] : objects_) code_.objects.push_back(std::move(object));
    return std::make_shared<const ProfileCode>(std::move(code_));
  }

 private:
  /// The numbers here of inlined functions: those of rows, 0 for none. Parts mostly have the same ones.
  std::vector<uint32_t> take_inlined(const std::vector<InlinedCode>& all, const std::vector<uint32_t>& files) {
    std::vector<uint32_t> numbers = {0};
    for (InlinedCode one : all) {
      one.file = files[one.file];
      one.outer = numbers[one.outer];
      const auto [at, fresh] = inlined_.try_emplace({one.name, one.file, one.line, one.call_line, one.outer},
                                                    static_cast<uint32_t>(code_.inlined.size() + 1));
      if (fresh) code_.inlined.push_back(std::move(one));
      numbers.push_back(at->second);
    }
    return numbers;
  }

  /// How far an object's code lies from where it lay in the first part that has it.
  uint64_t distance(const ProfileCode& code, std::string_view name) {
    const CodeObject* const object = find_object(code, name);
    if (!object) return 0;
    const auto [at, fresh] = objects_.try_emplace(std::string(name), *object);
    return at->second.load_bias - object->load_bias;
  }

  static void move(FunctionCode& one, uint64_t distance) {
    if (distance == 0) return;
    for (CodeRow& row : one.rows) row.address += distance;
    for (CodeJump& jump : one.jumps) jump.from += distance, jump.to += distance;
    for (CodeCall& call : one.calls) call.from += distance, call.to += distance;
    for (CodeEntry& entry : one.entries) entry.to += distance;
  }

  static void renumber(FunctionCode& one, const std::vector<FunctionIndex>& numbers) {
    const auto number = [&](FunctionIndex& f) { f = f < numbers.size() ? numbers[f] : kUnknownFunction; };
    number(one.function);
    for (CodeJump& jump : one.jumps) number(jump.to_function);
    for (CodeCall& call : one.calls) number(call.callee);
    for (CodeEntry& entry : one.entries) number(entry.from_function);
  }

  const CostGraph& sum_;
  ProfileCode code_;
  std::map<std::string, uint32_t> files_;
  std::map<std::tuple<std::string, uint32_t, uint64_t, uint64_t, uint32_t>, uint32_t> inlined_;
  std::map<std::string, CodeObject> objects_;
  std::map<FunctionIndex, FunctionCode> functions_;
};

}  // namespace

std::shared_ptr<const ProfileCode> sum_code(std::span<const CodeOfPart> parts, const CostGraph& sum) {
  CodeSum code(sum);
  for (const CodeOfPart& part : parts) {
    if (part.graph->events != sum.events) return nullptr;
    if (part.graph->code) code.add(part);
  }
  return code.take();
}

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

namespace {

constexpr FunctionIndex kGone = ~FunctionIndex{0};

/// Entries of `rows` that stay, with their functions' new numbers, and what belongs to them of `costs`.
template <typename T, typename Keep>
void keep_entries(std::vector<T>& rows, std::vector<int64_t>& costs, size_t events, Keep keep) {
  size_t kept = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    T row = rows[i];
    if (!keep(row)) continue;
    rows[kept] = row;
    std::copy_n(costs.begin() + static_cast<std::ptrdiff_t>(i * events), events,
                costs.begin() + static_cast<std::ptrdiff_t>(kept * events));
    ++kept;
  }
  rows.resize(kept);
  costs.resize(kept * events);
}

/// Leaves the functions that `stays` names.
void keep_functions(CostGraph& graph, const std::vector<bool>& stays) {
  const size_t events = graph.event_count();
  std::vector<FunctionIndex> number(graph.functions.size(), kGone);
  FunctionIndex next = 0;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) {
    if (stays[f])
      number[f] = next++;
    else
      for (size_t event = 0; event < events; ++event)
        graph.totals[event] = checked_sub(graph.totals[event], graph.self_of(f, event), "a total");
  }
  FunctionIndex at = 0;
  keep_entries(graph.functions, graph.self, events, [&](Function&) { return stays[at++]; });
  keep_entries(graph.edges, graph.inclusive, events, [&](Edge& edge) {
    edge.caller = number[edge.caller];
    edge.callee = number[edge.callee];
    return edge.caller != kGone && edge.callee != kGone;
  });
  const auto renumber = [&](auto& row) { return (row.function = number[row.function]) != kGone; };
  keep_entries(graph.rows, graph.row_self, events, renumber);
  if (!graph.lines.empty()) keep_entries(graph.lines, graph.line_self, events, renumber);
  if (graph.code) graph.code = std::make_shared<const ProfileCode>(renumber_functions(*graph.code, number));
}

}  // namespace

void remove_functions(CostGraph& graph, const std::function<bool(FunctionIndex)>& is_foreign) {
  std::vector<bool> stays(graph.functions.size());
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) stays[f] = !is_foreign(f);
  keep_functions(graph, stays);
}

void remove_outer_callers(CostGraph& graph) {
  const size_t events = graph.event_count();
  keep_entries(graph.edges, graph.inclusive, events, [](const Edge& edge) { return edge.calls > 0; });
  std::vector<bool> stays(graph.functions.size());
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    for (size_t event = 0; event < events; ++event)
      if (graph.self_of(f, event) != 0) stays[f] = true;
  for (const Edge& edge : graph.edges) stays[edge.caller] = stays[edge.callee] = true;
  keep_functions(graph, stays);
}

size_t rename_functions(CostGraph& graph, const std::function<std::string(std::string_view)>& rewrite) {
  size_t renamed = 0;
  for (Function& function : graph.functions) {
    const std::string name = rewrite(graph.strings.view(function.name));
    if (name == graph.strings.view(function.name)) continue;
    function.name = graph.strings.intern(name);
    ++renamed;
  }
  if (renamed == 0) return 0;
  const CostGraph* const one[] = {&graph};
  graph = sum_graphs(one);
  return renamed;
}

}  // namespace icount
