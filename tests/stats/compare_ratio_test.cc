#include "icount/stats/compare_ratio.h"

#include <gtest/gtest.h>

#include <random>

namespace icount {
namespace {

// `blocks` times around `seconds`, spread evenly over 1 -+ spread.
Measurement timed(double seconds, double spread, size_t blocks) {
  std::vector<double> times;
  for (size_t i = 0; i < blocks; ++i)
    times.push_back(seconds *
                    (1 + spread * (2 * static_cast<double>(i * 7 % blocks) / static_cast<double>(blocks - 1) - 1)));
  return Measurement(1, std::move(times), {});
}

TEST(MedianRatioTest, GivesAVerdictOnlyWhenTheIntervalAllowsIt) {
  EXPECT_EQ(median_ratio(timed(1, 0.01, 50), timed(2, 0.01, 50)).verdict, RatioVerdict::kSlower);
  EXPECT_EQ(median_ratio(timed(2, 0.01, 50), timed(1, 0.01, 50)).verdict, RatioVerdict::kFaster);
  EXPECT_EQ(median_ratio(timed(1, 0.001, 50), timed(1.001, 0.001, 50)).verdict, RatioVerdict::kSame);
  EXPECT_EQ(median_ratio(timed(1, 0.3, 20), timed(1.02, 0.3, 20)).verdict, RatioVerdict::kCannotTell);
}

TEST(MedianRatioTest, CannotTellFromFewBlocksOrNoTime) {
  Ratio few = median_ratio(timed(1, 0.01, 5), timed(2, 0.01, 50));
  EXPECT_EQ(few.verdict, RatioVerdict::kCannotTell);
  EXPECT_FALSE(few.interval);
  EXPECT_DOUBLE_EQ(few.ratio, 2);
  EXPECT_EQ(median_ratio(timed(0, 0, 10), timed(1, 0, 10)).verdict, RatioVerdict::kCannotTell);
}

TEST(MedianRatioTest, TheIntervalHoldsTheTruthAboutAsOftenAsItSays) {
  std::mt19937_64 random(11);
  auto draw = [&](size_t blocks, double seconds) {
    std::vector<double> times;
    for (size_t i = 0; i < blocks; ++i)
      times.push_back(seconds * (0.9 + 0.2 * static_cast<double>(random() >> 11) * 0x1p-53));
    return Measurement(1, std::move(times), {});
  };
  for (size_t blocks : {40, 1000}) {  // resampled, and drawn by rank
    int held = 0;
    for (int i = 0; i < 200; ++i) {
      Ratio ratio = median_ratio(draw(blocks, 1), draw(blocks, 1.5), {.resamples = 400});
      held += ratio.interval->low <= 1.5 && 1.5 <= ratio.interval->high;
    }
    EXPECT_GE(held, 180) << blocks;
  }
}

TEST(MedianRatioTest, TheSameSeedGivesTheSameInterval) {
  Measurement base = timed(1, 0.1, 30), head = timed(1.1, 0.1, 30);
  EXPECT_EQ(median_ratio(base, head).interval, median_ratio(base, head).interval);
  EXPECT_NE(median_ratio(base, head).interval, median_ratio(base, head, {.seed = 2}).interval);
}

}  // namespace
}  // namespace icount
