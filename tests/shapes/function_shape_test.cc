#include "icount/shapes/function_shape.h"

#include <gtest/gtest.h>

#include "shapes/shape_by_hand.h"
#include "support/random_code.h"

namespace icount {
namespace {

TEST(FunctionShapeTest, ALoopTestedAtTheBottom) {
  const FunctionShape shape =
      CodeByHand().entry(0, 2).row(0, 2).row(4, 50).row(8, 50).jump(8, 4, 48).row(12, 2).shape();
  ASSERT_EQ(shape.loops.size(), 1u);
  EXPECT_EQ(shape.loops[0].entries, 2);
  EXPECT_EQ(shape.loops[0].iterations, 50);
  EXPECT_EQ(shape.loops[0].back, 48);
  EXPECT_EQ(shape.blocks.size(), 3u);
}

TEST(FunctionShapeTest, APassThatLeavesFromTheHeaderIsNoIteration) {
  const FunctionShape shape =
      CodeByHand().entry(0, 2).row(0, 2).row(4, 52).jump(4, 16, 2).row(8, 50).jump(8, 4, 50).row(16, 2).shape();
  ASSERT_EQ(shape.loops.size(), 1u);
  EXPECT_EQ(shape.loops[0].head_exits, 2);
  EXPECT_EQ(shape.loops[0].iterations, 50);
}

TEST(FunctionShapeTest, LoopsNest) {
  const FunctionShape shape = CodeByHand()
                                  .entry(0, 1)
                                  .row(0, 1)
                                  .row(4, 10)
                                  .row(8, 70)
                                  .jump(8, 8 - 4 + 4, 0)
                                  .row(12, 70)
                                  .jump(12, 8, 60)
                                  .row(16, 10)
                                  .jump(16, 4, 9)
                                  .row(20, 1)
                                  .shape();
  ASSERT_EQ(shape.loops.size(), 2u);
  EXPECT_EQ(shape.loops[1].parent, 0u);
  EXPECT_EQ(shape.loops[1].depth, 2);
  EXPECT_EQ(shape.loops[1].entries, 10);
  EXPECT_EQ(shape.loops[1].iterations, 70);
  EXPECT_TRUE(shape.is_inside(shape.loops[1].header, 0));
}

TEST(FunctionShapeTest, ADispatchWithManyEntriesIsAKnot) {
  CodeByHand code;
  code.entry(0, 30).row(0, 30);
  // Three cases that are each entered from the switch and go on to one another.
  for (uint64_t i = 0; i < 3; ++i) {
    const uint64_t at = 0x100 + 0x40 * i;
    code.jump(0, at, 10).row(at, 40);
    for (uint64_t j = 0; j < 3; ++j) code.jump(at, 0x100 + 0x40 * j, 10 * (i != j) + 10 * (i == j) * 0);
    code.jump(at, at + 0x1000, 0);
  }
  for (uint64_t i = 0; i < 3; ++i) code.jump(0x100 + 0x40 * i, 0x100 + 0x40 * ((i + 1) % 3), 10);
  const FunctionShape shape = code.shape();
  ASSERT_EQ(shape.loops.size(), 1u);
  EXPECT_TRUE(shape.loops[0].knot);
  EXPECT_EQ(shape.loops[0].entries, 30);
}

TEST(FunctionShapeTest, ManyBlocksAndDeepNestsStayClosed) {
  CodeByHand wide;
  wide.entry(0, 1);
  for (uint64_t i = 0; i < 1'000'000; ++i) wide.row(i * 32, 1);
  EXPECT_NE(wide.shape().closed, "");

  constexpr uint64_t kDeep = 10'000;
  CodeByHand deep;
  deep.entry(0, 1);
  for (uint64_t i = 0; i < kDeep; ++i) deep.row(i * 4, static_cast<int64_t>(i) + 1);
  for (uint64_t i = 0; i < kDeep; ++i) deep.row((kDeep + i) * 4, static_cast<int64_t>(kDeep - i));
  for (uint64_t i = 1; i < kDeep; ++i) deep.jump((kDeep + i) * 4, (kDeep - i) * 4, 1);
  EXPECT_NE(deep.shape().closed, "");
}

class RandomShapeTest : public testing::TestWithParam<int> {};

TEST_P(RandomShapeTest, BlocksHoldAllCostAndFlowIsExplained) {
  RandomCode how;
  how.code_seed = static_cast<uint64_t>(GetParam());
  how.blocks = 2 + GetParam() % 50;
  const CodedProfile profile = read_coded(random_profile(how));
  for (const FunctionCode& code : profile.code.functions) {
    if (profile.graph.name(code.function) != "f") continue;
    const FunctionCode* const piece = &code;
    const FunctionShape shape = make_shape(make_code_flow(
        {&piece, 1}, 1, 0, code.function, [](FunctionIndex f) { return f; },
        [](FunctionIndex, FunctionIndex) { return true; }));
    ASSERT_EQ(shape.closed, "");
    int64_t self = 0, entered = 0, left = 0;
    for (const ShapeBlock& block : shape.blocks) {
      self += block.self;
      entered += block.entered;
      left += block.left;
    }
    EXPECT_EQ(self, profile.graph.self_of(code.function, 0));
    EXPECT_EQ(entered, left);
    EXPECT_EQ(shape.flow.arrivals, 0);
    for (const ShapeLoop& loop : shape.loops) {
      EXPECT_GE(loop.iterations, 0);
      EXPECT_GE(loop.entries, 1);
      for (const uint32_t block : loop.blocks)
        EXPECT_TRUE(loop.parent == kNoLoop || shape.is_inside(block, loop.parent));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomShapeTest, testing::Range(0, 100));

}  // namespace
}  // namespace icount
