// Every number of the golden profiles' expect files, against what parse_profile and make_cost_graph say.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "callgrind/canonical_tables.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/callgraph/cost_graph.h"
#include "icount/callgrind/cost_graph_builder.h"
#include "icount/callgrind/parser.h"
#include "support/golden.h"

namespace icount {
namespace {

std::string sha256(const std::string& text) {
  ProcessSpec spec;
  spec.argv = {"sha256sum"};
  spec.input = text;
  return run_process(spec).output.substr(0, 64);
}

using Triple = std::array<std::string, 3>;

Triple triple_of(const CostGraph& graph, FunctionIndex f) {
  return {std::string(graph.object(f)), std::string(graph.file(f)), std::string(graph.name(f))};
}

/// Sum of line * cost, which one wrong relative position changes.
uint64_t line_checksum(const ProfilePart& part) {
  uint64_t sum = 0;
  for (size_t i = 0; i < part.positions.size(); ++i)
    sum += part.positions[i].line * static_cast<uint64_t>(part.position_self[i * part.events.size()]);
  return sum;
}

class GoldenProfileTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const auto folder = unpacked("profiles/callgrind");
    bytes_ = load_file(folder / GetParam());
    expect_ = parse_json(load_file(folder / (GetParam() + ".expect.json")).view(), GetParam());
    ParseOptions options;
    options.keep_positions = options.keep_jumps = options.keep_lines = true;
    profile_ = parse_profile(bytes_.view(), GetParam(), options);
  }
  std::string text(const Json& index) const { return expect_["strings"][index.get<size_t>()].get<std::string>(); }
  Triple triple(const Json& row, size_t from) const {
    return {text(row[from]), text(row[from + 1]), text(row[from + 2])};
  }
  std::map<Triple, FunctionIndex> by_triple(const CostGraph& graph) const {
    std::map<Triple, FunctionIndex> found;
    for (FunctionIndex f = 0; f < graph.functions.size(); ++f) found[triple_of(graph, f)] = f;
    return found;
  }
  void check_part(const ProfilePart& part, const CostGraph& graph, const Json& expect);
  void check_tables(const CostGraph& graph, const Json& expect);
  void check_listed(const CostGraph& graph, const Json& expect);
  void check_inclusive(const CostGraph& graph, const Json& expect);

  FileBytes bytes_;
  Json expect_;
  Profile profile_;
};

void GoldenProfileTest::check_tables(const CostGraph& graph, const Json& expect) {
  const std::string functions = functions_table(graph), rows = rows_table(graph), edges = edges_table(graph);
  EXPECT_EQ(count_lines(functions), expect["n_functions"]);
  EXPECT_EQ(count_lines(rows), expect["n_rows"]);
  EXPECT_EQ(count_lines(edges), expect["n_edges"]);
  EXPECT_EQ(sha256(functions), expect["sha256"]["functions"]);
  EXPECT_EQ(sha256(rows), expect["sha256"]["rows"]);
  EXPECT_EQ(sha256(edges), expect["sha256"]["edges"]);
  EXPECT_EQ(Json(graph.totals), expect["self_sum"]);
  int64_t calls = 0;
  for (const Edge& edge : graph.edges) calls += edge.calls;
  EXPECT_EQ(calls, expect["calls_sum"]);
}

void GoldenProfileTest::check_part(const ProfilePart& part, const CostGraph& graph, const Json& expect) {
  check_tables(graph, expect);
  EXPECT_EQ(Json(part.events), expect["events"]);
  EXPECT_EQ(Json(part.summary), expect["summary"]);
  EXPECT_EQ(Json(part.totals), expect["totals"]);
  EXPECT_TRUE(part.has_totals);
  EXPECT_EQ(Json(part.descriptions), expect["desc"]);
  EXPECT_EQ(std::to_string(part.number), expect["part"].get<std::string>());
  EXPECT_EQ(std::to_string(part.thread), expect["thread"].is_null() ? "0" : expect["thread"].get<std::string>());
  EXPECT_EQ(part.self_lines, expect["n_self_lines"]);
  EXPECT_EQ(part.call_lines, expect["n_call_lines"]);
  EXPECT_EQ(part.zero_calls, expect["n_calls_zero"]);
  EXPECT_EQ(static_cast<int64_t>(part.positions.size()), part.self_lines);

  const std::string positions = positions_table(profile_, part), jumps = jumps_table(profile_, part);
  EXPECT_EQ(count_lines(positions), expect["n_distinct_positions"]);
  EXPECT_EQ(sha256(positions), expect["sha256"]["lines"]);
  EXPECT_EQ(part.jumps.size(), expect["jump_lines"]);
  EXPECT_EQ(count_lines(jumps), expect["jumps"]);
  EXPECT_EQ(sha256(jumps), expect["sha256"]["jumps"]);
  uint64_t executed = 0, followed = 0, addresses = 0;
  for (const JumpRow& jump : part.jumps) executed += jump.executed, followed += jump.followed;
  EXPECT_EQ(executed, expect["jumps_executed"]);
  EXPECT_EQ(followed, expect["jumps_followed"]);
  for (size_t i = 0; i < part.positions.size(); ++i)
    addresses += part.positions[i].address * static_cast<uint64_t>(part.position_self[i * part.events.size()]);
  EXPECT_EQ(std::to_string(line_checksum(part)), expect["line_checksum"].get<std::string>());
  EXPECT_EQ(std::to_string(addresses), expect["addr_checksum"].get<std::string>());
}

void GoldenProfileTest::check_listed(const CostGraph& graph, const Json& expect) {
  const auto functions = by_triple(graph);
  for (const Json& row : expect["functions"]) {
    const auto found = functions.find(triple(row, 0));
    ASSERT_NE(found, functions.end()) << row;
    for (size_t e = 0; e < graph.event_count(); ++e) EXPECT_EQ(graph.self_of(found->second, e), row[3 + e]);
  }
  std::map<std::pair<FunctionIndex, FunctionIndex>, size_t> edges;
  int64_t inclusive = 0;
  for (size_t i = 0; i < graph.edges.size(); ++i) {
    edges[{graph.edges[i].caller, graph.edges[i].callee}] = i;
    inclusive += graph.inclusive_of(i, 0);
  }
  EXPECT_EQ(inclusive, expect["inclusive_edge_sum"]);
  for (const Json& row : expect["edges"]) {
    const auto found = edges.find({functions.at(triple(row, 0)), functions.at(triple(row, 3))});
    ASSERT_NE(found, edges.end()) << row;
    EXPECT_EQ(graph.edges[found->second].calls, row[6]);
    for (size_t e = 0; e < graph.event_count(); ++e) EXPECT_EQ(graph.inclusive_of(found->second, e), row[7 + e]);
  }
}

void GoldenProfileTest::check_inclusive(const CostGraph& graph, const Json& expect) {
  const auto functions = by_triple(graph);
  const InclusiveCosts costs = make_inclusive_costs(graph);
  const Components& components = costs.components;
  size_t above_one = 0, largest = 0, direct = 0;
  for (const uint32_t size : components.sizes) {
    above_one += size > 1;
    largest = std::max<size_t>(largest, size);
  }
  for (const Edge& edge : graph.edges) direct += edge.caller == edge.callee;
  EXPECT_EQ(above_one, expect["n_components_above_one"]);
  EXPECT_EQ(largest, expect["largest_component"]);
  EXPECT_EQ(direct, expect["direct_recursion"]);
  for (const Json& row : expect["top"]) EXPECT_EQ(costs.of(functions.at(triple(row, 0)), 0), row[3]) << row;
  for (const Json& cycle : expect["cycles"]) {
    const FunctionIndex f = functions.at(triple(cycle["members"][0], 0));
    EXPECT_EQ(costs.component_size(f), cycle["size"]);
    EXPECT_EQ(costs.of(f, 0), cycle["inclusive"]);
    EXPECT_EQ(costs.entering_of(f, 0), cycle["in"]);
    for (const Json& member : cycle["members"])
      EXPECT_EQ(components.of[functions.at(triple(member, 0))], components.of[f]);
  }
  expect_invariants(graph, expect["in_not_out"]);
}

TEST_P(GoldenProfileTest, EveryNumberAgrees) {
  EXPECT_EQ(bytes_.view().size(), expect_["raw_bytes"]);
  EXPECT_EQ(profile_.creator, expect_["creator"]);
  EXPECT_EQ(profile_.command, expect_["cmd"]);
  EXPECT_EQ(profile_.emitter_rule, expect_["rule"] == "emitter");
  for (const ProfileWarning& warning : profile_.warnings) ADD_FAILURE() << warning.line << ": " << warning.text;
  ASSERT_EQ(profile_.parts.size(), expect_["n_parts"]);
  EXPECT_EQ(std::to_string(profile_.pid), expect_["parts"][0]["pid"].get<std::string>());
  for (size_t i = 0; i < profile_.parts.size(); ++i) {
    SCOPED_TRACE(fmt::format("part {}", i + 1));
    const CostGraph graph = make_part_graph(profile_, i);
    const Json& expect = expect_["parts"][i];
    check_part(profile_.parts[i], graph, expect);
    check_listed(graph, expect);
    check_inclusive(graph, expect["inclusive"]);
  }
  const CostGraph all = make_cost_graph(profile_);
  check_tables(all, expect_["all_parts"]);
  EXPECT_NO_THROW(check_cost_graph(all));
}

std::set<std::string> lines_of(const std::string& table) {
  std::set<std::string> lines;
  for (size_t at = 0, end; (end = table.find('\n', at)) != std::string::npos; at = end + 1)
    lines.insert(table.substr(at, end - at));
  return lines;
}

/// Lines that only one of the two tables has.
size_t differing_lines(const std::string& a, const std::string& b) {
  std::vector<std::string> differing;
  const auto lines_a = lines_of(a), lines_b = lines_of(b);
  std::set_symmetric_difference(lines_a.begin(), lines_a.end(), lines_b.begin(), lines_b.end(),
                                std::back_inserter(differing));
  return differing.size();
}

TEST_P(GoldenProfileTest, ManualRuleIsWrongWhereTheFileTellsThemApart) {
  ParseOptions options;
  options.rule = PositionRule::kManual;
  options.keep_positions = true;
  const Json& expect = expect_["under_manual_rule"];
  Profile manual;
  ASSERT_NO_THROW(manual = parse_profile(bytes_.view(), GetParam(), options));
  EXPECT_FALSE(manual.emitter_rule);
  size_t parts = 0, rows = 0, edges = 0, functions = 0;
  for (size_t i = 0; i < profile_.parts.size(); ++i) {
    const CostGraph truth = make_part_graph(profile_, i), wrong = make_part_graph(manual, i);
    parts += line_checksum(profile_.parts[i]) != line_checksum(manual.parts[i]);
    rows += differing_lines(rows_table(truth), rows_table(wrong));
    edges += differing_lines(edges_table(truth), edges_table(wrong));
    functions += differing_lines(functions_table(truth), functions_table(wrong));
  }
  EXPECT_EQ(parts, expect["parts_with_wrong_positions"]);
  EXPECT_EQ(rows, expect["wrong_rows"]);
  EXPECT_EQ(edges, expect["wrong_edges"]);
  EXPECT_EQ(functions, expect["wrong_functions"]);
}

TEST_P(GoldenProfileTest, KeepingLinesChangesNoSum) {
  const CostGraph plain = make_cost_graph(parse_profile(bytes_.view(), GetParam()));
  const CostGraph with_lines = make_cost_graph(profile_);
  EXPECT_EQ(functions_table(plain), functions_table(with_lines));
  EXPECT_EQ(rows_table(plain), rows_table(with_lines));
  EXPECT_EQ(edges_table(plain), edges_table(with_lines));
  EXPECT_TRUE(plain.lines.empty());
  EXPECT_FALSE(with_lines.lines.empty());
}

std::string name_of(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Files, GoldenProfileTest,
                         testing::Values("containers.default", "jumpy.instr-jumps", "phases.combined",
                                         "recursion.default", "requests.toggle", "threads.combined",
                                         "weirdnames.default"),
                         name_of);

}  // namespace
}  // namespace icount
