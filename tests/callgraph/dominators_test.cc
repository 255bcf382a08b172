#include "icount/callgraph/dominators.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace icount {
namespace {

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

}  // namespace
}  // namespace icount
