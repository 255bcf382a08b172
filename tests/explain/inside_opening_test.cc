// A function of a flow being opened: what its calls cost inside, per call or in total, and whether that comes to what
// is told of it as a whole.
#include "icount/explain/inside/function_opening.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "icount/explain/match/match.h"
#include "support/random_code.h"

namespace icount {
namespace {

/// main calls f, which costs 3 a call on three lines and calls g from the first one.
struct Program {
  int64_t calls_of_f = 10, calls_of_g = 10, self_of_f = 30, price_of_g = 7;
};

std::string profile(const Program& of) {
  const int64_t own = of.self_of_f / 3, g = of.calls_of_g * of.price_of_g;
  std::string text = "creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\n\nob=prog\nfl=a.c\n";
  text += fmt::format("fn=main\n0x100 1 5\ncfn=f\ncalls={} 0x2000 5\n0x100 1 {}\n\n", of.calls_of_f, of.self_of_f + g);
  text += fmt::format("fn=f\n0x2000 5 {}\n", own);
  if (of.calls_of_g > 0) text += fmt::format("cfn=g\ncalls={} 0x3000 20\n0x2000 5 {}\n", of.calls_of_g, g);
  text += fmt::format("0x2004 6 {}\njump={} 0x2008 7\n0x2004 6\n", own, own);
  text += fmt::format("0x2008 7 {}\n\n", of.self_of_f - 2 * own);
  if (of.calls_of_g > 0) text += fmt::format("fn=g\n0x3000 20 {}\n\n", g);
  return text + fmt::format("totals: {}\n", 5 + of.self_of_f + g);
}

class InsideOpeningTest : public testing::Test {
 protected:
  void join(const Program& base, const Program& head) {
    profiles_ = {read_coded(profile(base)), read_coded(profile(head))};
    for (const size_t side : {0, 1}) folded_[side] = fold_graph(profiles_[side].graph, 0, false);
    joined_ = join_graphs(folded_[0], folded_[1], match_functions(folded_[0], folded_[1], true));
    flow_ = decompose_with_leading_clusters_open(joined_.flow);
    for (const size_t side : {0, 1}) {
      callees_[side].clear();
      for (const uint32_t node : joined_.node_of[side]) callees_[side].push_back(flow_.condensed.node_of[node]);
    }
  }
  uint32_t node(std::string_view name) const {
    for (uint32_t i = 0; i < joined_.functions.size(); ++i)
      if (joined_.functions[i].name == name) return flow_.condensed.node_of[i];
    return ~uint32_t{0};
  }
  uint32_t edge(std::string_view caller, std::string_view callee) const {
    const auto& edges = flow_.condensed.graph.edges;
    for (uint32_t e = 0; e < edges.size(); ++e)
      if (edges[e].caller == node(caller) && edges[e].callee == node(callee)) return e;
    return ~uint32_t{0};
  }
  InsideOpening opened() {
    InsideOpening one(joined_, flow_, callees_, node("f"));
    one.open(joined_, {&profiles_[0].code, &profiles_[1].code});
    return one;
  }
  /// What is told of f as a whole.
  long double told() const {
    long double sum = 0;
    for (const Term& term : flow_.figures.terms)
      if (term.kind != TermKind::kEntry && node_of(flow_.condensed.graph, term) == node("f")) sum += term.value;
    return sum;
  }

  std::array<CodedProfile, 2> profiles_;
  std::array<FoldedGraph, 2> folded_;
  JoinedGraph joined_;
  OpenedFlow flow_;
  CalleeNodes callees_;
};

TEST_F(InsideOpeningTest, ItsTermsComeToWhatIsToldOfIt) {
  join({}, {.calls_of_g = 25, .self_of_f = 60});
  InsideOpening one = opened();
  EXPECT_EQ(one.function(), node("f"));
  EXPECT_EQ(one.folded(), joined_.functions[one.function()].folded);
  ASSERT_EQ(one.opened().closed, "");
  EXPECT_EQ(told(), 30 + 15 * 7);
  ASSERT_TRUE(one.solve(135));
  EXPECT_FALSE(one.in_total());
  EXPECT_NEAR(static_cast<double>(one.sum_of_terms()), 135, 1e-9);
  EXPECT_FALSE(one.figures().has_cycle);
}

TEST_F(InsideOpeningTest, WhatIsToldMayDifferByAQuarter) {
  join({}, {.calls_of_g = 25, .self_of_f = 60});
  EXPECT_TRUE(opened().solve(102)) << "0.756 of 135";
  EXPECT_FALSE(opened().solve(101));
  EXPECT_TRUE(opened().solve(168)) << "1.244 of it";
  EXPECT_FALSE(opened().solve(169));
  EXPECT_FALSE(opened().solve(-135));
}

TEST_F(InsideOpeningTest, TwoMoreOrLessAreRounding) {
  join({}, {});
  EXPECT_TRUE(opened().solve(0));
  EXPECT_TRUE(opened().solve(2));
  EXPECT_TRUE(opened().solve(-2));
  EXPECT_FALSE(opened().solve(3));
}

TEST_F(InsideOpeningTest, CallsOfOneSideCostWhatTheirTermSays) {
  join({.calls_of_g = 0}, {});
  EXPECT_EQ(told(), 70);
  for (Term& term : flow_.figures.terms)
    if (term.kind == TermKind::kCalls && term.index == edge("f", "g")) term.value = 140;  // what was recorded
  InsideOpening one = opened();
  ASSERT_TRUE(one.solve(140));
  EXPECT_NEAR(static_cast<double>(one.sum_of_terms()), 140, 1e-9);
  join({}, {.calls_of_g = 0});
  for (Term& term : flow_.figures.terms)
    if (term.kind == TermKind::kCalls && term.index == edge("f", "g")) term.value = -210;
  InsideOpening back = opened();
  ASSERT_TRUE(back.solve(-210));
  EXPECT_NEAR(static_cast<double>(back.sum_of_terms()), -210, 1e-9);
}

TEST_F(InsideOpeningTest, PricesThatAreToldWithTheCallsChangeInside) {
  join({}, {.price_of_g = 9});
  EXPECT_EQ(told(), 0) << "the callee's own";
  EXPECT_TRUE(opened().solve(0));
  flow_.figures.joined_prices[edge("f", "g")] = {7, 12};
  InsideOpening one = opened();
  ASSERT_TRUE(one.solve(50));
  EXPECT_NEAR(static_cast<double>(one.sum_of_terms()), 10 * 5, 1e-9);
  for (const std::array<long double, 2>& prices : {std::array<long double, 2>{0, 12}, {7, 0}}) {
    flow_.figures.joined_prices[edge("f", "g")] = prices;
    EXPECT_FALSE(opened().solve(50)) << "both sides have one, or none has";
    EXPECT_TRUE(opened().solve(0));
  }
}

TEST_F(InsideOpeningTest, WhatDoesNotScaleIsToldInTotal) {
  // Called ten times as often, it costs 60 in all instead of 30: per call it fell from 3 to 0.6.
  join({}, {.calls_of_f = 100, .self_of_f = 60});
  flow_.figures.fixed_self[node("f")] = true;
  InsideOpening total = opened();
  ASSERT_TRUE(total.solve(30));
  EXPECT_TRUE(total.in_total());
  EXPECT_NEAR(static_cast<double>(total.sum_of_terms()), 30, 1e-9);
  flow_.figures.fixed_self[node("f")] = false;
  InsideOpening per_call = opened();
  ASSERT_TRUE(per_call.solve(30)) << "in total, where per call it does not come to that";
  EXPECT_TRUE(per_call.in_total());
}

}  // namespace
}  // namespace icount
