#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "icount/stats/measurement.h"
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

std::vector<double> one_to(int n) {
  std::vector<double> values;
  for (int i = n; i >= 1; --i) values.push_back(i);
  return values;
}

// Ranks as tabulated in Le Boudec, Performance Evaluation, table A.1 (95 %).
TEST(MedianIntervalTest, HasTheTabulatedRanks) {
  EXPECT_FALSE(median_interval(one_to(5)));
  EXPECT_EQ(median_interval(one_to(6)), (Interval{1, 6}));
  EXPECT_EQ(median_interval(one_to(10)), (Interval{2, 9}));
  EXPECT_EQ(median_interval(one_to(20)), (Interval{6, 15}));
  EXPECT_EQ(median_interval(one_to(50)), (Interval{18, 33}));
}

TEST(MedianIntervalTest, HoldsForLongSeries) {
  // 0.5 n -+ 0.98 sqrt(n) for n = 10,000.
  std::optional<Interval> interval = median_interval(one_to(10000));
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, 4902, 2);
  EXPECT_NEAR(interval->high, 5099, 2);
}

TEST(MedianIntervalTest, OfNothingThereIsNone) {
  for (int n = 0; n < 6; ++n) EXPECT_FALSE(median_interval(one_to(n))) << n;
  EXPECT_EQ(median_interval(one_to(7)), (Interval{1, 7}));
  EXPECT_EQ(median_interval(one_to(9)), (Interval{2, 8})) << "2 * (1 + 9) of 512 lie outside, less than 5 %";
}

TEST(TaskSpecTest, StatementsAreCleanedAsPyTorchDoes) {
  EXPECT_EQ(clean_statement("\n    a;\n      b;\n  \n"), "a;\n  b;");
  EXPECT_EQ(clean_statement("\n\n  a;"), "\na;");
  EXPECT_EQ(compiler_text("  a;\n    b;\n"), "a;\n  b;\n");
  const TaskSpec cpp = clean_cpp_spec({.stmt = "\n  f();\n", .setup = "pass", .global_setup = "  #include <x>\n"});
  EXPECT_EQ(cpp.stmt, "f();");
  EXPECT_EQ(cpp.setup, "");
  EXPECT_EQ(cpp.global_setup, "  #include <x>\n");
  EXPECT_EQ(clean_cpp_spec({.setup = " int n;\n"}).setup, "int n;");
  const TaskSpec python = clean_python_spec({.stmt = "\n  f()\n", .setup = "pass\n"});
  EXPECT_EQ(python.stmt, "f()");
  EXPECT_EQ(python.setup, "pass");
  EXPECT_EQ(error_of([] { clean_python_spec({.stmt = "f()", .global_setup = "x"}); }),
            "global_setup is C++ only; a Python statement was given 'x'; put it into setup");
}

TEST(TaskSpecTest, TheTitleIsTheLabelOrTheStatement) {
  EXPECT_EQ(task_title({.stmt = "f();"}), "f();");
  EXPECT_EQ(task_title({.stmt = "f();", .sub_label = "small"}), "f();: small");
  EXPECT_EQ(task_title({.stmt = "f();\ng();", .label = "both", .sub_label = "small"}), "both: small");
  EXPECT_EQ(task_title({.stmt = "f();", .label = "one", .sub_label = ""}), "one");
  EXPECT_EQ(task_title({.stmt = "f();\ng();"}), "stmt:\n  f();\n  g();");
  EXPECT_EQ(task_title({.stmt = "f();\ng();", .sub_label = "small"}), "stmt: (small)\n  f();\n  g();");
}

TEST(TaskSpecTest, TheSummaryPutsABlankLineBehindSeveral) {
  EXPECT_EQ(task_summary({.stmt = "f();", .setup = "pass"}), "f();");
  EXPECT_EQ(task_summary({.stmt = "f();", .setup = "int n;", .description = "d"}), "f();\nd\nsetup: int n;");
  EXPECT_EQ(task_summary({.stmt = "f();\ng();", .setup = "int n;\nint m;"}),
            "stmt:\n  f();\n  g();\n\nsetup:\n  int n;\n  int m;\n");
  EXPECT_EQ(task_setup_text({.setup = "pass"}), "");
}

TEST(TaskSpecTest, ARowGoesByTheFirstNameThatIsThere) {
  EXPECT_EQ(task_row_name({.stmt = "f();", .sub_label = "small"}), "small");
  EXPECT_EQ(task_row_name({.stmt = "f();", .sub_label = ""}), "f();");
  EXPECT_EQ(task_row_name({}), "[Unknown]");
}

}  // namespace
}  // namespace icount
