#include "icount/callgraph/inclusive.h"

#include <gtest/gtest.h>

#include <limits>

namespace icount {
namespace {

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
