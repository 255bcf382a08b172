// The sentences of what many share.
#include "icount/explain/headed_sum_facts.h"

#include <gtest/gtest.h>

#include "joined_pair.h"

namespace icount {
namespace {

/// a, b and c call g and h; what is called and how often is given by hand.
GraphBuilder callers() {
  GraphBuilder graph;
  for (const std::string caller : {"a", "b", "c"})
    graph.function(caller, 10).calls("main", caller, 1).calls(caller, "g", 1).calls(caller, "h", 1);
  return graph.function("main", 1).function("g", 5).function("h", 7);
}

class SharedCalleeTextTest : public testing::Test {
 protected:
  SharedCalleeTextTest() : pair_(callers(), callers()) { pair_.flow.figures.terms.clear(); }
  /// One more caller of the sum.
  void add(const std::string& caller, const std::string& callee, const BothSides& calls) {
    const uint32_t edge = pair_.edge(caller, callee);
    pair_.flow.condensed.graph.edges[edge].calls = calls;
    sum_.terms.push_back(static_cast<uint32_t>(pair_.flow.figures.terms.size()));
    pair_.flow.figures.terms.push_back({TermKind::kCalls, edge, 1});
  }
  std::string text() {
    sum_.node = pair_.node("g");
    return sentence(shared_callee_facts(pair_.source(), sum_));
  }

  JoinedPair pair_;
  HeadedSum sum_;
};

TEST_F(SharedCalleeTextTest, GainedByMany) {
  add("a", "g", {0, 3});
  add("b", "g", {0, 3000});
  add("c", "g", {0, 5});
  EXPECT_EQ(text(), "`g` is now called by 3 functions (3,008 calls), most often by `b`");
}

/// What `a` does more: its own cost, or calls.
std::string grown(const std::vector<std::pair<std::string, long double>>& changes) {
  JoinedPair pair(callers(), callers());
  HeadedSum sum{pair.node("a"), {}};
  pair.flow.figures.terms.clear();
  pair.flow.figures.sides[1].own_cost[sum.node] = 25;
  for (const auto& [what, value] : changes) {
    sum.terms.push_back(static_cast<uint32_t>(pair.flow.figures.terms.size()));
    const bool own = what == "self";
    pair.flow.figures.terms.push_back(
        {own ? TermKind::kOwnCost : TermKind::kCalls, own ? sum.node : pair.edge("a", what), value});
  }
  return sentence(grown_cycle_facts(pair.source(), sum));
}

TEST(GrownCycleTextTest, SelfCostWhereItChangedAndTheLargestCalls) {
  EXPECT_EQ(grown({{"g", 3}, {"self", 5}, {"h", 4}}),
            "`a`, called as often, does more: self cost 10 -> 25 per call, and calls of `h` and `g`");
  EXPECT_EQ(grown({{"g", -4}, {"h", -3}, {"g", -2}}), "`a`, called as often, does less: calls of `g`, `h` and 1 more");
}

TEST_F(SharedCalleeTextTest, LostByMany) {
  add("a", "g", {4, 0});
  add("b", "g", {3, 0});
  EXPECT_EQ(text(), "`g` is no longer called by 2 functions (7 calls), most often by `a`");
}

TEST_F(SharedCalleeTextTest, FarMoreOrLessOften) {
  add("a", "g", {1, 30});
  add("b", "g", {0, 50});
  EXPECT_EQ(text(), "`g` is called far more often by 2 functions (80 calls instead of 1), most often by `b`");
  sum_.terms.clear();
  add("a", "g", {3000, 1});
  add("b", "g", {50, 2});
  EXPECT_EQ(text(), "`g` is called far less often by 2 functions (3 calls instead of 3,050), most often by `a`");
}

TEST_F(SharedCalleeTextTest, InTheOthersPlace) {
  add("a", "g", {0, 4});
  add("b", "g", {0, 9});
  add("a", "h", {4, 0});
  add("b", "h", {900, 0});
  sum_.instead_of = pair_.node("h");
  EXPECT_EQ(text(), "`g` takes the place of `h` in 2 functions (13 calls), most often in `b`");
}

/// main calls f ten times in base and 30 times in head with what it calls itself; a call costs 2, and 5 in head.
class GrownRecursionTextTest : public testing::Test {
 protected:
  static GraphBuilder recursion(int64_t inner, int64_t each) {
    GraphBuilder graph;
    graph.function("main", 1).function("f", each * (10 + inner)).function("g", 3);
    return graph.calls("main", "f", 10).calls("f", "f", inner).calls("f", "g", 1);
  }
  static std::string text(const GraphBuilder& base, const GraphBuilder& head, bool with_g = false) {
    JoinedPair pair(base, head);
    pair.flow.figures.terms = {{TermKind::kOwnCost, pair.node("f"), 1},
                               {TermKind::kCalls, pair.edge("f", "f"), 1},
                               {TermKind::kCalls, pair.edge("f", "g"), 1}};
    HeadedSum sum{pair.node("f"), {0, 1}};
    if (with_g) sum.terms = {1, 2};
    return sentence(grown_recursion_facts(pair.source(), sum));
  }
};

TEST_F(GrownRecursionTextTest, MoreOftenAndDearer) {
  EXPECT_EQ(text(recursion(10, 2), recursion(20, 5)),
            "`f` calls itself more often and costs more each time: 30 calls instead of 20, self cost 2 -> 5 per call");
  EXPECT_EQ(
      text(recursion(2000, 5), recursion(10, 2)),
      "`f` calls itself less often and costs less each time: 20 calls instead of 2,010, self cost 5 -> 2 per call");
}

TEST_F(GrownRecursionTextTest, WithAllThatItCalls) {
  EXPECT_EQ(text(recursion(10, 2), recursion(20, 2), true),
            "`f` calls itself more often: 30 calls instead of 20; other changes in it are included");
  EXPECT_EQ(text(recursion(20, 2), recursion(10, 2), true),
            "`f` calls itself less often: 20 calls instead of 30; other changes in it are included");
}

TEST(LongerWorkTextTest, ByWhichFactor) {
  JoinedPair pair(callers(), callers());
  const uint32_t node = pair.node("g");
  const auto text = [&](long double base, long double head) {
    pair.flow.figures.sides[0].worth[node] = base;
    pair.flow.figures.sides[1].worth[node] = head;
    return sentence(longer_work_facts(pair.source(), {node, {}}));
  };
  EXPECT_EQ(text(10, 20), "`g` does 2 times the work: it and all below it cost more in proportion");
  EXPECT_EQ(text(20, 5), "`g` does 0.25 times the work: it and all below it cost less in proportion");
}

TEST(LongerLoopTextTest, ByWhichFactorAndWithHowMany) {
  JoinedPair pair(callers(), callers());
  const uint32_t node = pair.node("a");
  pair.flow.condensed.graph.nodes[node].self = {2000, 5000};
  EXPECT_EQ(sentence(longer_loop_facts(pair.source(), {node, {0, 1, 2}})),
            "`a` does the same 2.5 times as often: self cost 2,000 -> 5,000, and 2 callees in proportion");
  EXPECT_EQ(sentence(longer_loop_facts(pair.source(), {node, {0, 1}})),
            "`a` does the same 2.5 times as often: self cost 2,000 -> 5,000, and 1 callee in proportion");
}

}  // namespace
}  // namespace icount
