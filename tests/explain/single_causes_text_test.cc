// Sentences of single causes, from figures that are written down: inlining moves, self cost, renames, members of
// cycles.
#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "icount/explain/claims/relations.h"
#include "icount/explain/claims/term_causes.h"
#include "joined_pair.h"

namespace icount {
namespace {

/// main calls f, which calls g so often in base.
class InliningMoveTextTest : public testing::Test {
 protected:
  static std::string text(int64_t own, int64_t calls, bool into_caller = true, bool is_known = true,
                          int64_t count = 500, size_t callees = 1) {
    GraphBuilder with, without;
    for (GraphBuilder* graph : {&with, &without})
      graph->function("main", 10).function("f", 9000).calls("main", "f", 10);
    with.function("g", 10 * count).calls("f", "g", count).function("h", 70).calls("f", "h", 7);
    const JoinedPair pair(into_caller ? with : without, into_caller ? without : with);
    InliningMove move;
    move.caller = pair.node("f");
    move.into_caller = into_caller;
    move.callee_is_known = is_known;
    move.lost_edges = {pair.edge("f", "g"), pair.edge("f", "h")};
    move.lost_edges.resize(callees);
    return sentence(inlined_facts(pair.source(), move, own, calls));
  }
};

TEST_F(InliningMoveTextTest, WhatTheCallerGainedAndWhatTheCallsCost) {
  EXPECT_EQ(text(2000, -3000), "`g` is now inlined into `f` (500 calls, -2 each)");
  EXPECT_EQ(text(-2000, 3000, false), "`g` is no longer inlined into `f` (500 calls, +2 each)");
  EXPECT_EQ(text(-20, -30, true, true, 1), "`g` is now inlined into `f` (1 call)");
  EXPECT_EQ(text(2000, -3000, true, true, 500, 2),
            "`g` and one other function are now inlined into `f` (500 calls, -2 each)");
}

TEST_F(InliningMoveTextTest, OfACalleeThatIsGoneOnlyTheWorkIsKnown) {
  EXPECT_EQ(text(2000, -3000, true, false),
            "`f` now does the work of `g` itself, inlined or merged (500 calls, -2 each)");
  EXPECT_EQ(text(-2000, 3000, false, false), "`f` now calls `g` for work that it did itself (500 calls, +2 each)");
}

/// What is said of other work, without names and figures.
TEST_F(InliningMoveTextTest, AQuarterMoreInsideIsMoreWork) {
  const auto says = [](const std::string& of, const char* part) { return of.find(part) != std::string::npos; };
  EXPECT_FALSE(says(text(3750, -3000), "costs"));
  EXPECT_EQ(text(3751, -3000), "`f` with `g`, now inlined, costs 1.5 more per call (500 calls)");
  EXPECT_TRUE(says(text(4501, -3000, true, true, 500, 2), "`g` and one other function, now inlined, costs"));
  EXPECT_EQ(text(-4501, 3000, false), "`f` with `g`, no longer inlined, costs 3 less per call (500 calls)");
  EXPECT_TRUE(says(text(4501, -3000, true, false), "no longer called, costs 3 more"));
  EXPECT_FALSE(says(text(4501, 3000), "costs")) << "the calls became dearer";
  EXPECT_FALSE(says(text(-4501, -3000), "costs"));
}

TEST_F(InliningMoveTextTest, FarLessInsideIsLessWorkUnlessTheCallsWereCheap) {
  const auto is_less = [](int64_t own, int64_t calls, int64_t count) {
    return text(own, calls, true, true, count).find(" less per call") != std::string::npos;
  };
  EXPECT_TRUE(is_less(2500, -10'001, 166));
  EXPECT_FALSE(is_less(2501, -10'001, 166)) << "a quarter";
  EXPECT_FALSE(is_less(2500, -10'001, 167)) << "a call cost no more than 60";
  EXPECT_FALSE(is_less(0, -10'001, 166)) << "nothing of it is left";
}

/// f is called so often on either side, each time at so much.
class SelfCostFiguresTest : public testing::Test {
 protected:
  std::string text(const BothSides& calls, const BothSides& self, int64_t delta) {
    GraphBuilder base, head;
    for (const size_t side : {0, 1}) {
      GraphBuilder& graph = side == 0 ? base : head;
      graph.function("main", 10).function("f", self[side]).calls("main", "f", calls[side]);
    }
    JoinedPair pair(base, head);
    change_(pair);
    return sentence(self_cost_facts(pair.source(), pair.node("f"), delta));
  }
  std::function<void(JoinedPair&)> change_ = [](JoinedPair&) {};
};

TEST_F(SelfCostFiguresTest, PerCallOrOnce) {
  EXPECT_EQ(text({10, 10}, {60, 140}, 80), "`f` itself costs 14 per call, was 6 (10 calls)");
  EXPECT_EQ(text({10, 20}, {60, 280}, 80), "`f` itself costs 14 per call, was 6 (20 calls, was 10)");
  EXPECT_EQ(text({1, 1}, {60, 140}, 80), "`f` itself costs 140, was 60");
  EXPECT_EQ(text({1, 2}, {60, 280}, 80), "`f` itself costs 140 per call, was 60 (2 calls, was 1)");
  EXPECT_EQ(text({2, 1}, {120, 600}, 540), "`f` itself costs 600 per call, was 60 (1 call, was 2)");
}

TEST_F(SelfCostFiguresTest, WhereTheAverageMovesAnotherWayItSaysSo) {
  EXPECT_EQ(text({10, 10}, {60, 140}, -80), "`f` itself costs 14 per call, was 6 (10 calls)");
  EXPECT_EQ(text({10, 10}, {140, 60}, 80), "`f` itself costs 6 per call, was 14 (10 calls)");
  EXPECT_EQ(text({10, 10}, {60, 60}, 5), "`f` itself costs 6 per call (10 calls)");
  EXPECT_EQ(text({1, 1}, {140, 60}, 80), "`f` itself costs 60, was 140");
  EXPECT_EQ(text({10, 10}, {60, 140}, 0), "`f` itself costs 14 per call, was 6 (10 calls)");
}

TEST_F(SelfCostFiguresTest, InTotalWhereItDoesNotScale) {
  change_ = [](JoinedPair& pair) { pair.flow.figures.fixed_self[pair.node("f")] = true; };
  EXPECT_EQ(text({10, 20}, {6000, 6100}, 100), "`f` itself costs 6,100 in total, was 6,000 (20 calls, was 10)");
}

TEST_F(SelfCostFiguresTest, BesideCallsThatOneSideMakes) {
  change_ = [](JoinedPair& pair) { pair.flow.figures.other_calls[pair.node("f")] = {true, {7.6L, 9.4L}, {6, 14}}; };
  EXPECT_EQ(text({10, 10}, {60, 140}, 80), "`f` itself costs 14 per call, was 6 (9 calls that both make)");
  EXPECT_EQ(text({10, 10}, {60, 140}, -80), "`f` is called 9 times, was 8 (14 of its own on average, was 6)");
}

TEST(RenamedByTextTest, HowItWasFound) {
  GraphBuilder base, head;
  base.in("a.c", "/lib/libold.so").function("f", 60).in("a.c", "prog").function("main", 1).calls("main", "f", 10);
  head.in("a.c", "/lib/libold.so").function("f", 140).in("a.c", "prog").function("main", 1).calls("main", "f", 10);
  JoinedPair pair(base, head);
  const uint32_t f = pair.function("f"), node = pair.node("f");
  JoinedFunction& function = pair.joined.functions[f];
  function.base_name = "__memcpy_sse2";
  function.head_name = "__memcpy_avx";
  const auto text = [&](MatchedBy by, uint32_t of_node) {
    function.by = by;
    function.evidence = "same callers";
    return sentence(renamed_facts(pair.source(), f, of_node, 80));
  };
  EXPECT_EQ(text(MatchedBy::kDispatch, node),
            "`__memcpy_avx` itself costs 14 per call, was 6 (10 calls); it runs in place of `__memcpy_sse2`, as the "
            "processor's features are others");
  EXPECT_EQ(text(MatchedBy::kEvidence, SentenceSource::kNoNode), "`__memcpy_avx` was `__memcpy_sse2` (same callers)");
  EXPECT_EQ(text(MatchedBy::kObject, SentenceSource::kNoNode), "`memcpy` comes from `libold.so`, was `libold.so`");
  pair.flow.figures.sides[1].own_cost[node] = 6;
  EXPECT_EQ(text(MatchedBy::kEvidence, node), "`__memcpy_avx` was `__memcpy_sse2` (same callers)") << "costs the same";
  EXPECT_EQ(sentence(total_cost_facts(pair.joined, function, {1000, 2000})),
            "`f` (was `memcpy`) itself costs 2,000 in total, was 1,000");
  function.by = MatchedBy::kName;
  EXPECT_EQ(sentence(total_cost_facts(pair.joined, function, {1000, 2000})),
            "`f` itself costs 2,000 in total, was 1,000");
}

TEST(MemberTextTest, PerCallIntoTheCycleOrInTotal) {
  const auto graph = [](int64_t a, int64_t calls) {
    GraphBuilder built;
    built.function("main", 1).function("a", a).function("b", 30).calls("main", "a", calls);
    return built.calls("a", "b", 7).calls("b", "a", 7);
  };
  JoinedPair pair(graph(100, 10), graph(300, 20));
  const uint32_t node = pair.node("a"), a = pair.function("a");
  EXPECT_EQ(sentence(member_facts(pair.source(), node, a, 0)), "`a` itself costs 15 per call from outside, was 10");
  EXPECT_EQ(
      sentence(self_cost_facts(pair.source(), node, 50)),
      "the recursion of `a` and one other function itself costs 16.5 per call from outside, was 13 (20 calls, was 10)");
  pair.flow.figures.fixed_self[node] = true;
  EXPECT_EQ(sentence(member_facts(pair.source(), node, a, 0)), "`a` itself costs 300 in total, was 100");
  pair.flow.figures.fixed_self[node] = false;
  for (const size_t side : {0, 1}) {
    const long double calls = std::exchange(pair.flow.figures.sides[side].calls[node], 0);
    EXPECT_EQ(sentence(member_facts(pair.source(), node, a, 0)), "`a` itself costs 300 in total, was 100");
    pair.flow.figures.sides[side].calls[node] = calls;
  }
}

}  // namespace
}  // namespace icount
