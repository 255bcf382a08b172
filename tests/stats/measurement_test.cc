#include "icount/stats/measurement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "icount/base/error.h"
#include "icount/stats/quantile.h"
#include "icount/stats/units.h"
#include "support/error_of.h"

namespace icount {
namespace {

std::string measurement_error(int64_t runs, std::vector<double> times) {
  return error_of([&] { Measurement(runs, std::move(times), {}); });
}

TEST(MeasurementTest, StatisticsArePerRunAndHandChecked) {
  Measurement measurement(10, {50, 10, 30, 20, 40}, {});
  EXPECT_EQ(measurement.median(), 3.0);
  EXPECT_EQ(measurement.p25(), 2.0);
  EXPECT_EQ(measurement.p75(), 4.0);
  EXPECT_EQ(measurement.mean(), 3.0);
  EXPECT_EQ(measurement.iqr(), 2.0);
  EXPECT_EQ(measurement.times(), (std::vector<double>{5, 1, 3, 2, 4}));
  EXPECT_TRUE(measurement.has_warnings());
  EXPECT_FALSE(measurement.meets_confidence(2.0 / 3));
  EXPECT_TRUE(measurement.meets_confidence(0.67));
}

TEST(MeasurementTest, AnswersWherePyTorchFails) {
  Measurement none(1, {}, {});
  EXPECT_EQ(none.median(), -1);
  EXPECT_EQ(none.significant_figures(), 1);
  Measurement zero(1, {0, 0, 1}, {});
  EXPECT_EQ(zero.relative_iqr(), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(zero.has_warnings());
  EXPECT_EQ(zero.significant_figures(), 1);
  EXPECT_FALSE(Measurement(1, {0, 0}, {}).has_warnings());
  EXPECT_EQ(Measurement(1, {1e300}, {}).significant_figures(), 1);
}

TEST(MeasurementTest, RefusesWhatIsNoMeasurement) {
  EXPECT_EQ(measurement_error(0, {1}), "a measurement of 0 runs per block: at least one is needed");
  EXPECT_EQ(measurement_error(1, {1, std::nan("")}), "a measurement whose time 1 is nan s: times must be finite");
}

TEST(UnitsTest, FineUnitsGoBelowOneNanosecondAndTakeAnyNumber) {
  EXPECT_EQ(select_fine_unit(3e-10).name, "ps");
  EXPECT_EQ(select_fine_unit(3e-60).name, "ps");
  EXPECT_EQ(select_fine_unit(-3e-5).name, "us");
  EXPECT_EQ(select_fine_unit(0).name, "ns");
  EXPECT_EQ(select_fine_unit(1e-9).name, "ns");
  EXPECT_EQ(select_fine_unit(3e60).name, "s");
}

TEST(UnitsTest, TrimmingKeepsZero) {
  EXPECT_EQ(trim_sigfig(0, 2), 0);
  EXPECT_EQ(trim_sigfig(12.5, 2), 12);
  EXPECT_EQ(trim_sigfig(13.5, 2), 14);
}

TEST(QuantileTest, MeanOfManyIsNearTheExactOne) {
  std::vector<double> values;
  for (int i = 1; i <= 100000; ++i) values.push_back(i);
  EXPECT_EQ(cascade_mean(values), 50000.5);
}

}  // namespace
}  // namespace icount
