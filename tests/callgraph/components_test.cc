#include "icount/callgraph/components.h"

#include <gtest/gtest.h>

#include <random>

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

}  // namespace
}  // namespace icount
