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

TEST(ReplacedCallsTest, OneThatHardlyCostsAnythingBesideTheOtherSaysNothing) {
  EXPECT_EQ(replaced({{1, {7, 0}, -10}, {2, {0, 7}, 1000}}), (Pairs{{1, 2}}));
  EXPECT_TRUE(replaced({{1, {7, 0}, -9}, {2, {0, 7}, 1000}}).empty());
  EXPECT_EQ(replaced({{1, {7, 0}, -1000}, {2, {0, 7}, 10}}), (Pairs{{1, 2}}));
  EXPECT_TRUE(replaced({{1, {7, 0}, -1000}, {2, {0, 7}, 9}}).empty());
}

TEST(ReplacedCallsTest, WhatOtherCausesTellOfAndWhatHasNoName) {
  EXPECT_TRUE(replaced({{1, {7, 0}, -50}, {2, {0, 7}, 80}}, {0}).empty());
  EXPECT_TRUE(replaced({{1, {7, 0}, -50}, {2, {0, 7}, 80}}, {1}).empty());
  EXPECT_TRUE(replaced({{1, {7, 0}, -50}, {2, {0, 7}, 80}}, {}, {"f", "0x0000000000001234", "f", "f", "f"}).empty());
}

/// main calls `hash` 500 times, each time at `cost`.
CostGraph hashing(std::string_view hash, int64_t cost) {
  GraphBuilder graph;
  graph.function("main", 100).function("table", 40).calls("main", "table", 1, 40 + 500 * cost);
  return graph.function(hash, 500 * cost).calls("table", hash, 500, 500 * cost).graph();
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
