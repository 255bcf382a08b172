// Which functions a change is made of: new ones, gone ones, those that cost something else, those called more often.
#include "icount/explain/change_summary.h"

#include <gtest/gtest.h>

#include "joined_pair.h"

namespace icount {
namespace {

/// main calls f so often at so much each; others are on one side only.
GraphBuilder program(int64_t calls, int64_t cost, const char* other = nullptr) {
  GraphBuilder graph;
  graph.function("main", 10).function("f", calls * cost).calls("main", "f", calls);
  return other ? graph.function(other, 500).calls("main", other, 1) : graph;
}

ChangeSummary summary(const GraphBuilder& base, const GraphBuilder& head) {
  return summarize_change(JoinedPair(base, head).joined);
}

TEST(ChangeSummaryTest, NewAndGoneFunctions) {
  const ChangeSummary found = summary(program(10, 100, "old"), program(10, 100, "fresh"));
  EXPECT_EQ(found.added, 1u);
  EXPECT_EQ(found.removed, 1u);
  EXPECT_EQ(found.changed, 0u);
  EXPECT_EQ(found.called, 0u);
}

TEST(ChangeSummaryTest, TheCostOfACallOrTheirNumber) {
  EXPECT_EQ(summary(program(10, 100), program(10, 101)).changed, 1u) << "however little";
  EXPECT_EQ(summary(program(10, 100), program(20, 100)).called, 1u);
  EXPECT_EQ(summary(program(10, 100), program(20, 110)).called, 1u) << "mostly their number";
  EXPECT_EQ(summary(program(10, 100), program(11, 200)).changed, 1u) << "mostly their cost";
  EXPECT_EQ(summary(program(10, 100), program(10, 100)).changed, 0u);
}

TEST(ChangeSummaryTest, SeveralFunctionsInOneProportionAreCalledAlike) {
  const auto all = [](int64_t times, int64_t last) {
    GraphBuilder graph;
    graph.function("main", 10);
    for (const char* name : {"a", "b", "c"}) graph.function(name, 100 * times).calls("main", name, times);
    return graph.function("d", 100 * last).calls("main", "d", last);
  };
  EXPECT_TRUE(summary(all(10, 10), all(20, 20)).called_alike);
  EXPECT_TRUE(summary(all(10, 10), all(20, 25)).called_alike) << "a quarter more";
  EXPECT_FALSE(summary(all(10, 10), all(20, 26)).called_alike);
  EXPECT_FALSE(summary(program(10, 100), program(20, 100)).called_alike) << "one function";
}

TEST(ChangeSummaryTest, AHundredthOfAllCounts) {
  const auto with = [](int64_t small) { return program(10, 200).function("g", small).calls("main", "g", 1); };
  const GraphBuilder base = program(10, 100).function("g", 100).calls("main", "g", 1);
  EXPECT_EQ(summary(base, with(100 + 11)).changed, 2u);
  EXPECT_EQ(summary(base, with(100 + 9)).changed, 1u);
}

}  // namespace
}  // namespace icount
