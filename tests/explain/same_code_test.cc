// Whether two sides run one build of a function: by where instructions lie and where they lead.
#include "icount/explain/inside/opened_function.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace icount {
namespace {

/// Instructions at these addresses, each of which falls through to the next.
CodeFlow code_at(const std::vector<uint64_t>& addresses) {
  CodeFlow flow;
  for (uint64_t address : addresses) {
    Instruction one;
    one.address = address;
    one.executions = one.falls = 1;
    flow.instructions.push_back(one);
  }
  return flow;
}

bool is_same_both_ways(const CodeFlow& a, const CodeFlow& b) {
  EXPECT_EQ(is_same_code(a, b), is_same_code(b, a));
  return is_same_code(a, b);
}

TEST(SameCodeTest, AnInstructionIsFoundByItsAddressAlone) {
  const CodeFlow flow = code_at({4, 8, 12});
  EXPECT_EQ(find_instruction(flow, 4), &flow.instructions[0]);
  EXPECT_EQ(find_instruction(flow, 12), &flow.instructions[2]);
  EXPECT_EQ(find_instruction(flow, 6), nullptr);
  EXPECT_EQ(find_instruction(flow, 0), nullptr);
  EXPECT_EQ(find_instruction(flow, 16), nullptr);
  EXPECT_EQ(find_instruction({}, 4), nullptr);
}

TEST(SameCodeTest, HalfOfTheSmallerSideMustLieAtTheSamePlaces) {
  EXPECT_TRUE(is_same_both_ways(code_at({4, 8, 12, 16}), code_at({4, 8, 12, 16})));
  // What the sides have beside the common part lies where the other has nothing, behind jumps that are none here.
  CodeFlow base = code_at({4, 8, 100, 104}), head = code_at({4, 8, 200, 204});
  base.instructions[1].falls = head.instructions[1].falls = 0;
  base.instructions[3].falls = head.instructions[3].falls = 0;
  EXPECT_TRUE(is_same_both_ways(base, head)) << "two of four";
  CodeFlow longer_base = code_at({4, 8, 100, 104, 108}), longer_head = code_at({4, 8, 200, 204, 208});
  longer_base.instructions[1].falls = longer_head.instructions[1].falls = 0;
  EXPECT_FALSE(is_same_both_ways(longer_base, longer_head)) << "two of five";
  EXPECT_TRUE(is_same_both_ways(base, longer_head)) << "two of the smaller side's four";
}

TEST(SameCodeTest, AnInstructionThatFallsThroughElsewhereIsAnother) {
  EXPECT_FALSE(is_same_both_ways(code_at({4, 8, 12, 16}), code_at({4, 9, 12, 16})));
  CodeFlow jumps = code_at({4, 12, 16});
  jumps.instructions[0].falls = 0;
  EXPECT_TRUE(is_same_both_ways(code_at({4, 8, 12, 16}), jumps)) << "8 was not run: it jumped each time";
}

TEST(SameCodeTest, WhatReturnsHereAndGoesOnThereIsAnother) {
  CodeFlow base = code_at({4, 8, 12}), head = base;
  base.instructions[1].falls = 0;
  EXPECT_TRUE(is_same_both_ways(base, head)) << "a jump that was always taken";
  base.instructions[1].returns = true;
  EXPECT_FALSE(is_same_both_ways(base, head));
  head.instructions[1].falls = 0;
  EXPECT_TRUE(is_same_both_ways(base, head));
  head.instructions[1].returns = true;
  EXPECT_TRUE(is_same_both_ways(base, head));
}

TEST(SameCodeTest, CodeThatBeginsInsideAnInstructionIsAnother) {
  CodeFlow base = code_at({4, 8, 12, 16}), head = code_at({8, 14});
  head.instructions[0].falls = 0;
  EXPECT_FALSE(is_same_both_ways(base, head)) << "14 is inside of 12";
  CodeFlow behind = code_at({8, 16});
  behind.instructions[0].falls = 0;
  EXPECT_TRUE(is_same_both_ways(base, behind));
}

TEST(SameCodeTest, AJumpThatAlwaysGoesToOnePlaceGoesThereOnBothSides) {
  CodeFlow base = code_at({4, 8, 12, 16}), head = base;
  base.jumps = {{0, 2, 5}};
  EXPECT_TRUE(is_same_both_ways(base, head)) << "a jump that one side never takes";
  head.jumps = {{0, 2, 7}};
  EXPECT_TRUE(is_same_both_ways(base, head));
  head.jumps = {{0, 3, 7}};
  EXPECT_FALSE(is_same_both_ways(base, head));
  head.jumps = {{0, 1, 7}, {0, 3, 7}};
  EXPECT_TRUE(is_same_both_ways(base, head)) << "an indirect jump may go anywhere";
  head.jumps = {{0, 3, 7}, {1, 3, 7}};
  EXPECT_FALSE(is_same_both_ways(base, head)) << "its neighbour's jump is another's";
  head.jumps = {{0, 2, 7}, {1, 3, 7}};
  base.jumps = {{0, 2, 5}, {1, 0, 5}};
  EXPECT_FALSE(is_same_both_ways(base, head)) << "the last jump counts, too";
}

TEST(SameCodeTest, ABlockIsRunByASideAsAWholeOrNotAtAll) {
  CodeFlow base = code_at({4, 8, 12, 16}), head = code_at({4, 8});
  EXPECT_EQ(common_starts(base, base), std::vector<uint64_t>{4});
  EXPECT_EQ(common_starts(base, head), (std::vector<uint64_t>{4, 12}));
  EXPECT_EQ(common_starts(head, base), (std::vector<uint64_t>{4, 12}));
  const CodeFlow tail = code_at({12, 16});
  EXPECT_EQ(common_starts(head, tail), (std::vector<uint64_t>{4, 12})) << "each has its own";
  EXPECT_EQ(common_starts(code_at({4, 8, 23}), code_at({4, 8, 23})), std::vector<uint64_t>{4})
      << "15 bytes is the longest instruction";
  EXPECT_EQ(common_starts(code_at({4, 8, 24}), code_at({4, 8, 24})), (std::vector<uint64_t>{4, 24}));
}

}  // namespace
}  // namespace icount
