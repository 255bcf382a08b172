#include "callgrind/canonical_tables.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "icount/callgraph/cost_graph.h"

namespace icount {
namespace {

std::string joined(std::vector<std::string> rows) {
  std::sort(rows.begin(), rows.end());
  std::string text;
  for (const std::string& row : rows) text += row + "\n";
  return text;
}

std::string triple(const StringPool& strings, const Function& f, StringId file) {
  return fmt::format("{}\t{}\t{}", strings.view(f.object), strings.view(file), strings.view(f.name));
}

std::string costs(const std::vector<int64_t>& table, size_t entry, size_t events) {
  std::string text;
  for (size_t e = 0; e < events; ++e) text += fmt::format("\t{}", table[entry * events + e]);
  return text;
}

std::string function_text(const CostGraph& graph, FunctionIndex f) {
  return triple(graph.strings, graph.functions[f], graph.functions[f].file);
}

std::string number_or_dash(bool has, uint64_t number) { return has ? std::to_string(number) : "-"; }

}  // namespace

std::string functions_table(const CostGraph& graph) {
  std::vector<bool> has_row(graph.functions.size(), false);
  for (const Row& row : graph.rows) has_row[row.function] = true;
  std::vector<std::string> rows;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    if (has_row[f]) rows.push_back(function_text(graph, f) + costs(graph.self, f, graph.event_count()));
  return joined(rows);
}

// The golden's rows are keyed by (object, file in force, name): functions of one name whose inline code shares a file
// are one row.
std::string rows_table(const CostGraph& graph) {
  const size_t events = graph.event_count();
  std::map<std::string, std::vector<int64_t>> sums;
  for (size_t i = 0; i < graph.rows.size(); ++i) {
    auto& sum = sums[triple(graph.strings, graph.functions[graph.rows[i].function], graph.rows[i].file)];
    sum.resize(events, 0);
    for (size_t e = 0; e < events; ++e) sum[e] += graph.row_self[i * events + e];
  }
  std::vector<std::string> rows;
  for (const auto& [key, sum] : sums) rows.push_back(key + costs(sum, 0, events));
  return joined(rows);
}

std::string edges_table(const CostGraph& graph) {
  std::vector<std::string> rows;
  for (size_t i = 0; i < graph.edges.size(); ++i) {
    const Edge& edge = graph.edges[i];
    rows.push_back(fmt::format("{}\t{}\t{}{}", function_text(graph, edge.caller), function_text(graph, edge.callee),
                               edge.calls, costs(graph.inclusive, i, graph.event_count())));
  }
  return joined(rows);
}

std::string lines_table(const CostGraph& graph) {
  std::vector<std::string> rows;
  for (size_t i = 0; i < graph.lines.size(); ++i) {
    const LineRow& line = graph.lines[i];
    rows.push_back(fmt::format("{}\t{}\t{}{}", function_text(graph, line.function), graph.strings.view(line.file),
                               line.line, costs(graph.line_self, i, graph.event_count())));
  }
  return joined(rows);
}

std::string positions_table(const Profile& profile, const ProfilePart& part) {
  const size_t events = part.events.size();
  std::map<std::string, std::vector<int64_t>> sums;
  for (size_t i = 0; i < part.positions.size(); ++i) {
    const PositionRow& at = part.positions[i];
    auto& sum =
        sums[fmt::format("{}\t{}\t{}", triple(profile.strings, profile.functions[at.function], at.file),
                         number_or_dash(part.has_addresses, at.address), number_or_dash(part.has_lines, at.line))];
    sum.resize(events, 0);
    for (size_t e = 0; e < events; ++e) sum[e] += part.position_self[i * events + e];
  }
  std::vector<std::string> rows;
  for (const auto& [key, sum] : sums) rows.push_back(key + costs(sum, 0, events));
  return joined(rows);
}

std::string jumps_table(const Profile& profile, const ProfilePart& part) {
  std::map<std::string, std::pair<uint64_t, uint64_t>> sums;
  for (const JumpRow& jump : part.jumps) {
    auto& sum = sums[fmt::format(
        "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}", jump.conditional ? "jcnd" : "jump",
        triple(profile.strings, profile.functions[jump.function], profile.functions[jump.function].file),
        profile.strings.view(jump.file), number_or_dash(part.has_addresses, jump.address),
        number_or_dash(part.has_lines, jump.line), profile.strings.view(jump.target_file),
        profile.strings.view(jump.target_function), number_or_dash(part.has_addresses, jump.target_address),
        number_or_dash(part.has_lines, jump.target_line))];
    sum.first += jump.executed;
    sum.second += jump.followed;
  }
  std::vector<std::string> rows;
  for (const auto& [key, sum] : sums) rows.push_back(fmt::format("{}\t{}\t{}", key, sum.first, sum.second));
  return joined(rows);
}

size_t count_lines(const std::string& table) {
  return static_cast<size_t>(std::count(table.begin(), table.end(), '\n'));
}

void expect_invariants(const CostGraph& graph, size_t exceptions) {
  EXPECT_NO_THROW(check_cost_graph(graph));
  const InclusiveCosts inclusive = make_inclusive_costs(graph);
  size_t differing = 0;
  std::vector<bool> entered(inclusive.components.count(), false);
  for (const Edge& edge : graph.edges) {
    const uint32_t to = inclusive.components.of[edge.callee];
    if (inclusive.components.of[edge.caller] != to) entered[to] = true;
  }
  for (size_t c = 0; c < entered.size(); ++c)
    if (entered[c]) differing += inclusive.cost[c * inclusive.events] != inclusive.entering[c * inclusive.events];
  EXPECT_EQ(differing, exceptions) << "components whose entering edges are not their cost";
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    for (size_t e = 0; e < graph.event_count(); ++e) EXPECT_GE(inclusive.of(f, e), graph.self_of(f, e));
}

}  // namespace icount
