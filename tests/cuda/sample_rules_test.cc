#include "icount/harness/stubs/sample_rules.h"

#include <gtest/gtest.h>

#include <random>

namespace icount {
namespace {

TEST(SampleRulesTest, QuietSamplesStopByDeviationButNotBeforeTheMinimumTime) {
  RelativeDeviationRule rule(0.005, 0.5);
  int taken = 0;
  while (rule.look() == SampleStop::kNone && taken < 1000) rule.add(++taken % 2 ? 0.01 : 0.01002);
  EXPECT_EQ(taken, 50);  // 50 samples of 10 ms and a hair: the first time that half a second is full
  EXPECT_EQ(rule.look(), SampleStop::kRelativeDeviation);
}

TEST(SampleRulesTest, HonestNoiseStopsWhenItNoLongerMoves) {
  RelativeDeviationRule rule(0.005, 0.0);
  int taken = 0;
  while (rule.look() == SampleStop::kNone && taken < 100000) rule.add(++taken % 2 ? 1.0 : 1.2);
  EXPECT_EQ(rule.look(), SampleStop::kStableNoise);
  EXPECT_GE(taken, 512);
}

TEST(SampleRulesTest, DriftingSamplesDoNotStop) {
  RelativeDeviationRule deviation(0.005, 0.0);
  EntropyRule entropy;
  double seconds = 1;
  // Longer series of any kind flatten: entropy like log2(n), the deviation of a growing series like the root of n.
  for (int i = 0; i < 1000; ++i) {
    seconds *= 1.01;
    deviation.add(seconds);
    entropy.add(seconds);
    ASSERT_EQ(entropy.look(), SampleStop::kNone) << i;
    if (i > 10) {
      ASSERT_EQ(deviation.look(), SampleStop::kNone) << i;
    }
  }
}

TEST(SampleRulesTest, EntropyStopsForConstantAndForSettledNoiseAndNotBeforeItsWindow) {
  EntropyRule constant;
  for (int i = 0; i < 298; ++i) {
    constant.add(1e-5);
    ASSERT_EQ(constant.look(), SampleStop::kNone);
  }
  constant.add(1e-5);
  EXPECT_EQ(constant.look(), SampleStop::kEntropy);

  EntropyRule noisy;
  std::mt19937 engine(7);
  std::normal_distribution<double> draw(1.0, 0.01);
  int taken = 0;
  while (noisy.look() == SampleStop::kNone && taken < 200000) {
    noisy.add(draw(engine));
    ++taken;
  }
  EXPECT_EQ(noisy.look(), SampleStop::kEntropy);
  EXPECT_GT(taken, 299);
}

TEST(SampleRulesTest, RelativeDeviationByHand) {
  EXPECT_DOUBLE_EQ(relative_deviation({1, 3}), 0.5);
  EXPECT_EQ(relative_deviation({1}), 0);
  EXPECT_EQ(relative_deviation({}), 0);
}

}  // namespace
}  // namespace icount
