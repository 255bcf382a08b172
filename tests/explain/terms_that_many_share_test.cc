// Terms that become one cause: from which parts on, which not, given figure by figure (explain/claims/relations.h).
#include <gtest/gtest.h>

#include "icount/explain/claims/relations.h"

namespace icount {
namespace {

/// A flow of so many functions whose edges and terms are given; nothing else of it is looked at.
struct GivenFlow {
  explicit GivenFlow(uint32_t nodes) {
    flow.condensed.graph.nodes.resize(nodes);
    for (uint32_t i = 0; i < nodes; ++i) {
      flow.condensed.node_of.push_back(i);
      flow.condensed.members.push_back({i});
    }
  }
  /// A call with its term.
  GivenFlow& call(uint32_t caller, uint32_t callee, const BothSides& calls, long double value) {
    flow.condensed.graph.edges.push_back({caller, callee, calls, {}});
    const auto edge = static_cast<uint32_t>(flow.condensed.graph.edges.size() - 1);
    flow.figures.terms.push_back({TermKind::kCalls, edge, value});
    return *this;
  }
  GivenFlow& own(uint32_t node, long double value) {
    flow.figures.terms.push_back({TermKind::kOwnCost, node, value});
    return *this;
  }
  GivenFlow& entry(uint32_t node, long double value) {
    flow.figures.terms.push_back({TermKind::kEntry, node, value});
    return *this;
  }
  std::vector<bool> none() const { return std::vector<bool>(flow.figures.terms.size(), false); }

  OpenedFlow flow;
};

using Terms = std::vector<uint32_t>;

/// The terms of the only sum; none where there is no sum.
Terms only(const std::vector<HeadedSum>& sums) {
  EXPECT_LE(sums.size(), 1u);
  return sums.empty() ? Terms{} : sums[0].terms;
}
Terms shared(const GivenFlow& of) { return only(find_shared_callees(of.flow, of.none())); }

TEST(LargestTermTest, WithoutItsSign) {
  EXPECT_EQ(largest_term(GivenFlow(1).own(0, 5).own(0, -7).entry(0, 6).flow), 7);
  EXPECT_EQ(least_sum(GivenFlow(1).own(0, -50).flow), 10);
  EXPECT_EQ(largest_term(GivenFlow(1).flow), 0);
}

TEST(SharedCalleesTest, TwoCallersAtLeast) {
  EXPECT_EQ(shared(GivenFlow(3).call(0, 2, {0, 5}, 50).call(1, 2, {0, 5}, 50)), (Terms{0, 1}));
  EXPECT_EQ(shared(GivenFlow(3).call(0, 2, {0, 5}, 50)), Terms{});
  EXPECT_EQ(shared(GivenFlow(4).call(0, 2, {0, 5}, 50).call(1, 3, {0, 5}, 50)), Terms{}) << "of one function";
  EXPECT_EQ(shared(GivenFlow(3).call(0, 2, {0, 5}, 50).call(1, 2, {5, 0}, 50)), Terms{}) << "on one side";
}

TEST(SharedCalleesTest, NoneForMostOfTheSum) {
  EXPECT_EQ(shared(GivenFlow(3).call(0, 2, {0, 5}, 59).call(1, 2, {0, 5}, 41)), (Terms{0, 1}));
  EXPECT_EQ(shared(GivenFlow(3).call(0, 2, {0, 5}, 61).call(1, 2, {0, 5}, 39)), Terms{});
  EXPECT_EQ(shared(GivenFlow(3).call(0, 2, {5, 0}, -61).call(1, 2, {5, 0}, -39)), Terms{});
}

TEST(SharedCalleesTest, CallsThatOneSideMakesTenTimesAsOften) {
  const auto with = [](const BothSides& calls) {
    return shared(GivenFlow(3).call(0, 2, calls, 50).call(1, 2, calls, 50)).size();
  };
  EXPECT_EQ(with({10, 100}), 2u);
  EXPECT_EQ(with({100, 10}), 2u);
  EXPECT_EQ(with({10, 99}), 0u);
  EXPECT_EQ(with({11, 109}), 0u);
  EXPECT_EQ(with({0, 0}), 0u);
}

TEST(SharedCalleesTest, OnlyCallsOfOthersThatNoCauseHasYet) {
  EXPECT_EQ(shared(GivenFlow(3).call(0, 2, {0, 5}, 50).call(2, 2, {0, 5}, 50)), Terms{});
  EXPECT_EQ(shared(GivenFlow(3).own(2, 50).call(0, 2, {0, 5}, 50)), Terms{});
  const GivenFlow two = GivenFlow(3).call(0, 2, {0, 5}, 50).call(1, 2, {0, 5}, 50);
  EXPECT_EQ(only(find_shared_callees(two.flow, {true, false})), Terms{});
}

TEST(SharedCalleesTest, AFifthOfTheLargestTermAtLeast) {
  const auto beside = [](long double largest) {
    return shared(GivenFlow(3).call(0, 2, {0, 5}, 50).call(1, 2, {0, 5}, 50).own(0, largest)).size();
  };
  EXPECT_EQ(beside(500), 2u);
  EXPECT_EQ(beside(501), 0u);
  EXPECT_EQ(beside(-501), 0u);
}

/// 0 and 1 call 2 in base and 3 in head.
std::vector<HeadedSum> replaced(const BothSides& base_calls, const BothSides& head_calls, uint32_t second_caller = 1) {
  const GivenFlow of = GivenFlow(5)
                           .call(0, 2, {base_calls[0], 0}, -80)
                           .call(0, 3, {0, head_calls[0]}, 50)
                           .call(1, 2, {base_calls[1], 0}, -80)
                           .call(second_caller, 3, {0, head_calls[1]}, 50);
  return find_shared_callees(of.flow, of.none());
}

TEST(SharedCalleesTest, OneThatTakesTheOthersPlace) {
  const std::vector<HeadedSum> sums = replaced({5, 7}, {5, 7});
  ASSERT_EQ(sums.size(), 1u);
  EXPECT_EQ(sums[0].node, 3u) << "head's";
  EXPECT_EQ(sums[0].instead_of, 2u);
  EXPECT_EQ(sums[0].terms, (Terms{1, 3, 0, 2}));
}

TEST(SharedCalleesTest, WhichTheSameCallersCallAsOften) {
  EXPECT_EQ(replaced({5, 7}, {5, 8}).size(), 2u);
  EXPECT_EQ(replaced({5, 7}, {5, 7}, 4).size(), 2u);
  for (const HeadedSum& sum : replaced({5, 7}, {5, 8})) EXPECT_EQ(sum.instead_of, SentenceSource::kNoNode);
  const GivenFlow more = GivenFlow(5)
                             .call(0, 2, {5, 0}, -80)
                             .call(1, 2, {5, 0}, -80)
                             .call(0, 3, {0, 5}, 50)
                             .call(1, 3, {0, 5}, 50)
                             .call(4, 3, {0, 5}, 50);
  EXPECT_EQ(find_shared_callees(more.flow, more.none()).size(), 2u) << "one more caller";
}

/// 0 calls the dispatcher 1 more often, which calls 2.
struct Dispatched {
  BothSides of_dispatcher = {100, 200}, of_callee = {100, 200};
  long double first = 500, second = 500;
};
std::vector<DispatchedCalls> dispatched(const Dispatched& calls, long double largest = 0) {
  GivenFlow of = GivenFlow(3).call(0, 1, calls.of_dispatcher, calls.first).call(1, 2, calls.of_callee, calls.second);
  if (largest != 0) of.own(0, largest);
  return find_dispatched_calls(of.flow, of.none());
}

TEST(DispatchedCallsTest, OneCallToldInTwoTerms) {
  const std::vector<DispatchedCalls> found = dispatched({});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].by, 0u);
  EXPECT_EQ(found[0].through, 1u);
  EXPECT_EQ(found[0].terms, (Terms{0, 1}));
  EXPECT_EQ(dispatched({.of_dispatcher = {200, 100}, .of_callee = {200, 100}, .first = -500, .second = -500}).size(),
            1u);
}

TEST(DispatchedCallsTest, AsManyTimesMore) {
  EXPECT_EQ(dispatched({.of_callee = {100, 202}}).size(), 1u) << "to a fiftieth";
  EXPECT_EQ(dispatched({.of_callee = {100, 203}}).size(), 0u);
  EXPECT_EQ(dispatched({.of_callee = {100, 198}}).size(), 1u);
  EXPECT_EQ(dispatched({.of_callee = {100, 197}}).size(), 0u);
  EXPECT_EQ(dispatched({.of_callee = {200, 100}}).size(), 0u) << "fewer";
}

TEST(DispatchedCallsTest, BothTermsMatterAndGoTheSameWayAsTheCalls) {
  EXPECT_EQ(dispatched({.first = 950, .second = 50}).size(), 1u) << "a twentieth of both";
  EXPECT_EQ(dispatched({.first = 951, .second = 49}).size(), 0u);
  EXPECT_EQ(dispatched({.first = 49, .second = 951}).size(), 0u);
  EXPECT_EQ(dispatched({.first = 500, .second = -500}).size(), 0u);
  EXPECT_EQ(dispatched({.first = -500, .second = -500}).size(), 0u) << "more calls cost more";
}

TEST(DispatchedCallsTest, AFifthOfTheLargestTermAtLeast) {
  EXPECT_EQ(dispatched({}, 5000).size(), 1u);
  EXPECT_EQ(dispatched({}, 5001).size(), 0u);
  EXPECT_EQ(dispatched({.first = 98, .second = 902}, 5000).size(), 0u) << "calls below a tenth of that";
  EXPECT_EQ(dispatched({.first = 100, .second = 900}, 5000).size(), 1u);
}

TEST(DispatchedCallsTest, EachTermOnceAndNoRecursion) {
  const GivenFlow two = GivenFlow(4).call(0, 1, {0, 9}, 500).call(1, 2, {0, 9}, 400).call(1, 3, {0, 9}, 79);
  ASSERT_EQ(find_dispatched_calls(two.flow, two.none()).size(), 1u);
  EXPECT_EQ(find_dispatched_calls(two.flow, two.none())[0].terms, (Terms{0, 1})) << "the first of two";
  EXPECT_EQ(find_dispatched_calls(two.flow, {false, true, false}).at(0).terms, (Terms{0, 2})) << "that is not taken";
  EXPECT_TRUE(find_dispatched_calls(two.flow, {true, false, false}).empty());
  const GivenFlow itself = GivenFlow(2).call(0, 1, {0, 9}, 500).call(1, 1, {0, 9}, 400);
  EXPECT_TRUE(find_dispatched_calls(itself.flow, itself.none()).empty());
}

/// Node 0 calls itself, costs more itself, and calls 1 on both sides and 2 on one.
struct Grown {
  long double own = 0, itself = 0, other = 0, one_sided = 0;
  BothSides inner = {10, 20};
};
Terms grown(const Grown& of, long double largest = 0, size_t members = 1) {
  GivenFlow given = GivenFlow(3)
                        .own(0, of.own)
                        .call(0, 0, of.inner, of.itself)
                        .call(0, 1, {10, 20}, of.other)
                        .call(0, 2, {0, 20}, of.one_sided);
  if (largest != 0) given.own(1, largest);
  for (uint32_t i = 1; i < members; ++i) given.flow.condensed.members[0].push_back(i);
  return only(find_grown_recursions(given.flow, given.none()));
}

TEST(GrownRecursionsTest, ItsOwnCostAndItsCallsOfItself) {
  EXPECT_EQ(grown({.own = 90, .itself = 10}), (Terms{0, 1})) << "a tenth each at least";
  EXPECT_EQ(grown({.own = 91, .itself = 9}), Terms{});
  EXPECT_EQ(grown({.own = -90, .itself = -10}), (Terms{0, 1}));
  EXPECT_EQ(grown({.own = 90, .itself = -10}), Terms{});
}

TEST(GrownRecursionsTest, WithAllThatItCallsWhereItsCallsOfItselfAreMostOfIt) {
  const Terms all = {0, 1, 2, 3};
  EXPECT_EQ(grown({.own = 30, .itself = 50, .other = 20}), all) << "half";
  EXPECT_EQ(grown({.own = 31, .itself = 49, .other = 20}), (Terms{0, 1}));
  EXPECT_EQ(grown({.itself = 95, .other = 5}), all) << "the rest is a twentieth";
  EXPECT_EQ(grown({.itself = 96, .other = 4}), Terms{});
  EXPECT_EQ(grown({.itself = -80, .other = -20}), all);
  EXPECT_EQ(grown({.itself = 125, .other = -25}), all) << "terms come to one and a half of their sum";
  EXPECT_EQ(grown({.itself = 126, .other = -26}), Terms{});
  EXPECT_EQ(grown({.itself = -60, .other = 200}), Terms{}) << "against the sum";
}

TEST(GrownRecursionsTest, ACallThatOneSideAloneMakesIsAnotherReason) {
  EXPECT_EQ(grown({.itself = 90, .one_sided = 10}).size(), 4u) << "a tenth";
  EXPECT_EQ(grown({.itself = 89, .one_sided = 11}), Terms{});
  EXPECT_EQ(grown({.own = 20, .itself = 69, .one_sided = 11}), (Terms{0, 1}));
  EXPECT_EQ(grown({.itself = 89, .other = 11}).size(), 4u);
}

TEST(GrownRecursionsTest, AFifthOfTheLargestTermAtLeast) {
  EXPECT_EQ(grown({.own = 50, .itself = 50}, 500).size(), 4u);
  EXPECT_EQ(grown({.own = 50, .itself = 50}, 501), Terms{});
  EXPECT_EQ(grown({.own = 60, .itself = 40}, 500).size(), 2u);
  EXPECT_EQ(grown({.own = 60, .itself = 40}, 501), Terms{});
}

TEST(GrownRecursionsTest, NeitherACycleNorWhatIsTaken) {
  EXPECT_EQ(grown({.own = 50, .itself = 50}, 0, 2), Terms{});
  const GivenFlow of = GivenFlow(1).own(0, 50).call(0, 0, {10, 20}, 50).entry(0, 70);
  EXPECT_EQ(only(find_grown_recursions(of.flow, of.none())), (Terms{0, 1})) << "entries are not its own";
  EXPECT_EQ(only(find_grown_recursions(of.flow, {false, true, false})), Terms{});
  EXPECT_EQ(only(find_grown_recursions(of.flow, {true, false, false})), Terms{});
}

}  // namespace
}  // namespace icount
