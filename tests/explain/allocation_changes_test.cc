// Who allocates more or less, and what is said of it.
#include "icount/explain/compared_tables.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "icount/report/allocation_text.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

GraphBuilder program(int64_t calls) { return GraphBuilder().calls("main", "parse", calls); }

std::string text_of(const CostGraph& base, const CostGraph& head, int64_t runs = 1, size_t most = 3) {
  const auto change = find_allocation_change(base, head);
  return change ? allocation_change_text(*change, runs, most) : std::string();
}

TEST(AllocationChangesTest, TheFunctionsBehindTheChangeTheLargestFirst) {
  const CostGraph base = program(10).calls("parse", "free", 30).calls("old", "malloc", 4).graph();
  const CostGraph head = program(10)
                             .calls("parse", "malloc", 30)
                             .calls("parse", "free", 30)
                             .calls("f", "operator new(unsigned long)", 1)
                             .graph();
  EXPECT_EQ(text_of(base, head),
            "allocations 4 -> 31, frees unchanged: `parse` now allocates 30 times; `old` no longer allocates (was 4 "
            "times)")
      << "`f` has less than a tenth of it";
}

TEST(AllocationChangesTest, MoreCallsAndMorePerCallAreToldApart) {
  const CostGraph base = program(10).calls("parse", "malloc", 20).graph();
  EXPECT_EQ(text_of(base, program(20).calls("parse", "malloc", 40).graph(), 10),
            "allocations 2 -> 4 per run, frees unchanged: `parse` allocates 40 times, was 20");
  EXPECT_NE(text_of(base, program(10).calls("parse", "malloc", 25).graph()).find("`parse` allocates 25 times, was 20"),
            std::string::npos);
}

TEST(AllocationChangesTest, WhatALibraryAllocatesForEachCallIsItsCallers) {
  const auto with = [](int64_t calls, int64_t allocations, const char* object) {
    return program(10).in("grow.cc", object).calls("parse", "grow", calls).calls("grow", "malloc", allocations).graph();
  };
  const CostGraph base = program(10).graph();
  EXPECT_NE(text_of(base, with(30, 30, "/usr/lib/libstdc++.so.6")).find("`parse` now allocates 30"), std::string::npos);
  EXPECT_NE(text_of(base, with(30, 28, "/usr/lib/libstdc++.so.6")).find("`grow` now allocates 28"), std::string::npos);
  EXPECT_NE(text_of(base, with(30, 30, "prog")).find("`grow` now allocates 30"), std::string::npos);
}

TEST(AllocationChangesTest, FewerThanOneForEachCallAreCounted) {
  const CostGraph base = program(700).calls("parse", "malloc", 341).graph();
  EXPECT_EQ(text_of(base, program(690).calls("parse", "malloc", 337).graph()),
            "allocations 341 -> 337, frees unchanged: `parse` allocates 337 times, was 341");
}

TEST(AllocationChangesTest, NothingChangedOrNotKnownSaysNothing) {
  const CostGraph base = program(10).calls("parse", "malloc", 20).graph();
  EXPECT_FALSE(find_allocation_change(base, base));
  EXPECT_FALSE(find_allocation_change(base, program(1).calls("parse", "malloc", 2).untrusted("why").graph()));
}

/// What is said of a program in which parse is called so often and allocates so often on either side.
std::string told(std::array<int64_t, 2> calls, std::array<int64_t, 2> allocations, int64_t runs = 1) {
  const auto graph = [&](size_t side) {
    GraphBuilder built = program(calls[side]);
    if (allocations[side] > 0) built.calls("parse", "malloc", allocations[side]);
    return built.calls("other", "calloc", 1).graph();
  };
  const std::string text = text_of(graph(0), graph(1), runs);
  return text.empty() ? text : text.substr(text.find(": ") + 2);
}

TEST(AllocationChangesTest, RatesPerCall) {
  EXPECT_EQ(told({10, 10}, {20, 25}), "`parse` allocates 25 times, was 20");
  EXPECT_EQ(told({10, 10}, {20, 10}), "`parse` allocates 10 times, was 20");
  EXPECT_EQ(told({3, 3}, {10, 3}), "`parse` allocates 3 times, was 10");
  EXPECT_EQ(told({10, 10}, {9, 20}), "`parse` allocates 20 times, was 9") << "base's are fewer than its calls";
  EXPECT_EQ(told({10, 10}, {20, 9}), "`parse` allocates 9 times, was 20");
  EXPECT_EQ(told({10, 5}, {20, 10}), "`parse` allocates 10 times, was 20");
}

TEST(AllocationChangesTest, WhatNobodyCallsIsCounted) {
  EXPECT_EQ(told({0, 0}, {20, 25}), "`parse` allocates 25 times, was 20");
  EXPECT_EQ(told({0, 0}, {0, 25}), "`parse` now allocates 25 times");
  EXPECT_EQ(told({0, 10}, {0, 25}), "`parse` now allocates 25 times");
  EXPECT_EQ(told({10, 10}, {5, 0}), "`parse` no longer allocates (was 5 times)");
}

TEST(AllocationChangesTest, TotalsPerRun) {
  const CostGraph base = program(1).calls("parse", "malloc", 10).calls("parse", "free", 4).graph();
  const auto first = [&](int64_t allocations, int64_t frees, int64_t runs) {
    const std::string text =
        text_of(base, program(1).calls("parse", "malloc", allocations).calls("parse", "free", frees).graph(), runs);
    return text.substr(0, text.find(": "));
  };
  EXPECT_EQ(first(13, 4, 1), "allocations 10 -> 13, frees unchanged");
  EXPECT_EQ(first(13, 4, 2), "allocations 5 -> 6.5 per run, frees unchanged");
  EXPECT_EQ(first(13, 4, 3), "allocations 3.333 -> 4.333 per run, frees unchanged");
  EXPECT_EQ(first(13, 7, 1), "allocations 10 -> 13") << "as many more are given back";
  EXPECT_EQ(first(13, 8, 2), "allocations 5 -> 6.5 per run, frees 2 -> 4 per run");
}

TEST(AllocationChangesTest, SoManyCallersAreTold) {
  const auto graph = [](int64_t more) {
    GraphBuilder built;
    for (const char* name : {"d", "b", "c", "a"}) built.calls("main", name, 1).calls(name, "malloc", 5 + more);
    return built.calls("a", "malloc", 3 * more).graph();
  };
  const auto told = [&](size_t most) {
    const std::string text = text_of(graph(0), graph(2), 1, most);
    return text.substr(text.find(": ") + 2);
  };
  EXPECT_EQ(told(2), "`a` allocates 13 times, was 5; `b` allocates 7 times, was 5") << "equal ones by name";
  EXPECT_TRUE(told(3).ends_with("; `c` allocates 7 times, was 5")) << told(3);
}

TEST(AllocationChangesTest, TheFirstFunctionOfAProfileMayAllocate) {
  const auto graph = [](int64_t calls) { return GraphBuilder().calls("start", "malloc", calls).graph(); };
  EXPECT_EQ(text_of(graph(5), graph(7)), "allocations 5 -> 7, frees unchanged: `start` allocates 7 times, was 5");
}

}  // namespace
}  // namespace icount
