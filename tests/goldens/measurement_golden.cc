#include <gtest/gtest.h>

#include <cmath>

#include "goldens/golden_checks.h"
#include "icount/report/measurement_text.h"

namespace icount {
namespace {

// What PyTorch raises for, icount answers; only what it answers must be the same.
void expect_value(double actual, const Json& expect, const char* name) {
  EXPECT_TRUE(std::isfinite(actual)) << name;
  if (expect.at(name).contains("value")) {
    EXPECT_EQ(actual, expect.at(name).at("value").get<double>()) << name;
  }
}

}  // namespace

void check_measurement(const Json& golden) {
  Measurement measurement = measurement_of(golden.at("input"));
  const Json& expect = golden.at("expect");
  EXPECT_EQ(measurement.median(), expect.at("median").get<double>());
  EXPECT_EQ(measurement.mean(), expect.at("mean").get<double>());
  EXPECT_EQ(measurement.p25(), expect.at("p25").get<double>());
  EXPECT_EQ(measurement.p75(), expect.at("p75").get<double>());
  EXPECT_EQ(measurement.iqr(), expect.at("iqr").get<double>());
  EXPECT_EQ(measurement.significant_figures(), expect.at("significant_figures").get<int>());
  EXPECT_EQ(measurement.has_warnings(), expect.at("has_warnings").get<bool>());
  for (const Json& row : expect.at("meets_confidence"))
    EXPECT_EQ(measurement.meets_confidence(row.at(0)), row.at(1).get<bool>()) << row;
  EXPECT_EQ(task_title(measurement.task_spec()), expect.at("title").get<std::string>());
  EXPECT_EQ(task_row_name(measurement.task_spec()), expect.at("as_row_name").get<std::string>());
  EXPECT_EQ(render_measurement(measurement, TimeText::kCompatible), expect.at("text").get<std::string>());
}

void check_measurement_raises(const Json& golden) {
  Measurement measurement = measurement_of(golden.at("input"));
  const Json& expect = golden.at("expect");
  expect_value(measurement.median(), expect, "median");
  expect_value(measurement.mean(), expect, "mean");
  expect_value(measurement.iqr(), expect, "iqr");
  if (expect.at("has_warnings").contains("value")) {
    EXPECT_EQ(measurement.has_warnings(), expect.at("has_warnings").at("value").get<bool>());
  }
  EXPECT_EQ(measurement.significant_figures(), 1);
  EXPECT_NE(render_measurement(measurement).find("easurement"), std::string::npos);
}

void check_merge(const Json& golden) {
  std::vector<Measurement> measurements;
  for (const Json& json : golden.at("input").at("measurements")) measurements.push_back(measurement_of(json));
  std::vector<Measurement> merged = merge(measurements);
  const Json& groups = golden.at("expect").at("groups");
  ASSERT_EQ(merged.size(), groups.size());
  for (size_t i = 0; i < merged.size(); ++i) {
    EXPECT_EQ(merged[i].task_spec(), task_spec_of(groups[i].at("task_spec")));
    EXPECT_EQ(merged[i].number_per_run(), groups[i].at("number_per_run").get<int64_t>());
    EXPECT_EQ(merged[i].raw_times(), groups[i].at("raw_times").get<std::vector<double>>());
    EXPECT_EQ(merged[i].metadata(), groups[i].at("metadata"));
    EXPECT_EQ(merged[i].median(), groups[i].at("median").get<double>());
  }
}

}  // namespace icount
