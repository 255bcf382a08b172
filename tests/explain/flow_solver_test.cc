// The two linear systems of small graphs, figure by figure: chains, recursions, clusters of few and of many functions.
#include "icount/explain/flow/flow_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace icount {
namespace {

using Figures = std::vector<long double>;

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

TEST(FlowSolverTest, WhatACallIsWorthWithAllBelow) {
  Flow chain(4, {{0, 1, 2}, {0, 2, 3}, {1, 3, 5}, {2, 3, 7}});
  EXPECT_EQ(chain.worth({1, 10, 100, 1000}), (Figures{1 + 2 * 5010 + 3 * 7100, 5010, 7100, 1000}));
  EXPECT_EQ(chain.calls({1, 0, 4, 0}), (Figures{1, 2, 7, 2 * 5 + 7 * 7}));
}

TEST(FlowSolverTest, ARecursionCountsItsOwnCalls) {
  Flow recursion(3, {{0, 1, 2}, {1, 1, 0.75L}, {1, 2, 3}});
  EXPECT_EQ(recursion.worth({1, 10, 100}), (Figures{1 + 2 * 1240, 1240, 100}));
  EXPECT_EQ(recursion.calls({1, 0, 0}), (Figures{1, 8, 24}));
}

TEST(FlowSolverTest, ARecursionThatNeverEndsHasABound) {
  Flow endless(1, {{0, 0, 1}});
  const long double worth = endless.worth({1})[0];
  EXPECT_TRUE(std::isfinite(worth));
  EXPECT_GT(worth, 9e18L);
  endless.rates()[0] = 2;  // counts that saturated
  EXPECT_EQ(endless.worth({1})[0], worth);
}

TEST(FlowSolverTest, ACycleIsSolvedAsOne) {
  // Each call of 1 makes a quarter of a call of 2, each of 2 makes one of 1 and two of 3.
  Flow cycle(4, {{0, 1, 6}, {1, 2, 0.25L}, {2, 1, 1}, {2, 3, 2}});
  const Figures worth = cycle.worth({0, 3, 4, 5}), calls = cycle.calls({1, 0, 0, 0});
  // v1 = 3 + v2 / 4, v2 = 4 + 10 + v1
  EXPECT_NEAR(static_cast<double>(worth[1]), 26.0 / 3, 1e-14);
  EXPECT_NEAR(static_cast<double>(worth[2]), 68.0 / 3, 1e-14);
  EXPECT_NEAR(static_cast<double>(worth[0]), 52, 1e-14);
  // x1 = 6 + x2, x2 = x1 / 4
  EXPECT_NEAR(static_cast<double>(calls[1]), 8, 1e-14);
  EXPECT_NEAR(static_cast<double>(calls[2]), 2, 1e-14);
  EXPECT_NEAR(static_cast<double>(calls[3]), 4, 1e-14);
}

TEST(FlowSolverTest, FiguresAreRefinedBeyondADouble) {
  // v0 = 1e15 + v1, v1 = 1/3 + 2/3 v0: no double holds the third behind 3e15.
  Flow cycle(2, {{0, 1, 1}, {1, 0, 2.0L / 3}});
  const Figures worth = cycle.worth({1e15L, 1.0L / 3});
  EXPECT_NEAR(static_cast<double>(worth[0] - worth[1] - 1e15L), 0, 1e-3);
  EXPECT_NEAR(static_cast<double>(worth[0] - (3e15L + 1)), 0, 1e-2);
}

TEST(FlowSolverTest, ACycleWithoutAnEndKeepsItsFigures) {
  Flow endless(2, {{0, 1, 1}, {1, 0, 1}});
  EXPECT_EQ(endless.worth({3, 4}), (Figures{3, 4}));
  EXPECT_EQ(endless.calls({1, 0}), (Figures{1, 0}));
}

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

TEST(FlowSolverTest, ALargeClusterWithoutAnEndKeepsItsFigures) {
  std::vector<RatedCall> calls;
  for (uint32_t i = 0; i < 60; ++i) calls.push_back({i, (i + 1) % 60, 1});
  Flow endless(60, calls);
  EXPECT_EQ(endless.worth(Figures(60, 5)), Figures(60, 5));
}

TEST(ClusterFactorsTest, AreOfTheSameCallsAndTheSameNumberOfMembers) {
  ClusterFactors factors;
  const std::vector<InnerCall> calls = {{0, 1, 0.5L}};
  Figures two = {1, 2}, three = {1, 2, 3}, again = {3, 4};
  factors.solve(calls, two);
  EXPECT_EQ(two, (Figures{2, 2}));
  factors.solve(calls, three);
  EXPECT_EQ(three, (Figures{2, 2, 3}));
  factors.solve(calls, again);
  EXPECT_EQ(again, (Figures{5, 4}));
  for (const InnerCall& other : {InnerCall{1, 0, 0.5L}, InnerCall{0, 1, 0.25L}}) {
    Figures values = {4, 8};
    factors.solve({other}, values);
    EXPECT_EQ(values, other.row == 1 ? (Figures{4, 10}) : (Figures{6, 8}));
  }
}

}  // namespace
}  // namespace icount
