#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <set>
#include <vector>

#include "icount/callgraph/components.h"
#include "icount/callgraph/cost_graph.h"

namespace icount {
namespace {

using Nodes = std::vector<uint32_t>;

TEST(ComponentsTest, EmptyGraphHasNone) {
  EXPECT_EQ(find_components(0, {}).count(), 0u);
  EXPECT_EQ(find_components(3, {}).of, (Nodes{0, 1, 2}));
}

TEST(ComponentsTest, CyclesBecomeOneAndCalleesComeFirst) {
  // 0 -> 1 <-> 2 -> 3, 3 calls itself, 1 -> 4 twice.
  const std::vector<Arc> arcs = {{0, 1}, {1, 2}, {2, 1}, {2, 3}, {3, 3}, {1, 4}, {1, 4}};
  const Components found = find_components(5, arcs);
  ASSERT_EQ(found.count(), 4u);
  EXPECT_EQ(found.of[1], found.of[2]);
  EXPECT_EQ(found.sizes[found.of[1]], 2u);
  EXPECT_EQ(found.sizes[found.of[3]], 1u);
  for (const Arc& arc : arcs) EXPECT_LE(found.of[arc.to], found.of[arc.from]);
  const auto members = found.members();
  const auto pair = members.of(found.of[1]);
  EXPECT_EQ(Nodes(pair.begin(), pair.end()), (Nodes{1, 2}));
}

TEST(ComponentsTest, ChainOfAMillionNeedsNoMachineStack) {
  constexpr uint32_t kNodes = 1'000'000;
  std::vector<Arc> arcs;
  for (uint32_t v = 0; v + 1 < kNodes; ++v) arcs.push_back({v, v + 1});
  EXPECT_EQ(find_components(kNodes, arcs).count(), kNodes);
  arcs.push_back({kNodes - 1, 0});
  const Components ring = find_components(kNodes, arcs);
  ASSERT_EQ(ring.count(), 1u);
  EXPECT_EQ(ring.sizes[0], kNodes);
}

/// Reachability by repeated squaring of the relation, the definition itself.
std::vector<std::vector<bool>> reach(uint32_t nodes, const std::vector<Arc>& arcs) {
  std::vector<std::vector<bool>> r(nodes, std::vector<bool>(nodes, false));
  for (uint32_t v = 0; v < nodes; ++v) r[v][v] = true;
  for (const Arc& arc : arcs) r[arc.from][arc.to] = true;
  for (uint32_t k = 0; k < nodes; ++k)
    for (uint32_t i = 0; i < nodes; ++i)
      for (uint32_t j = 0; j < nodes; ++j)
        if (r[i][k] && r[k][j]) r[i][j] = true;
  return r;
}

TEST(ComponentsTest, AgreesWithReachabilityOnRandomGraphs) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const uint32_t nodes = 1 + random() % 12;
    std::vector<Arc> arcs(random() % 25);
    for (Arc& arc : arcs) arc = {static_cast<uint32_t>(random() % nodes), static_cast<uint32_t>(random() % nodes)};
    const Components found = find_components(nodes, arcs);
    const auto reachable = reach(nodes, arcs);
    for (uint32_t a = 0; a < nodes; ++a)
      for (uint32_t b = 0; b < nodes; ++b) {
        EXPECT_EQ(found.of[a] == found.of[b], reachable[a][b] && reachable[b][a]);
        EXPECT_TRUE(!reachable[a][b] || found.of[b] <= found.of[a]);
      }
  }
}

/// What dominates what by definition: without d, no way from a root leads to the node any more.
std::vector<uint32_t> slow_dominators(size_t nodes, const std::vector<Arc>& arcs, const std::vector<uint32_t>& roots) {
  const auto reached_without = [&](uint32_t removed) {
    std::vector<bool> reached(nodes, false);
    std::vector<uint32_t> open;
    for (uint32_t root : roots)
      if (root != removed) open.push_back(root);
    while (!open.empty()) {
      const uint32_t node = open.back();
      open.pop_back();
      if (reached[node]) continue;
      reached[node] = true;
      for (const Arc& arc : arcs)
        if (arc.from == node && arc.to != removed) open.push_back(arc.to);
    }
    return reached;
  };
  std::vector<std::set<uint32_t>> above(nodes);
  for (uint32_t d = 0; d < nodes; ++d) {
    const std::vector<bool> reached = reached_without(d);
    for (uint32_t n = 0; n < nodes; ++n)
      if (n != d && !reached[n]) above[n].insert(d);
  }
  std::vector<uint32_t> immediate(nodes, kAboveAll);
  for (uint32_t n = 0; n < nodes; ++n)
    for (uint32_t d : above[n])
      if (above[d].size() + 1 == above[n].size()) immediate[n] = d;
  return immediate;
}

TEST(DominatorsTest, AgreeWithTheirDefinitionOnRandomGraphs) {
  std::mt19937 random(3);
  for (int round = 0; round < 400; ++round) {
    const uint32_t nodes = 1 + random() % 12;
    std::vector<Arc> arcs;
    // Every node but the first is entered by an earlier one, so that node 0 is the only root; the other arcs are free.
    for (uint32_t n = 1; n < nodes; ++n) arcs.push_back({static_cast<uint32_t>(random() % n), n});
    for (uint32_t i = random() % 20; i > 0 && nodes > 1; --i)
      arcs.push_back({static_cast<uint32_t>(random() % nodes), 1 + static_cast<uint32_t>(random() % (nodes - 1))});
    const Dominators found = find_dominators(nodes, arcs);
    ASSERT_EQ(found.immediate, slow_dominators(nodes, arcs, {0}));
    std::set<uint32_t> seen;
    for (uint32_t n : found.order) {
      ASSERT_TRUE(found.immediate[n] == kAboveAll || seen.contains(found.immediate[n]));
      seen.insert(n);
    }
    ASSERT_EQ(seen.size(), nodes);
  }
}

TEST(DominatorsTest, EveryNodeIsReachedAlsoWithoutEntry) {
  const std::vector<Arc> arcs = {{0, 1}, {1, 0}, {1, 2}, {3, 2}, {2, 2}};
  EXPECT_EQ(find_dominators(4, arcs).immediate, (std::vector<uint32_t>{kAboveAll, 0, kAboveAll, kAboveAll}));
}

struct Call {
  FunctionIndex caller, callee;
  int64_t cost;
};

CostGraph make_graph(const std::vector<int64_t>& self, const std::vector<Call>& calls) {
  CostGraph graph;
  graph.events = {"Ir"};
  graph.totals = {0};
  for (size_t f = 0; f < self.size(); ++f) {
    graph.functions.push_back({graph.strings.intern(std::string(1, static_cast<char>('a' + f)))});
    graph.totals[0] += self[f];
  }
  graph.self = self;
  for (const Call& call : calls) {
    graph.edges.push_back({call.caller, call.callee, 1});
    graph.inclusive.push_back(call.cost);
  }
  return graph;
}

TEST(InclusiveTest, SelfPlusLeavingEdgesOutsideCycles) {
  const InclusiveCosts costs = make_inclusive_costs(make_graph({1, 10, 100}, {{0, 1, 110}, {1, 2, 100}}));
  EXPECT_EQ(costs.of(0, 0), 111);
  EXPECT_EQ(costs.of(1, 0), 110);
  EXPECT_EQ(costs.of(2, 0), 100);
  EXPECT_EQ(costs.entering_of(1, 0), 110);
  EXPECT_EQ(costs.entering_of(0, 0), 0);
}

TEST(InclusiveTest, MembersOfACycleShareWhatTheCycleCosts) {
  // a enters the cycle b <-> c, whose own edges count nested calls again and again; c calls itself and d.
  const InclusiveCosts costs = make_inclusive_costs(
      make_graph({1, 20, 30, 7}, {{0, 1, 57}, {1, 2, 4000}, {2, 1, 3900}, {2, 2, 9000}, {2, 3, 7}}));
  EXPECT_EQ(costs.of(1, 0), 57);
  EXPECT_EQ(costs.of(2, 0), 57);
  EXPECT_EQ(costs.entering_of(2, 0), 57);
  EXPECT_EQ(costs.component_size(2), 2u);
  EXPECT_EQ(costs.component_size(3), 1u);
  EXPECT_EQ(costs.of(0, 0), 58);
}

TEST(InclusiveTest, HugeEdgesSaturate) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(make_inclusive_costs(make_graph({1, 1}, {{0, 1, kMost}})).of(0, 0), kMost);
}

}  // namespace
}  // namespace icount
