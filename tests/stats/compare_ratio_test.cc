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

/// Six blocks, all of the same time.
RatioVerdict constant(double ratio, double tolerance) {
  const Measurement base(1, std::vector<double>(6, 1), {}), head(1, std::vector<double>(6, ratio), {});
  const Ratio found = median_ratio(base, head, {.tolerance = tolerance, .resamples = 20});
  EXPECT_EQ(found.interval, (Interval{ratio, ratio}));
  return found.verdict;
}

TEST(MedianRatioTest, TheToleranceIsWithinTheSame) {
  EXPECT_EQ(constant(1.25, 0.25), RatioVerdict::kSame);
  EXPECT_EQ(constant(0.75, 0.25), RatioVerdict::kSame);
  EXPECT_EQ(constant(1.26, 0.25), RatioVerdict::kSlower);
  EXPECT_EQ(constant(0.74, 0.25), RatioVerdict::kFaster);
  EXPECT_EQ(constant(1, 0), RatioVerdict::kSame);
}

TEST(MedianRatioTest, AnIntervalThatReachesOneDoesNotTell) {
  // Half of the blocks at 1, half far off: the interval of the ratio ends at 1 or holds it.
  const Measurement base(1, std::vector<double>(6, 1), {});
  const Measurement slower(1, {1, 1, 1, 1, 1, 9}, {}), faster(1, {1, 1, 1, 1, 1, 0.1}, {});
  EXPECT_NE(median_ratio(base, slower, {.tolerance = 0}).verdict, RatioVerdict::kSlower);
  EXPECT_NE(median_ratio(base, faster, {.tolerance = 0}).verdict, RatioVerdict::kFaster);
}

TEST(MedianRatioTest, SixBlocksOnEitherSideAreEnough) {
  const Measurement six(1, std::vector<double>(6, 1), {}), five(1, std::vector<double>(5, 1), {});
  EXPECT_TRUE(median_ratio(six, six).interval);
  EXPECT_FALSE(median_ratio(five, six).interval);
  EXPECT_FALSE(median_ratio(six, five).interval);
}

TEST(RatioTableTest, EveryColumnAgainstTheBaseColumnWhereBothHaveTheRow) {
  const auto cell = [](const char* row, const char* column, double seconds) {
    return Measurement(1, std::vector<double>(6, seconds), {.stmt = row, .sub_label = row, .description = column});
  };
  const std::vector<Measurement> results = {cell("x", "A", 2), cell("x", "B", 1), cell("y", "A", 3), cell("z", "B", 4),
                                            cell("z", "C", 8)};
  const CompareTable table = make_compare_tables(results, CompareMode::kMended).at(0);
  const RatioTable ratios = make_ratios(table, 1);
  EXPECT_EQ(ratios.base_column, 1u);
  const auto shown = [&](size_t row) {
    std::vector<double> found;
    for (const std::optional<Ratio>& ratio : ratios.cells.at(row)) found.push_back(ratio ? ratio->ratio : 0);
    return found;
  };
  ASSERT_EQ(ratios.cells.size(), 3u);
  EXPECT_EQ(shown(0), (std::vector<double>{2, 0, 0}));
  EXPECT_EQ(shown(1), (std::vector<double>{0, 0, 0})) << "the base column does not have it";
  EXPECT_EQ(shown(2), (std::vector<double>{0, 0, 2}));
}

}  // namespace
}  // namespace icount
