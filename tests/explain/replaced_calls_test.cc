// One callee in place of another: claims/instead.cc on flows that are written down, and its sentence.
#include "icount/explain/claims/relations.h"

#include <gtest/gtest.h>

#include <string_view>
#include <utility>
#include <vector>

#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

struct Call {
  uint32_t callee = 0;
  BothSides calls{};
  long double value = 0;
};

/// Function 0 makes these calls. Returns lost and gained callees.
std::vector<std::array<uint32_t, 2>> replaced(const std::vector<Call>& calls, std::vector<uint32_t> taken = {},
                                              const std::vector<std::string_view>& names = {"f", "f", "f", "f", "f"}) {
  JoinedGraph joined;
  OpenedFlow flow;
  FlowGraph& graph = flow.condensed.graph;
  for (uint32_t node = 0; node < 5; ++node) {
    joined.functions.emplace_back().name = names[node];
    flow.condensed.members.push_back({node});
  }
  graph.nodes.resize(5);
  for (const Call& call : calls) {
    flow.figures.terms.push_back({TermKind::kCalls, static_cast<uint32_t>(graph.edges.size()), call.value});
    graph.edges.push_back({0, call.callee, call.calls, {}});
  }
  std::vector<bool> is_taken(calls.size(), false);
  for (const uint32_t term : taken) is_taken[term] = true;
  std::vector<std::array<uint32_t, 2>> found;
  for (const ReplacedCalls& one : find_replaced_calls(joined, flow, is_taken)) {
    EXPECT_EQ(one.edges, one.terms);
    found.push_back({graph.edges[one.edges[0]].callee, graph.edges[one.edges[1]].callee});
  }
  return found;
}

using Pairs = std::vector<std::array<uint32_t, 2>>;

TEST(ReplacedCallsTest, AsManyCallsOfAnother) {
  EXPECT_EQ(replaced({{1, {7, 0}, -50}, {2, {0, 7}, 80}}), (Pairs{{1, 2}}));
  EXPECT_EQ(replaced({{1, {0, 7}, 80}, {2, {7, 0}, -50}}), (Pairs{{2, 1}})) << "in any order";
  EXPECT_TRUE(replaced({{1, {7, 0}, -50}, {2, {0, 8}, 80}}).empty());
  EXPECT_TRUE(replaced({{1, {7, 0}, -50}, {2, {1, 8}, 80}}).empty()) << "both sides call it";
  EXPECT_TRUE(replaced({{1, {7, 0}, -50}, {0, {0, 7}, 80}}).empty()) << "a recursion";
}

TEST(ReplacedCallsTest, WhichOneItReplacedMustBeKnown) {
  EXPECT_TRUE(replaced({{1, {7, 0}, -50}, {2, {7, 0}, -50}, {3, {0, 7}, 80}}).empty());
  EXPECT_TRUE(replaced({{1, {7, 0}, -50}, {2, {0, 7}, 80}, {3, {0, 7}, 80}}).empty());
  EXPECT_EQ(replaced({{1, {7, 0}, -50}, {2, {0, 7}, 80}, {3, {5, 0}, -80}, {4, {0, 5}, 80}}), (Pairs{{3, 4}, {1, 2}}));
}

TEST(ReplacedCallsTest, AnotherOneOfThatNameIsWhatReplacedIt) {
  const std::vector<std::string_view> names = {"main", "int seek<Order>(int)", "seek(int, bool)", "forget()", "note()"};
  EXPECT_EQ(replaced({{1, {7, 0}, -50}, {2, {0, 7}, 80}, {3, {0, 7}, 80}}, {}, names), (Pairs{{1, 2}}));
  EXPECT_EQ(replaced({{4, {7, 0}, -50}, {1, {7, 0}, -50}, {2, {0, 7}, 80}}, {}, names), (Pairs{{1, 2}}));
  EXPECT_TRUE(replaced({{1, {7, 0}, -50}, {3, {0, 7}, 80}, {4, {0, 7}, 80}}, {}, names).empty());
  const std::vector<std::string_view> twice = {"main", "int seek<Order>(int)", "seek(int, bool)", "seek(long)",
                                               "note()"};
  EXPECT_TRUE(replaced({{1, {7, 0}, -50}, {2, {0, 7}, 80}, {3, {0, 7}, 80}}, {}, twice).empty()) << "which of two";
  const std::vector<std::string_view> two = {"main", "seek<int>()", "seek()", "note<int>()", "note()"};
  EXPECT_TRUE(replaced({{1, {7, 0}, -5}, {2, {0, 7}, 8}, {3, {7, 0}, -5}, {4, {0, 7}, 8}}, {}, two).empty())
      << "two pairs are more than one exchange";
}

TEST(ReplacedCallsTest, OneThatIsLessThanAQuarterOfTheOtherSaysNothing) {
  EXPECT_EQ(replaced({{1, {7, 0}, -25}, {2, {0, 7}, 100}}), (Pairs{{1, 2}}));
  EXPECT_TRUE(replaced({{1, {7, 0}, -24}, {2, {0, 7}, 100}}).empty());
  EXPECT_EQ(replaced({{1, {7, 0}, -100}, {2, {0, 7}, 25}}), (Pairs{{1, 2}}));
  EXPECT_TRUE(replaced({{1, {7, 0}, -100}, {2, {0, 7}, 24}}).empty());
}

TEST(ReplacedCallsTest, WhatOtherCausesTellOfAndWhatHasNoName) {
  EXPECT_TRUE(replaced({{1, {7, 0}, -50}, {2, {0, 7}, 80}}, {0}).empty());
  EXPECT_TRUE(replaced({{1, {7, 0}, -50}, {2, {0, 7}, 80}}, {1}).empty());
  EXPECT_TRUE(replaced({{1, {7, 0}, -50}, {2, {0, 7}, 80}}, {}, {"f", "0x0000000000001234", "f", "f", "f"}).empty());
}

/// Function 0 makes these calls and costs itself `own` more. Terms of the sum about it; the own cost's is 0.
std::vector<uint32_t> rewritten(const std::vector<Call>& calls, long double own = -30, uint32_t taken = 9) {
  JoinedGraph joined;
  OpenedFlow flow;
  FlowGraph& graph = flow.condensed.graph;
  graph.nodes.resize(6);
  for (uint32_t node = 0; node < 6; ++node) {
    joined.functions.emplace_back().name = "f";
    flow.condensed.members.push_back({node});
  }
  for (auto& side : flow.figures.sides) side.calls.assign(6, 0);
  flow.figures.terms.push_back({TermKind::kOwnCost, 0, own});
  for (const Call& call : calls) {
    flow.figures.terms.push_back({TermKind::kCalls, static_cast<uint32_t>(graph.edges.size()), call.value});
    graph.edges.push_back({0, call.callee, call.calls, {}});
    for (size_t side = 0; side < 2; ++side)
      flow.figures.sides[side].calls[call.callee] += static_cast<long double>(call.calls[side]);
  }
  std::vector<bool> is_taken(flow.figures.terms.size(), false);
  if (taken < is_taken.size()) is_taken[taken] = true;
  const auto found = find_rewritten_functions(joined, flow, is_taken);
  EXPECT_LE(found.size(), 1u);
  return found.empty() ? std::vector<uint32_t>{} : found[0].terms;
}

TEST(RewrittenFunctionsTest, CallsThatCameMakeUpForCallsThatWent) {
  const std::vector<Call> calls = {{1, {10, 0}, -50}, {2, {20, 0}, -50}, {3, {0, 20}, 26}, {4, {0, 30}, 2}};
  EXPECT_EQ(rewritten({calls[0], calls[1], calls[2], {4, {0, 30}, 3}}), (std::vector<uint32_t>{0, 1, 2, 3, 4}))
      << "with its own cost";
  EXPECT_EQ(rewritten(calls), (std::vector<uint32_t>{0, 1, 2, 3})) << "without what is too little";
  EXPECT_EQ(rewritten(calls, 30), (std::vector<uint32_t>{1, 2, 3})) << "its own cost goes another way";
  EXPECT_EQ(rewritten(calls, -30, 0), (std::vector<uint32_t>{1, 2, 3})) << "or another claim has it";
  EXPECT_TRUE(rewritten(calls, -30, 3).empty()) << "or has one of head's calls";
  EXPECT_EQ(rewritten({calls[0], {3, {0, 20}, 20}}), (std::vector<uint32_t>{0, 1, 2})) << "10 calls and 20";
  EXPECT_EQ(rewritten({{1, {10, 0}, -500}, {2, {20, 0}, -9}, {3, {0, 10}, 490}}, -1),
            (std::vector<uint32_t>{0, 1, 2, 3}))
      << "little, but much of what is left";
  EXPECT_TRUE(rewritten({calls[0], {3, {0, 10}, 20}}).empty()) << "one call for one";
  EXPECT_TRUE(rewritten({calls[0], calls[1], {3, {0, 20}, 24}}).empty()) << "24 are no quarter of 100";
  EXPECT_TRUE(rewritten({calls[0], calls[1], {3, {1, 20}, 50}}).empty()) << "both sides make it";
  EXPECT_TRUE(rewritten({calls[0], calls[1], {0, {0, 20}, 50}}).empty()) << "a recursion";
}

TEST(RewrittenFunctionsTest, NewFunctionsDoWhatItDidItself) {
  EXPECT_EQ(rewritten({{1, {0, 10}, 60}, {2, {0, 10}, 40}}, -70), (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_EQ(rewritten({{1, {10, 0}, -60}}, 70), (std::vector<uint32_t>{0, 1})) << "or it does what they did";
  EXPECT_TRUE(rewritten({{1, {0, 10}, 60}}, 40).empty()) << "both are more";
  EXPECT_TRUE(rewritten({{1, {0, 10}, 100}}, -24).empty()) << "24 are no quarter of 100";
  EXPECT_TRUE(rewritten({{1, {0, 10}, 24}}, -100).empty());
  EXPECT_TRUE(rewritten({{1, {0, 10}, 60}, {1, {5, 5}, 1}}, -40).empty()) << "base runs that function, too";
}

/// main calls `hash` 500 times, each time at `cost`.
CostGraph hashing(std::string_view hash, int64_t cost) {
  GraphBuilder graph;
  graph.function("main", 100).function("table", 40).calls("main", "table", 1, 40 + 500 * cost);
  return graph.function(hash, 500 * cost).calls("table", hash, 500, 500 * cost).graph();
}

TEST(RewrittenFunctionsTest, IsOneCauseWithItsCalls) {
  // Each call of `compare` makes these calls.
  const auto comparing = [](const std::vector<std::pair<std::string_view, int64_t>>& callees) {
    GraphBuilder graph;
    int64_t all = 40;
    for (const auto& [callee, cost] : callees) all += cost;
    graph.function("main", 100).function("compare", 400).calls("main", "compare", 10, 10 * all);
    for (const auto& [callee, cost] : callees)
      graph.function(callee, 10 * cost).calls("compare", callee, 10, 10 * cost).function("main", 1);
    return graph.graph();
  };
  const Explanation found = explain(comparing({{"to_string", 400}, {"pop", 100}}),
                                    comparing({{"call", 203}, {"to_number", 22}, {"dup", 17}}));
  ASSERT_FALSE(found.causes.empty());
  EXPECT_EQ(found.causes[0].kind, CauseKind::kSum);
  EXPECT_EQ(found.causes[0].function, "compare");
  EXPECT_EQ(found.causes[0].delta, 2420 - 5000);
  EXPECT_EQ(cause_sentence(found.causes[0]),
            "`compare` calls `call` and 2 more in place of `to_string` and 1 more (10 calls)");
}

TEST(ReplacedCallsTest, IsOneCauseWithBothPrices) {
  const Explanation found = explain(hashing("times_33", 40), hashing("siphash", 90));
  ASSERT_EQ(found.causes.size(), 1u);
  const Cause& cause = found.causes[0];
  EXPECT_EQ(cause.kind, CauseKind::kCalls);
  EXPECT_EQ(cause.delta, 25'000);
  EXPECT_EQ(cause.caller, "table");
  EXPECT_EQ(cause.callee, "siphash");
  EXPECT_EQ(cause_sentence(cause), "`table` calls `siphash` in place of `times_33` (500 calls, 90 each, was 40)");
  ASSERT_EQ(cause.inside.size(), 2u);
  EXPECT_EQ(cause.inside[0].delta, 45'000);
  EXPECT_EQ(cause.inside[1].delta, -20'000);
}

}  // namespace
}  // namespace icount
