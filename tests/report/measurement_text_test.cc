#include "icount/report/measurement_text.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

TEST(MeasurementTextTest, ShowsPicosecondsBelowOneNanosecond) {
  Measurement tiny(1000, {3.5e-7, 3.5e-7, 3.5e-7, 3.5e-7}, {.stmt = "x"});
  EXPECT_EQ(render_measurement(tiny),
            "x\n  Median: 350.00 ps\n  IQR:    0.00 ps (350.00 to 350.00)\n  4 measurements, 1000 runs per "
            "measurement, 1 thread");
  EXPECT_EQ(render_measurement(tiny, TimeText::kCompatible),
            "x\n  Median: 0.00 s\n  IQR:    0.00 s (0.00 to 0.00)\n  4 measurements, 1000 runs per "
            "measurement, 1 thread");
}

TEST(MeasurementTextTest, SaysWhatThereIsWherePyTorchFails) {
  EXPECT_EQ(render_measurement(Measurement(1, {}, {.stmt = "x"})), "x\n  No measurements");
  EXPECT_EQ(render_measurement(Measurement(1, {0, 0}, {.stmt = "x"})),
            "x\n  Median: 0.00 ns\n  2 measurements, 1 runs per measurement, 1 thread");
  EXPECT_EQ(render_measurement(Measurement(1, {0, 0, 1e-6}, {.stmt = "x"})),
            "x\n  Median: 0.00 ns\n  3 measurements, 1 runs per measurement, 1 thread\n"
            "  WARNING: Interquartile range is inf% of the median measurement.\n"
            "           This suggests significant environmental influence.");
}

}  // namespace
}  // namespace icount
