// What calls that one side alone makes share with others: many terms of one fact (explain/claims/relations.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

/// `work` calls `functions` functions a hundred times each; so does a new `copy`, whose calls of them were recorded at
/// 243 where the average is 237. They call themselves, so that none is split by caller. `dearer`: what they cost more
/// in the head on average.
CostGraph program(bool with_copy, size_t functions, int64_t dearer = 0) {
  GraphBuilder graph;
  const int64_t count = static_cast<int64_t>(functions), average = with_copy ? 237 + dearer : 237;
  const int64_t others = with_copy ? 2 * average - (243 + dearer) : average;
  graph.function("main", 100).function("work", 500);
  graph.calls("main", "work", 1, 500 + 100 * count * others);
  if (with_copy) graph.function("copy", 500).calls("main", "copy", 1, 500 + 100 * count * (243 + dearer));
  for (size_t i = 0; i < functions; ++i) {
    const std::string name = "take" + std::to_string(i);
    graph.function(name, average * (with_copy ? 200 : 100)).calls(name, name, 0, 0);
    graph.calls("work", name, 100, 100 * others);
    if (with_copy) graph.calls("copy", name, 100, 100 * (243 + dearer));
  }
  return graph.graph();
}

const Cause* sum_among(const Explanation& found) {
  const auto sum = std::find_if(found.causes.begin(), found.causes.end(),
                                [](const Cause& cause) { return cause.kind == CauseKind::kSum; });
  return sum == found.causes.end() ? nullptr : &*sum;
}

TEST(SharedWorkTest, WhatThreeFunctionsCostOtherwiseInTheOtherCallsIsOneCause) {
  const Explanation found = explain(program(false, 3), program(true, 3), {});
  ASSERT_EQ(found.causes.size(), 2u);
  EXPECT_EQ(found.causes[0].callee, "copy");
  EXPECT_EQ(found.causes[0].delta, 500 + 3 * 24300);
  const Cause* sum = sum_among(found);
  ASSERT_NE(sum, nullptr);
  EXPECT_EQ(sum->delta, -3 * 600);
  EXPECT_EQ(sum->inside.size(), 3u);
  EXPECT_TRUE(cause_sentence(*sum).starts_with("3 functions cost less per call, most of it in `take"))
      << cause_sentence(*sum);
}

TEST(SharedWorkTest, TheOtherWayRoundTheyCostMore) {
  const Explanation found = explain(program(true, 3), program(false, 3), {});
  const Cause* sum = sum_among(found);
  ASSERT_NE(sum, nullptr);
  EXPECT_EQ(sum->delta, 3 * 600);
  EXPECT_TRUE(cause_sentence(*sum).starts_with("3 functions cost more per call")) << cause_sentence(*sum);
}

TEST(SharedWorkTest, TwoAreTwo) {
  const Explanation found = explain(program(false, 2), program(true, 2), {});
  EXPECT_EQ(sum_among(found), nullptr);
  EXPECT_EQ(found.causes.size(), 3u);
}

TEST(SharedWorkTest, FunctionsThatChangedThemselvesAreTheirOwnCauses) {
  const Explanation found = explain(program(false, 3), program(true, 3, 30), {});
  EXPECT_EQ(sum_among(found), nullptr);
  EXPECT_EQ(found.causes.size(), 4u);
}

}  // namespace
}  // namespace icount
