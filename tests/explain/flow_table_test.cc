// Tables of nodes: their graphs, their linear systems, and the terms that a solution gives.
#include "icount/explain/flow/flow_table.h"

#include <gtest/gtest.h>

#include <limits>

#include "icount/explain/flow/decompose.h"
#include "written_table.h"

namespace icount {
namespace {

using Figures = std::vector<long double>;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

FlowGraph graph_of(uint32_t nodes, std::vector<FlowEdge> edges) {
  FlowGraph graph;
  graph.nodes.resize(nodes);
  graph.edges = std::move(edges);
  index_edges(graph);
  return graph;
}

using Entries = std::vector<BothSides>;

Entries entries_of(FlowGraph graph) {
  for (FlowNode& node : graph.nodes) node.entries = {7, 7};  // what was there does not count
  find_entries(graph);
  Entries entries;
  for (const FlowNode& node : graph.nodes) entries.push_back(node.entries);
  return entries;
}

TEST(FindEntriesTest, OfACycleTheDearestOnBothSidesTogether) {
  FlowGraph graph = graph_of(3, {{0, 1, {1, 1}, {}}, {1, 2, {1, 1}, {}}, {2, 0, {1, 1}, {}}});
  graph.nodes[0].self = {9, 0};
  graph.nodes[1].self = {5, 6};
  graph.nodes[2].self = {0, 9};
  EXPECT_EQ(entries_of(graph), (Entries{{0, 0}, {1, 1}, {0, 0}}));
  graph.nodes[1].self = {4, 5};
  EXPECT_EQ(entries_of(graph), (Entries{{1, 1}, {0, 0}, {0, 0}})) << "the first of equals";
  graph.nodes[2].self = {kMost, kMost};
  EXPECT_EQ(entries_of(graph), (Entries{{0, 0}, {0, 0}, {1, 1}})) << "without overflow";
}

TEST(OnlyCallOfTest, OneOtherFunctionCallsIt) {
  const FlowGraph graph =
      graph_of(4, {{0, 1, {1, 0}, {}}, {0, 2, {1, 1}, {}}, {1, 1, {3, 3}, {}}, {1, 2, {1, 1}, {}}, {2, 3, {1, 1}, {}}});
  EXPECT_EQ(only_call_of(graph, 0), nullptr);
  EXPECT_EQ(only_call_of(graph, 1), &graph.edges[0]) << "its calls of itself do not count";
  EXPECT_EQ(only_call_of(graph, 2), nullptr) << "two do";
  EXPECT_EQ(only_call_of(graph, 3), &graph.edges[4]);
}

TEST(FindEntriesTest, ACostOfOneIsEntered) {
  FlowGraph graph = graph_of(3, {{1, 2, {1, 0}, {}}});
  graph.nodes[0].self = {1, 0};
  EXPECT_EQ(entries_of(graph), (Entries{{1, 0}, {1, 0}, {0, 0}}));
}

/// Calls by caller and callee, sorted, each with the calls per call of its caller.
struct RatedCall {
  uint32_t caller = 0, callee = 0;
  long double rate = 0;
};

class Flow {
 public:
  Flow(size_t nodes, const std::vector<RatedCall>& calls) {
    std::vector<Arc> arcs;
    shape_.first_edge.assign(nodes + 1, 0);
    for (const RatedCall& call : calls) {
      arcs.push_back({call.caller, call.callee});
      shape_.callee.push_back(call.callee);
      rates_.push_back(call.rate);
      for (size_t node = call.caller; node < nodes; ++node) ++shape_.first_edge[node + 1];
    }
    components_ = find_components(nodes, arcs);
  }
  Figures worth(const Figures& own) { return FlowSolver(shape_, components_, factors_).worth(own, rates_); }
  Figures calls(const Figures& entries) { return FlowSolver(shape_, components_, factors_).calls(entries, rates_); }
  std::vector<long double>& rates() { return rates_; }

 private:
  FlowShape shape_;
  Components components_;
  ClusterFactors factors_;
  std::vector<long double> rates_;
};

/// `size` functions, each of which calls the next one half a time, and the last one the first. One call of each is
/// worth twice what is left to do.
void expect_ring(uint32_t size) {
  std::vector<RatedCall> calls;
  for (uint32_t i = 0; i + 1 < size; ++i) calls.push_back({i, i + 1, 0.5L});
  calls.push_back({size - 1, 0, 0.5L});
  Flow ring(size, calls);
  for (const long double worth : ring.worth(Figures(size, 7))) EXPECT_NEAR(static_cast<double>(worth), 14, 1e-14);
  Figures once(size, 0);
  once[0] = 1;
  const Figures times = ring.calls(once);
  EXPECT_NEAR(static_cast<double>(times[0]), 1, 1e-12);
  EXPECT_NEAR(static_cast<double>(times[1]), 0.5, 1e-12);
  EXPECT_NEAR(static_cast<double>(times[3]), 0.125, 1e-12);
}

TEST(FlowSolverTest, LargeClustersAreSolvedAsSmallOnesAre) {
  for (const uint32_t size : {47u, 48u, 49u, 200u}) expect_ring(size);
}

/// Nothing is fixed, and calls per call are the table's.
Decomposition figures_of(const FlowGraph& graph, const FlowTable& table) {
  Decomposition figures;
  figures.fixed_self.assign(graph.nodes.size(), false);
  figures.further_self.assign(graph.nodes.size(), 0);
  for (size_t side = 0; side < 2; ++side) {
    figures.sides[side].calls_per_call.assign(graph.edges.size(), 0);
    for (size_t e = 0; e < table.edge_of.size(); ++e)
      figures.sides[side].calls_per_call[table.edge_of[e]] = table.rates[side][e];
  }
  return figures;
}

/// main calls 1 so often, at so much.
struct Called {
  std::array<long double, 2> rates{100, 100}, price{10, 10};
  BothSides counts{100, 150};
  std::array<long double, 2> entries{1, 1};
};

Solved solved(const Called& of, bool figures_differ = true) {
  FlowGraph graph;
  graph.nodes.resize(2);
  graph.nodes[1].self = {1000, 1700};
  graph.edges = {{0, 1, of.counts, {}}};
  index_edges(graph);
  FlowTable table = table_of(graph);
  table.caller_edge[1] = 0;
  for (size_t side = 0; side < 2; ++side) {
    table.own[side][1] = of.price[side];
    table.rates[side][0] = of.rates[side];
  }
  table.sources[0].calls = of.entries;
  Decomposition figures = figures_of(graph, table);
  if (!figures_differ) figures.sides[1] = figures.sides[0];
  ClusterFactors factors;
  const std::vector<bool> split(2, false);
  Solved found = solve_table(graph, table, split, figures, factors);
  EXPECT_EQ(found.split, split);
  return found;
}

double number(long double value) { return static_cast<double>(value); }

TEST(SolvedTableTest, AboveThreeQuartersOfTheCallsToo) {
  EXPECT_EQ(solved({{100, 150}, {10, 7.28L}}).told[1], Told::kWithCalls);
  EXPECT_EQ(solved({{100, 150}, {10, 7.27L}}).told[1], Told::kBelow);
  EXPECT_EQ(solved({{150, 100}, {7.28L, 10}}).told[1], Told::kWithCalls);
  EXPECT_EQ(solved({{150, 100}, {7.27L, 10}}).told[1], Told::kBelow);
}

TEST(SolvedTableTest, MoreCallsThatAreDearerAreTwoChanges) {
  EXPECT_EQ(solved({{100, 150}, {10, 11}}).told[1], Told::kBelow);
  EXPECT_EQ(solved({{150, 100}, {10, 9}}).told[1], Told::kBelow);
  EXPECT_EQ(solved({{100, 150}, {10, 9}, {100, 0}}).told[1], Told::kBelow) << "head counts none";
  EXPECT_EQ(solved({{100, 150}, {10, 9}, {0, 150}}).told[1], Told::kBelow) << "base counts none";
}

TEST(SolvedTableTest, CallsThatWereMadeUpCountThreeTimes) {
  EXPECT_NEAR(number(solved({{100, 150}, {10, 12}}).gross), 200 + 50 * 12, 1e-9);
  EXPECT_NEAR(number(solved({{100, 150}, {10, 12}}, false).gross), 200 + 3 * 50 * 12, 1e-9)
      << "as many for each call as before";
  EXPECT_NEAR(number(solved({{99, 100}, {10, 12}}).gross), 198 + 3 * 12, 1e-9) << "to a hundredth";
  EXPECT_NEAR(number(solved({{98.9L, 100}, {10, 12}}).gross), 197.8 + 1.1 * 12, 1e-9);
  EXPECT_NEAR(number(solved({{100, 98.9L}, {12, 10}}).gross), 197.8 + 1.1 * 12, 1e-9);
}

/// main calls two functions, which call a third one ten times each; that is split.
class SplitTableTest : public testing::Test {
 protected:
  SplitTableTest() {
    graph_.nodes.resize(4);
    graph_.edges = {
        {0, 1, {1, 1}, {}}, {0, 2, {1, 1}, {}}, {1, 3, {10, 10}, {1000, 1001}}, {2, 3, {10, 10}, {3000, 3500}}};
    index_edges(graph_);
  }
  TellingPlaces told() {
    FlowGraph of_table;
    of_table.nodes.resize(5);
    of_table.edges = {{0, 1, {}, {}}, {0, 2, {}, {}}, {1, 3, {}, {}}, {2, 4, {}, {}}};
    index_edges(of_table);
    FlowTable table = table_of(of_table);
    table.node_of = {0, 1, 2, 3, 3};
    table.is_split = {false, false, false, true, is_split_};
    table.caller_edge = {FlowTable::kAllCallers, 0, 1, 2, 3};
    table.prices = {Figures{1, 1, 1, shares_[0], 1.5L}, Figures{1, 1, 1, shares_[1], 1.5L}};
    table.own = {Figures{0, 0, 0, 100, 300}, Figures{0, 0, 0, 90, 360}};
    table.rates = {Figures{1, 1, 10, 10}, Figures{1, 1, 10, 10}};
    ClusterFactors factors;
    solved_ = solve_table(graph_, table, {false, false, false, true}, figures_of(graph_, table), factors);
    return solved_.told;
  }
  static TellingPlaces only(uint32_t node) {
    TellingPlaces told(5, Told::kBelow);
    told[node] = Told::kWithCalls;
    return told;
  }

  FlowGraph graph_;
  std::array<long double, 2> shares_ = {0.5L, 0.45L};
  bool is_split_ = true;
  Solved solved_;
  const TellingPlaces below_ = TellingPlaces(5, Told::kBelow);
};

TEST_F(SplitTableTest, CostsThatDifferByLessThanAThousandthAreTheSame) {
  graph_.edges[2].inclusive = {1002, 1000};
  EXPECT_EQ(told(), below_);
  graph_.edges[2].inclusive = {1001, 1000};
  EXPECT_EQ(told(), only(3));
  graph_.edges[2].calls = {10, 0};
  EXPECT_EQ(told(), below_) << "head does not make them";
  graph_.edges[2].calls = {0, 10};
  EXPECT_EQ(told(), below_);
}

TEST_F(SplitTableTest, WhereNoOtherCallersCallsChangedThereIsNothingToTellApart) {
  graph_.edges[3].inclusive = {3000, 3030};
  EXPECT_EQ(told(), below_) << "a hundredth";
  graph_.edges[3].inclusive = {3000, 3031};
  EXPECT_EQ(told(), only(3));
  graph_.edges[3].inclusive = {3031, 3000};
  EXPECT_EQ(told(), only(3));
  graph_.edges[3].inclusive = {3000, 3000};
  graph_.edges[3].calls = {10, 0};
  EXPECT_EQ(told(), only(3)) << "the other's are gone";
  graph_.edges[3].calls = {10, 10};
  graph_.edges[3].inclusive = {3000, 3500};
  is_split_ = false;
  EXPECT_EQ(told(), below_) << "it is no node of the split function";
}

TEST_F(SplitTableTest, ACallerOfTheSameShareHasNoTermsThatWereMadeUp) {
  shares_ = {0.5L, 0.491L};
  EXPECT_EQ(told(), below_);
  shares_ = {0.5L, 0.489L};
  EXPECT_EQ(told(), only(3));
  shares_ = {0.489L, 0.5L};
  EXPECT_EQ(told(), only(3));
}

}  // namespace
}  // namespace icount
