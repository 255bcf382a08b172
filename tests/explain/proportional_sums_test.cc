// Work that grew by one factor, given figure by figure: from which factor on, how nearly all of it, how much of all.
#include "icount/explain/claims/relations.h"

#include <gtest/gtest.h>

#include <limits>

namespace icount {
namespace {

/// Function 0 is called ten times on both sides, costs itself, and calls others that cost nothing.
struct Loops {
  std::vector<BothSides> calls;          ///< of the others
  BothSides self = {1000, 2000};         ///< of function 0
  std::vector<long double> values = {};  ///< of the calls' terms; 100 each where there are none
  std::array<long double, 2> called = {10, 10};
  long double elsewhere = 0;  ///< a term of another function
};

std::vector<HeadedSum> found(const Loops& loops, bool own_is_taken = false) {
  OpenedFlow flow;
  const auto others = static_cast<uint32_t>(loops.calls.size());
  flow.condensed.graph.nodes.resize(others + 2);
  flow.condensed.graph.nodes[0].self = loops.self;
  for (auto& side : flow.figures.sides) side.calls.assign(others + 2, 1);
  for (const size_t side : {0, 1}) flow.figures.sides[side].calls[0] = loops.called[side];
  flow.figures.terms.push_back({TermKind::kOwnCost, 0, static_cast<long double>(loops.self[1] - loops.self[0])});
  for (uint32_t i = 0; i < others; ++i) {
    flow.condensed.graph.edges.push_back({0, i + 1, loops.calls[i], {}});
    flow.figures.terms.push_back({TermKind::kCalls, i, i < loops.values.size() ? loops.values[i] : 100});
  }
  // Of a function that is called otherwise than before.
  flow.figures.sides[1].calls[others + 1] = 2;
  if (loops.elsewhere != 0) flow.figures.terms.push_back({TermKind::kOwnCost, others + 1, loops.elsewhere});
  std::vector<bool> taken(flow.figures.terms.size(), false);
  taken[0] = own_is_taken;
  return find_longer_loops(flow, taken);
}

using Terms = std::vector<uint32_t>;
Terms terms(const Loops& loops) {
  const std::vector<HeadedSum> sums = found(loops);
  EXPECT_LE(sums.size(), 1u);
  return sums.empty() ? Terms{} : sums[0].terms;
}

TEST(LongerLoopsTest, AllThatTheFunctionDoesByOneFactor) {
  EXPECT_EQ(terms({.calls = {{10, 20}, {30, 60}, {5, 10}}}), (Terms{0, 1, 2, 3}));
  EXPECT_EQ(terms({.calls = {{20, 10}, {60, 30}, {10, 5}}, .self = {2000, 1000}}), (Terms{0, 1, 2, 3})) << "or fewer";
  EXPECT_EQ(terms({.calls = {{10, 20}, {30, 60}}}), Terms{}) << "four terms at least";
  EXPECT_EQ(found({.calls = {{10, 20}, {30, 60}, {5, 10}, {1, 2}}}, true).size(), 0u) << "its own cost among them";
}

TEST(LongerLoopsTest, NineTenthsOfAllThatChangedAboutIt) {
  const auto beside = [](long double other) {
    return terms({.calls = {{10, 20}, {30, 60}, {5, 10}, {7, 7}}, .values = {100, 100, 100, other}}).size();
  };
  EXPECT_EQ(beside(144), 4u) << "1,300 of 1,444";
  EXPECT_EQ(beside(145), 0u);
  EXPECT_EQ(beside(-145), 0u);
}

TEST(LongerLoopsTest, CalledAsOftenAsBefore) {
  EXPECT_EQ(terms({.calls = {{10, 20}, {30, 60}, {5, 10}}, .called = {10, 11}}), Terms{});
  EXPECT_EQ(terms({.calls = {{10, 20}, {30, 60}, {5, 10}}, .called = {0, 0}}), Terms{});
  EXPECT_EQ(terms({.calls = {{10, 20}, {30, 60}, {5, 10}}, .called = {1, 1}}), (Terms{0, 1, 2, 3})) << "once";
  EXPECT_EQ(terms({.calls = {{1, 2}, {1, 2}, {2, 1}, {1, 2}}, .self = {1, 2}, .values = {9, 9, 1, 9}}),
            (Terms{0, 1, 2, 4}));
}

TEST(LongerLoopsTest, AFifthOfTheLargestTermAtLeast) {
  EXPECT_EQ(terms({.calls = {{10, 20}, {30, 60}, {5, 10}}, .elsewhere = 6500}).size(), 4u) << "1,300 of it";
  EXPECT_EQ(terms({.calls = {{10, 20}, {30, 60}, {5, 10}}, .elsewhere = 6501}).size(), 0u);
}

/// main calls `work` once, which calls five functions once each; all cost what is said, and twice that in head.
struct Work {
  std::vector<BothSides> self = {{100, 200}, {100, 200}, {100, 200}, {100, 200}, {100, 200}};
  BothSides main = {10, 10};
  long double largest = 0;  ///< of the terms; their own where it is 0
  BothSides calls_of_work = {1, 1};
  std::array<long double, 2> worth = {500, 1000};  ///< of every function
};

std::optional<HeadedSum> longer(const Work& of, bool taken = false) {
  OpenedFlow flow;
  FlowGraph& graph = flow.condensed.graph;
  const auto parts = static_cast<uint32_t>(of.self.size());
  graph.nodes.resize(parts + 2);
  graph.nodes[0] = {of.main, {1, 1}};
  BothSides below{};
  for (uint32_t i = 0; i < parts; ++i) {
    graph.nodes[i + 2].self = of.self[i];
    graph.edges.push_back({1, i + 2, {1, 1}, of.self[i]});
    for (const size_t side : {0, 1}) below[side] += of.self[i][side];
    const auto change = static_cast<long double>(of.self[i][1] - of.self[i][0]);
    flow.figures.terms.push_back({TermKind::kOwnCost, i + 2, change});
  }
  graph.edges.push_back({0, 1, of.calls_of_work, below});
  index_edges(graph);
  for (const size_t side : {0, 1}) flow.figures.sides[side].worth.assign(parts + 2, of.worth[side]);
  if (of.largest != 0) flow.figures.terms.front().value = of.largest;
  const int64_t change = below[1] - below[0] + of.main[1] - of.main[0];
  return find_longer_work(flow, std::vector<bool>(flow.figures.terms.size(), taken), change);
}

TEST(LongerWorkTest, ByTheFunctionThatIsCalledAsOften) {
  const std::optional<HeadedSum> sum = longer({.calls_of_work = {1, 2}});
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum->node, 0u);
}

TEST(LongerWorkTest, FourFunctionsAtLeast) {
  EXPECT_TRUE(longer({.self = std::vector<BothSides>(4, {100, 200})}));
  EXPECT_FALSE(longer({.self = std::vector<BothSides>(3, {100, 200})}));
}

TEST(LongerWorkTest, NoTermForMostOfIt) {
  EXPECT_TRUE(longer({.largest = 299}));
  EXPECT_FALSE(longer({.largest = 301})) << "of 500";
  EXPECT_FALSE(longer({.largest = -301}));
}

TEST(LongerWorkTest, FromATenthMoreOn) {
  EXPECT_TRUE(longer({.self = std::vector<BothSides>(5, {1000, 1101})}));
  EXPECT_FALSE(longer({.self = std::vector<BothSides>(5, {1000, 1099})}));
  EXPECT_TRUE(longer({.self = std::vector<BothSides>(5, {1000, 900})}));
}

TEST(LongerWorkTest, NearlyAllOfTheChangeIsBelowIt) {
  EXPECT_TRUE(longer({.main = {10, 65}})) << "500 of 555";
  EXPECT_FALSE(longer({.main = {10, 66}})) << "and of 556";
}

TEST(LongerWorkTest, NotWhereNobodyCanSayWhatACallCosts) {
  EXPECT_FALSE(longer({.worth = {0, 1000}}));
  EXPECT_FALSE(longer({.worth = {500, -1}}));
  EXPECT_FALSE(longer({.worth = {std::numeric_limits<long double>::infinity(), 1000}}));
}

}  // namespace
}  // namespace icount
