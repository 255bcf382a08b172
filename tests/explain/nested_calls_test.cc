// New calls that lead to further new calls (explain/claims/relations.h).
#include "icount/explain/claims/relations.h"

#include <gtest/gtest.h>

#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"
#include "support/graph_builder.h"
#include "support/written_flow.h"

namespace icount {
namespace {

constexpr TermKind kCalls = TermKind::kCalls, kOwn = TermKind::kOwnCost;

/// 0 calls `each` (1) on one side only, which both sides call, 3 for instance; it calls 2, and that calls `work` (4) on
/// that side only.
struct Nested {
  long double outer = 500, inner = 500, elsewhere = 0;
  int64_t outer_cost = 1000, inner_cost = 1000;
  size_t side = 1, inner_side = 1;
  bool each_is_known = true, is_between = true;

  std::vector<NestedCalls> found(std::vector<bool> taken = {}) const {
    const auto on = [](size_t one, int64_t figure) { return one == 1 ? BothSides{0, figure} : BothSides{figure, 0}; };
    std::vector<WrittenTerm> terms = {
        {kCalls, 0, 1, on(side, 1), side == 1 ? outer : -outer, on(side, outer_cost)},
        {kCalls, 2, 4, on(inner_side, 20), inner_side == 1 ? inner : -inner, on(inner_side, inner_cost)},
        {kOwn, 3, 0, {1, 1}, elsewhere}};
    if (each_is_known) terms.push_back({kCalls, 3, 1, {1, 1}, 0, {10, 10}});
    terms.push_back({kCalls, is_between ? 1u : 3u, 2, {9, 9}, 0, {50, 50}});
    const OpenedFlow flow = flow_of(5, terms);
    return find_nested_calls(flow, taken.empty() ? none(flow) : taken);
  }
  bool are_one() const { return found().size() == 1; }
};

TEST(NestedCallsTest, AreOneThingToldInTwoTerms) {
  const std::vector<NestedCalls> found = Nested{}.found();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].outer, 0u);
  EXPECT_EQ(found[0].inner, 2u) << "edges are in the order of callers and callees";
  EXPECT_EQ(found[0].terms, (std::vector<uint32_t>{0, 1}));
  EXPECT_TRUE((Nested{.side = 0, .inner_side = 0}.are_one())) << "calls that are gone";
  EXPECT_FALSE((Nested{.side = 0}.are_one())) << "one for the other";
}

TEST(NestedCallsTest, CostNearlyTheSame) {
  EXPECT_TRUE((Nested{.inner_cost = 900}.are_one()));
  EXPECT_FALSE((Nested{.inner_cost = 899}.are_one()));
  EXPECT_TRUE((Nested{.inner_cost = 1020}.are_one())) << "a recursion between them";
  EXPECT_FALSE((Nested{.inner_cost = 1021}.are_one()));
}

TEST(NestedCallsTest, EachTellAPartOfIt) {
  EXPECT_TRUE((Nested{.outer = 50, .inner = 950}.are_one()));
  EXPECT_FALSE((Nested{.outer = 49, .inner = 951}.are_one()));
  EXPECT_TRUE((Nested{.outer = 950, .inner = 50}.are_one()));
  EXPECT_FALSE((Nested{.outer = 951, .inner = 49}.are_one()));
  EXPECT_FALSE((Nested{.outer = -500, .inner = 1500}.are_one())) << "new calls that save something";
  EXPECT_FALSE((Nested{.outer = 1500, .inner = -500}.are_one()));
}

TEST(NestedCallsTest, MatterBesideTheLargestTerm) {
  EXPECT_TRUE((Nested{.elsewhere = 5000}.are_one()));
  EXPECT_FALSE((Nested{.elsewhere = 5001}.are_one()));
}

TEST(NestedCallsTest, LeadThroughWhatBothSidesCall) {
  EXPECT_FALSE((Nested{.each_is_known = false}.are_one())) << "else the outer calls have all of it";
  EXPECT_FALSE((Nested{.is_between = false}.are_one())) << "the one does not lead to the other";
}

TEST(NestedCallsTest, AreNoOnesYet) {
  EXPECT_TRUE(Nested{}.found({true, false, false}).empty());
  EXPECT_TRUE(Nested{}.found({false, true, false}).empty());
}

/// `list` passes lines to `each`, which works through `apply`, and so does what is applied; with `new_one` `report`
/// passes others on.
CostGraph passed_on(bool new_one) {
  GraphBuilder graph;
  const int64_t more = new_one ? 1 : 0, applied = 1000 + more * 100, eaches = 101 + more;
  const int64_t by_report = more * 30600, by_list = 28000;
  graph.function("main", 10).function("list", 50).function("report", 50).function("each", 20 * eaches);
  graph.function("apply", 5 * applied).function("short", 20000).function("long", more * 30000);
  graph.calls("main", "list", 1, 50 + by_list).calls("main", "report", 1, 50 + by_report);
  graph.calls("list", "each", 1, by_list).calls("report", "each", more, by_report);
  graph.calls("each", "apply", applied, by_list + by_report - 20).calls("apply", "short", 1000, 22000);
  graph.calls("short", "each", 100, 2000);
  return graph.calls("apply", "long", more * 100, more * 30000).graph();
}

TEST(NestedCallsTest, AreOneCauseThatSwapsItsSign) {
  const Explanation found = explain(passed_on(false), passed_on(true), {});
  const Explanation back = explain(passed_on(true), passed_on(false), {});
  ASSERT_FALSE(found.causes.empty());
  const Cause& first = found.causes.front();
  EXPECT_EQ(first.kind, CauseKind::kCalls);
  EXPECT_EQ(first.caller, "report");
  EXPECT_EQ(first.callee, "cycle of short and 2 more") << "which it enters by `each`";
  EXPECT_NEAR(static_cast<double>(first.delta), 30600, 0.02 * 30600);
  EXPECT_EQ(cause_sentence(first),
            "`report` now calls the cycle of `short` and 2 more once; there the cycle of `short` and 2 more now calls "
            "`long` 100 times");
  ASSERT_EQ(first.inside.size(), 2u);
  ASSERT_FALSE(back.causes.empty());
  EXPECT_EQ(back.causes.front().delta, -first.delta);
}

}  // namespace
}  // namespace icount
