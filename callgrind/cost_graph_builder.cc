#include "icount/callgrind/cost_graph_builder.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "icount/base/checked.h"
#include "icount/callgrind/call_count_trust.h"
#include "icount/callgrind/code_reader.h"
#include "icount/callgrind/part_tables.h"

namespace icount {
namespace {

constexpr FunctionIndex kUnused = std::numeric_limits<FunctionIndex>::max();

std::vector<std::string> all_events(const std::vector<ProfilePart>& parts) {
  std::vector<std::string> events;
  for (const ProfilePart& part : parts)
    for (const std::string& event : part.events)
      if (std::find(events.begin(), events.end(), event) == events.end()) events.push_back(event);
  return events;
}

/// A part's costs of one entry, moved to the columns of the sum.
class ColumnMap {
 public:
  ColumnMap(const std::vector<std::string>& from, const std::vector<std::string>& to) : moved_(to.size(), 0) {
    for (const std::string& event : from)
      columns_.push_back(static_cast<size_t>(std::find(to.begin(), to.end(), event) - to.begin()));
  }
  std::span<const int64_t> move(const std::vector<int64_t>& table, size_t entry) {
    for (size_t e = 0; e < columns_.size(); ++e) moved_[columns_[e]] = table[entry * columns_.size() + e];
    return moved_;
  }

 private:
  std::vector<size_t> columns_;
  std::vector<int64_t> moved_;
};

void add_checked(int64_t* sums, std::span<const int64_t> costs, const std::vector<std::string>& events) {
  for (size_t e = 0; e < costs.size(); ++e) sums[e] = checked_add(sums[e], costs[e], "cost of " + events[e]);
}

void add_part(PartTables& tables, const ProfilePart& part) {
  ProfilePart& sum = tables.part();
  ColumnMap columns(part.events, sum.events);
  for (size_t i = 0; i < part.rows.size(); ++i)
    add_checked(tables.find_row_costs(part.rows[i].function, part.rows[i].file), columns.move(part.row_self, i),
                sum.events);
  for (size_t i = 0; i < part.edges.size(); ++i)
    tables.add_call(part.edges[i].caller, part.edges[i].callee, part.edges[i].calls, columns.move(part.inclusive, i));
  for (size_t i = 0; i < part.lines.size(); ++i)
    if (!tables.add_line(part.lines[i], columns.move(part.line_self, i))) throw_overflow("cost of a line");
  add_checked(sum.totals.data(), columns.move(part.totals, 0), sum.events);
}

ProfilePart add_parts(Profile& profile) {
  PartTables tables(profile);
  tables.part().events = all_events(profile.parts);
  tables.part().totals.assign(tables.part().events.size(), 0);
  for (const ProfilePart& part : profile.parts) add_part(tables, part);
  return tables.take_part();
}

/// What the parts say inside functions, added up; files are the profile's strings. Takes it away from them.
std::vector<FunctionCode> add_up_code(std::vector<ProfilePart>& parts) {
  if (parts.size() == 1) return std::move(parts[0].code);
  std::map<FunctionIndex, FunctionCode> sums;
  for (ProfilePart& part : parts)
    for (FunctionCode& one : std::exchange(part.code, {})) {
      FunctionCode& sum = sums[one.function];
      append_code(sum, std::move(one));
    }
  std::vector<FunctionCode> code;
  for (auto& [function, sum] : sums) {
    sum.function = function;
    add_up_places(sum, parts[0].events.size());
    code.push_back(std::move(sum));
  }
  return code;
}

/// The part's tables as a graph; functions and strings are the caller's to fill in.
CostGraph graph_of(ProfilePart part) {
  CostGraph graph;
  graph.events = std::move(part.events);
  graph.totals = std::move(part.totals);
  graph.rows = std::move(part.rows);
  graph.row_self = std::move(part.row_self);
  graph.edges = std::move(part.edges);
  graph.inclusive = std::move(part.inclusive);
  graph.lines = std::move(part.lines);
  graph.line_self = std::move(part.line_self);
  return graph;
}

/// Self cost of functions: their rows, whatever the file.
void add_rows_up(CostGraph& graph) {
  const size_t events = graph.event_count();
  graph.self.assign(graph.functions.size() * events, 0);
  for (size_t r = 0; r < graph.rows.size(); ++r)
    add_checked(&graph.self[graph.rows[r].function * events], std::span(graph.row_self).subspan(r * events, events),
                graph.events);
}

/// A part's code with other numbers of functions (kUnused: it is not there) and strings.
template <typename Text>
std::vector<FunctionCode> move_code(const std::vector<FunctionCode>& insides, const std::vector<FunctionIndex>& index,
                                    Text text) {
  static_assert(kUnused == kUnknownFunction);
  std::vector<FunctionCode> moved;
  for (const FunctionCode& inside : insides) {
    if (index[inside.function] == kUnused) continue;
    FunctionCode& one = moved.emplace_back(inside);
    one.function = index[one.function];
    for (CodeRow& row : one.rows) row.file = text(row.file);
    for (CodeJump& jump : one.jumps) jump.to_function = index[jump.to_function];
    for (CodeCall& call : one.calls) call.callee = index[call.callee];
    for (CodeEntry& entry : one.entries) entry.from_function = index[entry.from_function];
  }
  return moved;
}

}  // namespace

CostGraph make_cost_graph(Profile profile, KeptCode kept) {
  CallCounts call_counts = judge_call_counts(profile);
  const bool takes_all = profile.has_costly_code || kept == KeptCode::kAll;
  std::vector<FunctionCode> code = add_up_code(profile.parts);
  const bool one_part = profile.parts.size() == 1;
  CostGraph graph = graph_of(one_part ? std::move(profile.parts[0]) : add_parts(profile));
  graph.parts = static_cast<int64_t>(profile.parts.size());
  graph.call_counts = std::move(call_counts);
  graph.functions = std::move(profile.functions);
  graph.strings = std::move(profile.strings);
  add_rows_up(graph);
  graph.code = take_code(std::move(code), graph, takes_all ? 0 : kCostlyPart);
  return graph;
}

CostGraph make_part_graph(const Profile& profile, size_t part) {
  CostGraph graph = graph_of(profile.parts.at(part));
  std::vector<FunctionIndex> index(profile.functions.size(), kUnused);
  const auto text = [&](StringId id) { return graph.strings.intern(profile.strings.view(id)); };
  const auto use = [&](FunctionIndex& function) {
    if (index[function] == kUnused) {
      index[function] = static_cast<FunctionIndex>(graph.functions.size());
      const Function& f = profile.functions[function];
      graph.functions.push_back({text(f.name), text(f.file), text(f.object)});
    }
    function = index[function];
  };
  for (Row& row : graph.rows) {
    use(row.function);
    row.file = text(row.file);
  }
  for (Edge& edge : graph.edges) {
    use(edge.caller);
    use(edge.callee);
  }
  for (LineRow& line : graph.lines) {
    use(line.function);
    line.file = text(line.file);
  }
  graph.call_counts = judge_call_counts(profile);
  add_rows_up(graph);
  constexpr double kAll = 0;
  graph.code = take_code(move_code(profile.parts[part].code, index, text), graph, kAll);
  return graph;
}

}  // namespace icount
