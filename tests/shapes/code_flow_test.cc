// What Callgrind leaves out or writes in its own way, rule by rule (shapes/code_flow.h).
#include "icount/shapes/code_flow.h"

#include <gtest/gtest.h>

#include "shapes/shape_by_hand.h"

namespace icount {
namespace {

TEST(CodeFlowTest, AnAddressInSeveralSuperblocksIsOneInstruction) {
  const CodeFlow flow = CodeByHand().entry(4, 1).row(4, 1).row(8, 1).row(8, 99).jump(8, 8 - 4, 0).flow();
  ASSERT_EQ(flow.instructions.size(), 2u);
  EXPECT_EQ(flow.instructions[1].executions, 100);
  EXPECT_EQ(flow.instructions[1].self, 100);
}

TEST(CodeFlowTest, WhatIsLeftOverFallsThroughToWhatIsMissing) {
  const CodeFlow flow = CodeByHand().entry(4, 10).row(4, 10).jump(4, 12, 3).row(8, 7).row(12, 10).flow();
  EXPECT_EQ(flow.instructions[0].falls, 7);
  EXPECT_EQ(flow.instructions[1].falls, 7);
  EXPECT_EQ(flow.instructions[2].left, 10);
  EXPECT_EQ(flow.arrivals, 0);
  EXPECT_EQ(flow.entries, 10);
}

TEST(CodeFlowTest, RepetitionsOfAnInstructionAreNoExecutions) {
  const CodeFlow flow = CodeByHand().entry(4, 2).row(4, 2).row(8, 102).jump(8, 8, 100).row(12, 2).flow();
  EXPECT_EQ(flow.instructions[1].executions, 2);
  EXPECT_EQ(flow.instructions[1].self, 102);
  EXPECT_EQ(flow.instructions[1].falls, 2);
  EXPECT_TRUE(flow.jumps.empty());
}

TEST(CodeFlowTest, LinkageStepsAtACallAreNoExecutions) {
  // Three steps through the linkage table for each of 10 calls, charged to the call's address.
  const CodeFlow flow = CodeByHand().entry(4, 10).row(4, 10).row(8, 40).call(8, 1, 0x900, 10).row(12, 10).flow();
  EXPECT_EQ(flow.instructions[1].executions, 10);
  EXPECT_EQ(flow.instructions[1].self, 40);
  EXPECT_EQ(flow.arrivals, 0);
}

TEST(CodeFlowTest, EverySwitchTargetIsAJump) {
  const CodeFlow flow = CodeByHand().entry(4, 9).row(4, 9).jump(4, 40, 4).jump(4, 80, 5).row(40, 4).row(80, 5).flow();
  EXPECT_EQ(flow.jumps.size(), 2u);
  EXPECT_EQ(flow.instructions[0].left, 0);
}

TEST(CodeFlowTest, ATailCallLeavesTheFunction) {
  const CodeFlow flow = CodeByHand().entry(4, 9).row(4, 9).call(4, 1, 0x900, 9).flow();
  ASSERT_EQ(flow.calls.size(), 1u);
  EXPECT_EQ(flow.instructions[0].left, 9);
}

TEST(CodeFlowTest, AJumpToAnotherFunctionLeavesThisOne) {
  const CodeFlow flow = CodeByHand().entry(4, 9).row(4, 9).jump(4, 0x900, 5, 3).row(8, 4).flow();
  EXPECT_EQ(flow.instructions[0].left, 5);
  EXPECT_EQ(flow.instructions[0].falls, 4);
}

TEST(CodeFlowTest, AJumpToTheFirstInstructionIsWrittenAsACall) {
  // 30 turns of a loop at the function's first instruction; 10 calls from outside.
  const CodeFlow flow = CodeByHand().entry(4, 40, 0).row(4, 40).row(8, 40).call(8, 0, 4, 30).row(12, 10).flow();
  ASSERT_EQ(flow.jumps.size(), 1u);
  EXPECT_EQ(flow.jumps[0].followed, 30);
  EXPECT_EQ(flow.entries, 10);
  EXPECT_TRUE(flow.calls.empty());
}

TEST(CodeFlowTest, ARecursionThatReturnsStaysACall) {
  const CodeFlow flow = CodeByHand().entry(4, 40, 0).row(4, 40).row(8, 40).call(8, 0, 4, 30).row(12, 40).flow();
  EXPECT_TRUE(flow.jumps.empty());
  EXPECT_EQ(flow.entries, 40);
  ASSERT_EQ(flow.calls.size(), 1u);
}

TEST(CodeFlowTest, AStepIntoAPieceOfTheFunctionIsAJump) {
  const CodeFlow flow =
      CodeByHand().entry(4, 10).row(4, 10).call(4, 1, 0x500, 2).row(8, 8).row(0x500, 2).flow(1, false);
  ASSERT_EQ(flow.jumps.size(), 1u);
  EXPECT_EQ(flow.jumps[0].followed, 2);
  EXPECT_EQ(flow.arrivals, 0);
}

TEST(CodeFlowTest, FlowFromNowhereIsAllowedForAndCounted) {
  // A landing pad that 2 exceptions came to.
  const CodeFlow flow = CodeByHand().entry(4, 10).row(4, 10).row(0x80, 2).flow();
  EXPECT_EQ(flow.arrivals, 2);
  EXPECT_EQ(flow.instructions[1].arrived, 2);
  EXPECT_EQ(flow.closed, "");
}

TEST(CodeFlowTest, AFunctionWhoseJumpsExceedItsExecutionsStaysClosed) {
  const CodeFlow flow = CodeByHand().entry(4, 10).row(4, 10).row(8, 10).jump(8, 4, 11).flow();
  EXPECT_NE(flow.closed, "");
  EXPECT_TRUE(flow.instructions.empty());
}

TEST(CodeFlowTest, JumpsToNowhereAreLeftOut) {
  const CodeFlow flow = CodeByHand().entry(4, 10).row(4, 10).jump(4, 0xdead, 3).jump(0xbeef, 4, 3).row(8, 10).flow();
  EXPECT_TRUE(flow.jumps.empty());
  EXPECT_EQ(flow.instructions[0].falls, 10);
}

TEST(CodeFlowTest, NothingRecordedStaysClosed) { EXPECT_NE(CodeByHand().flow().closed, ""); }

}  // namespace
}  // namespace icount
