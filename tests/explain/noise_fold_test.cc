// The order of causes, and causes of one group as one line.
#include "icount/explain/claims/noise_fold.h"
#include "icount/report/cause_sentence.h"

#include <gtest/gtest.h>

#include <limits>

#include "joined_pair.h"

namespace icount {
namespace {

Cause cause(const char* function, int64_t delta, CauseKind kind = CauseKind::kOwnCost) {
  Cause made;
  made.kind = kind;
  made.function = function;
  made.facts = fact::Said{function};
  made.delta = delta;
  return made;
}

std::string order_of(std::vector<Cause> causes) {
  sort_causes(causes);
  std::string order;
  for (const Cause& one : causes) order += one.function + " ";
  return order;
}

TEST(SortCausesTest, TheLargestComesFirstWhateverItsSign) {
  EXPECT_EQ(order_of({cause("a", 1), cause("b", -30), cause("c", 20)}), "b c a ");
  EXPECT_EQ(
      order_of({cause("a", std::numeric_limits<int64_t>::max()), cause("b", std::numeric_limits<int64_t>::min())}),
      "b a ");
}

TEST(SortCausesTest, EqualOnesGoByKindAndNames) {
  EXPECT_EQ(order_of({cause("b", 5), cause("a", -5)}), "a b ");
  EXPECT_EQ(order_of({cause("a", 5, CauseKind::kCalls), cause("b", 5, CauseKind::kOwnCost)}),
            CauseKind::kCalls < CauseKind::kOwnCost ? "a b " : "b a ");
  Cause first = cause("f", 5), second = cause("f", 5);
  first.caller = "y";
  second.caller = "x";
  std::vector<Cause> causes = {first, second};
  sort_causes(causes);
  EXPECT_EQ(causes[0].caller, "x");
}

TEST(SortCausesTest, MembersAreInOrderToo) {
  Cause sum = cause("sum", 9);
  sum.inside = {cause("a", 1), cause("b", 8)};
  std::vector<Cause> causes = {sum};
  sort_causes(causes);
  EXPECT_EQ(causes[0].inside[0].function, "b");
}

GroupedCause in_group(Cause of, const char* group) {
  GroupedCause made;
  made.cause = std::move(of);
  made.group = group;
  return made;
}

TEST(FoldNoiseTest, AGroupIsOneLineWithItsSumAndItsMembers) {
  std::vector<Cause> found =
      fold_noise({in_group(cause("free", -20), "allocator"), in_group(cause("f", 7), ""),
                  in_group(cause("malloc", 50), "allocator"), in_group(cause("realloc", 3), "allocator")},
                 1000);
  sort_causes(found);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].kind, CauseKind::kGroup);
  EXPECT_EQ(found[0].function, "allocator");
  EXPECT_EQ(found[0].delta, 33);
  EXPECT_EQ(found[0].inside.size(), 3u);
  EXPECT_EQ(cause_sentence(found[0]),
            "inside the allocator: `malloc` (+50), `free` (-20) and `realloc` (+3)");
  EXPECT_EQ(cause_sentence(found[1]), "f");
}

TEST(FoldNoiseTest, OneMemberStandsForItselfAndTwoAreOneAndAnother) {
  EXPECT_EQ(cause_sentence(fold_noise({in_group(cause("malloc", 50), "allocator")}, 1000).at(0)), "malloc");
  EXPECT_EQ(cause_sentence(
                fold_noise({in_group(cause("malloc", 50), "allocator"), in_group(cause("free", 5), "allocator")}, 1000)
                    .at(0)),
            "inside the allocator: `malloc` (+50) and `free` (+5)");
}

TEST(FoldNoiseTest, WhatMakesMostOfTheChangeIsNoNoise) {
  const auto rows = [](int64_t delta) {
    return fold_noise({in_group(cause("strncpy", 90), "libc strings"), in_group(cause("strcpy", 8), "libc strings"),
                       in_group(cause("strlen", 1), "libc strings")},
                      delta)
        .size();
  };
  EXPECT_EQ(rows(100), 2u) << "strncpy, and the group";
  EXPECT_EQ(rows(-100), 1u);
  EXPECT_EQ(rows(200), 1u);
  EXPECT_EQ(rows(20), 1u) << "what others take back";
}

TEST(FoldNoiseTest, AGroupDoesNotLeadWhereACauseIsHalfAsLarge) {
  const auto program = [](int64_t malloc, int64_t free, int64_t run) {
    GraphBuilder graph;
    graph.function("main", 10).function("run", run).function("malloc", malloc).function("free", free);
    return graph.calls("main", "run", 1).calls("run", "malloc", 10).calls("run", "free", 10).graph();
  };
  const auto first = [&](int64_t run) {
    return explain(program(1'000, 1'000, 1'000), program(2'000, 2'000, run)).causes.at(0).function;
  };
  EXPECT_EQ(first(2'000), "run");
  EXPECT_EQ(first(1'999), "allocator");
}

}  // namespace
}  // namespace icount
