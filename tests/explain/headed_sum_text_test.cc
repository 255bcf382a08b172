// The sentences of what many share.
#include "icount/explain/claims/relations.h"

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
  EXPECT_EQ(text(), "3 functions now call `g` (3,008 calls), most often `b`");
}

TEST_F(SharedCalleeTextTest, OfTwoThatCallAsOftenNoneDoesMost) {
  add("a", "g", {0, 5});
  add("b", "g", {0, 5});
  EXPECT_EQ(text(), "2 functions now call `g` (10 calls)");
}

TEST(GrownCycleTextTest, ItsLargestPartsHaveTheirAmounts) {
  Cause cause{.delta = 14, .facts = fact::GrownCycle{"`a`"}};
  const auto call = [](std::string callee, int64_t delta) {
    return Cause{.kind = CauseKind::kCalls,
                 .delta = delta,
                 .facts = fact::Calls{.caller = "`a`", .callee = std::move(callee), .calls = {0, 1}}};
  };
  cause.inside = {{.delta = 9, .facts = fact::MemberCost{"`a`"}}, call("`g`", 6), call("`h`", -1)};
  EXPECT_EQ(cause_sentence(cause),
            "`a` costs more, called as often from outside; +9 of it: itself; +6 of it: now calls `g` once; -1 of "
            "it: now calls `h` once");
  cause.inside.push_back(call("`i`", 0));
  EXPECT_EQ(cause_words(cause).further.size(), 3u);
  cause.delta = -14;
  EXPECT_EQ(cause_words(cause).main, "`a` costs less, called as often from outside");
}

TEST_F(SharedCalleeTextTest, LostByMany) {
  add("a", "g", {4, 0});
  add("b", "g", {3, 0});
  EXPECT_EQ(text(), "2 functions no longer call `g` (7 calls), most often `a`");
}

TEST_F(SharedCalleeTextTest, FarMoreOrLessOften) {
  add("a", "g", {1, 30});
  add("b", "g", {0, 50});
  EXPECT_EQ(text(), "2 functions call `g` 80 times, was 1; most often `b`");
  sum_.terms.clear();
  add("a", "g", {3000, 1});
  add("b", "g", {50, 2});
  EXPECT_EQ(text(), "2 functions call `g` 3 times, was 3,050; most often `a`");
}

TEST_F(SharedCalleeTextTest, InTheOthersPlace) {
  add("a", "g", {0, 4});
  add("b", "g", {0, 9});
  add("a", "h", {4, 0});
  add("b", "h", {900, 0});
  sum_.instead_of = pair_.node("h");
  EXPECT_EQ(text(), "2 functions call `g` in place of `h` (13 calls), most often `b`");
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
            "`f` recurses more: 30 calls, was 20; a call itself costs 5, was 2");
  EXPECT_EQ(text(recursion(2000, 5), recursion(10, 2)),
            "`f` recurses less: 20 calls, was 2,010; a call itself costs 2, was 5");
}

TEST_F(GrownRecursionTextTest, WithAllThatItCalls) {
  EXPECT_EQ(text(recursion(10, 2), recursion(20, 2), true),
            "`f` recurses more: 30 calls, was 20 (other changes in it included)");
  EXPECT_EQ(text(recursion(20, 2), recursion(10, 2), true),
            "`f` recurses less: 20 calls, was 30 (other changes in it included)");
}

TEST(LongerWorkTextTest, ByWhichFactor) {
  JoinedPair pair(callers(), callers());
  const uint32_t node = pair.node("g");
  const auto text = [&](long double base, long double head) {
    pair.flow.figures.sides[0].worth[node] = base;
    pair.flow.figures.sides[1].worth[node] = head;
    return sentence(longer_work_facts(pair.source(), {node, {}}));
  };
  EXPECT_EQ(text(10, 20), "`g` does 2 times the work, callees included: a larger input?");
  EXPECT_EQ(text(20, 5), "`g` does 0.25 times the work, callees included: a smaller input?");
}

TEST(LongerLoopTextTest, ByWhichFactorAndWithHowMany) {
  JoinedPair pair(callers(), callers());
  const uint32_t node = pair.node("a");
  pair.flow.condensed.graph.nodes[node].self = {2000, 5000};
  EXPECT_EQ(sentence(longer_loop_facts(pair.source(), {node, {0, 1, 2}})),
            "`a` does 2.5 times the work: 5,000 itself, was 2,000, and 2 callees in proportion");
  EXPECT_EQ(sentence(longer_loop_facts(pair.source(), {node, {0, 1}})),
            "`a` does 2.5 times the work: 5,000 itself, was 2,000, and 1 callee in proportion");
}

}  // namespace
}  // namespace icount
