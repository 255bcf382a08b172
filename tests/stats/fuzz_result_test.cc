#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "icount/base/file.h"
#include "icount/base/json.h"
#include "icount/stats/compare.h"
#include "icount/stats/fuzz_result.h"
#include "support/error_of.h"

namespace icount {
namespace {

FuzzPoint point(int64_t sample, int64_t elements, std::optional<double> cost, std::optional<double> against) {
  return {.sample = sample,
          .elements = elements,
          .shape = "x " + std::to_string(elements),
          .params = {{"k", sample}},
          .cost = {cost, cost ? "done" : "crashed", cost ? "" : "signal 11"},
          .against = FuzzCost{against, against ? "done" : "killed", ""}};
}

FuzzResult example() {
  FuzzResult result{.stmt = "f(x)", .against = "g(x)", .source = "unary small", .seed = UINT64_MAX, .number = 7};
  result.circumstances = "c++";
  result.rejection_rate = 0.25;
  result.points = {point(0, 10, 100, 300), point(1, 20, 100, 100),        point(2, 0, 50, 50),
                   point(3, 10, 100, 50),  point(4, 40, std::nullopt, 9), point(5, 80, 800, std::nullopt)};
  return result;
}

TEST(FuzzResultTest, OrdersAreByFigureAndThenBySample) {
  const FuzzResult result = example();
  EXPECT_EQ(by_cost_per_element(result), (std::vector<size_t>{1, 0, 3, 5}));  // 5, 10, 10, 10
  EXPECT_EQ(by_difference(result), (std::vector<size_t>{0, 3, 1, 2}));        // 1, -2/3, 0, 0
  EXPECT_EQ(relative_difference(result.points[0]), 1);
  EXPECT_EQ(relative_difference(result.points[4]), std::nullopt);
  EXPECT_EQ(relative_difference(result.points[5]), std::nullopt);
  EXPECT_EQ(relative_difference({}), std::nullopt);
  EXPECT_EQ(relative_difference(point(0, 1, 0, 0)), std::nullopt);
  EXPECT_EQ(failed_points(result), 2);
}

TEST(FuzzResultTest, ACostIsFittedForEachStatement) {
  FuzzResult result;
  for (const int64_t n : {1, 2, 4, 8}) {
    const auto x = static_cast<double>(n);
    result.points.push_back(point(n, n, 5 * x, 2 * x * x));
  }
  EXPECT_NEAR(fit_cost(result)->exponent, 1, 1e-9);
  EXPECT_NEAR(fit_cost(result, true)->exponent, 2, 1e-9);
  for (FuzzPoint& one : result.points) one.against.reset();
  EXPECT_EQ(fit_cost(result, true), std::nullopt);
}

TEST(FuzzResultTest, JsonKeepsEverything) {
  const FuzzResult result = example();
  const Json json = fuzz_result_to_json(result);
  const FuzzResult back = fuzz_result_from_json(json, "run.json");
  EXPECT_EQ(fuzz_result_to_json(back), json);
  EXPECT_EQ(back.stmt, "f(x)");
  EXPECT_EQ(back.against, "g(x)");
  EXPECT_EQ(back.seed, UINT64_MAX);
  EXPECT_EQ(back.number, 7);
  EXPECT_EQ(back.rejection_rate, 0.25);
  EXPECT_EQ(back.points[4].cost.status, "crashed");
  EXPECT_EQ(back.points[4].cost.error, "signal 11");
  EXPECT_EQ(back.points[3].params["k"], 3);
  EXPECT_TRUE(json.contains("fit") && !json["fit"].is_null());
  EXPECT_TRUE(json.contains("fit_against"));
  EXPECT_EQ(back.unit, FuzzUnit::kInstructions);
}

TEST(FuzzResultTest, WhatIsNoRunIsNamed) {
  Json json = fuzz_result_to_json(example());
  json["unit"] = "seconds";
  EXPECT_EQ(fuzz_result_from_json(json, "r").unit, FuzzUnit::kSeconds);
  const auto said = [&](const Json& changed) { return error_of([&] { fuzz_result_from_json(changed, "r"); }); };
  Json seed = json, other = json, newer = json;
  seed["seed"] = "12x";
  EXPECT_EQ(said(seed), "r: seed '12x' is not a number");
  other["schema"]["name"] = "icount-result";
  EXPECT_EQ(said(other), "r: holds 'icount-result', not a fuzzer run");
  newer["schema"]["version"] = 99;
  EXPECT_NE(said(newer).find("version 99"), std::string::npos);
}

TEST(FuzzResultTest, RunsThatAreUnlikeSayWhere) {
  const FuzzResult here = example();
  EXPECT_EQ(unlike(here, here), "");
  const auto said = [&](const auto& change) {
    FuzzResult there = example();
    change(there);
    return unlike(there, here);
  };
  EXPECT_EQ(said([](FuzzResult& r) { r.stmt = "h(x)"; }), "the statement is 'h(x)' there and 'f(x)' here");
  EXPECT_EQ(said([](FuzzResult& r) { r.seed = 1; }), "the seed is '1' there and '18446744073709551615' here");
  EXPECT_EQ(said([](FuzzResult& r) { r.unit = FuzzUnit::kSeconds; }),
            "the unit is 'seconds' there and 'instructions' here");
}

FuzzResult two_samples() {
  FuzzResult result;
  result.stmt = "x + x";
  result.against = "x * x";
  result.source = "mine";
  result.unit = FuzzUnit::kSeconds;
  for (int64_t i = 0; i < 2; ++i) {
    FuzzPoint point{
        .sample = i, .elements = 4, .shape = "x 4 float32", .params = Json::object(), .cost = {}, .against = {}};
    point.cost = {1e-6 * static_cast<double>(i + 1), "done", ""};
    point.against = FuzzCost{i == 0 ? std::optional(3e-6) : std::nullopt, i == 0 ? "done" : "threw", ""};
    result.points.push_back(point);
  }
  return result;
}

TEST(FuzzMeasurementsTest, ARowForEachSampleAndAColumnForEachStatement) {
  const std::vector<Measurement> measurements = fuzz_measurements(two_samples(), "f");
  ASSERT_EQ(measurements.size(), 3u);  // one statement failed on one sample
  const std::vector<CompareTable> tables = make_compare_tables(measurements, CompareMode::kMended);
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].label, "fuzz: mine");
  EXPECT_EQ(tables[0].columns, (std::vector<std::string>{"x + x", "x * x"}));
  ASSERT_EQ(tables[0].rows.size(), 2u);
  EXPECT_EQ(tables[0].rows[1].name, "1: x 4 float32");
  EXPECT_EQ(tables[0].cell(0, 1)->median(), 3e-6);
  EXPECT_EQ(tables[0].cell(1, 1), nullptr);
}

/// As a file of it says.
std::vector<Measurement> of_both(const FuzzResult& one, const FuzzResult& other) {
  std::vector<Measurement> all;
  for (const FuzzResult& result : {one, other}) {
    const FuzzResult read = fuzz_result_from_json(parse_json(dump_json(fuzz_result_to_json(result)), "f"), "f");
    for (Measurement& measurement : fuzz_measurements(read, "f")) all.push_back(std::move(measurement));
  }
  return all;
}

TEST(FuzzMeasurementsTest, ThreadCountsAreGroupsOfRows) {
  FuzzResult four = two_samples();
  four.num_threads = 4;
  const auto tables = make_compare_tables(of_both(two_samples(), four), CompareMode::kMended);
  ASSERT_EQ(tables.size(), 1u);
  ASSERT_EQ(tables[0].rows.size(), 4u);
  EXPECT_EQ(tables[0].rows[1].num_threads, 1);
  EXPECT_EQ(tables[0].rows[2].num_threads, 4);
  EXPECT_TRUE(tables[0].rows[2].opens_thread_block);
  EXPECT_EQ(tables[0].cell(2, 0)->raw_times().size(), 1u);
}

TEST(FuzzMeasurementsTest, OtherSetUpsAreOtherRows) {
  FuzzResult other = two_samples();
  other.setup = "auto w = x;";
  const auto tables = make_compare_tables(of_both(two_samples(), other), CompareMode::kMended);
  ASSERT_EQ(tables[0].rows.size(), 4u);
  EXPECT_EQ(tables[0].rows[1].name, "0: x 4 float32 [2]");
  EXPECT_EQ(
      tables[0].notes.at(0),
      "row '0: x 4 float32' holds 2 different statements in one column: '0: x 4 float32' has the set-up ``, '0: x "
      "4 float32 [2]' has the set-up `auto w = x;`");
  other = two_samples();
  other.global_setup = "#include <cmath>";
  EXPECT_EQ(
      make_compare_tables(of_both(two_samples(), other), CompareMode::kMended)[0].notes.at(0),
      "row '0: x 4 float32' holds 2 different statements in one column: '0: x 4 float32' has the global set-up ``, "
      "'0: x 4 float32 [2]' has the global set-up `#include <cmath>`");
}

TEST(FuzzMeasurementsTest, CountsAreRefused) {
  FuzzResult counts = two_samples();
  counts.unit = FuzzUnit::kInstructions;
  EXPECT_EQ(error_of([&] { fuzz_measurements(counts, "f.json"); }),
            "f.json: this run counted instructions, and tables show times; measure them with icount fuzz --time");
}

TEST(FuzzMeasurementsTest, ASavedRunIsKnownByItsBeginning) {
  EXPECT_TRUE(looks_like_fuzz_result(dump_json(fuzz_result_to_json(two_samples()))));
  EXPECT_FALSE(looks_like_fuzz_result("{\"schema\": {\"name\": \"icount-measurements\"}}"));
}

using Points = std::vector<std::pair<double, double>>;

TEST(PowerFitTest, PointsOfALineGiveItsExponent) {
  const auto fit = fit_power(Points{{1, 3}, {2, 12}, {4, 48}, {8, 192}});  // 3 x^2
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->exponent, 2, 1e-12);
  EXPECT_NEAR(fit->factor, 3, 1e-12);
  EXPECT_NEAR(fit->residual_log2, 0, 1e-12);
  EXPECT_EQ(fit->points, 4);
}

/// By hand, in powers of two: y of 0, 1, 5 at x of 0, 1, 2 is 2.5 x - 0.5, and lies off by 0.5, -1, 0.5.
TEST(PowerFitTest, TheResidualIsTheRootOfTheMeanSquare) {
  const auto fit = fit_power(Points{{1, 1}, {2, 2}, {4, 32}});
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->exponent, 2.5, 1e-12);
  EXPECT_NEAR(fit->factor, std::exp2(-0.5), 1e-12);
  EXPECT_NEAR(fit->residual_log2, std::sqrt(1.5 / 3), 1e-12);
}

TEST(PowerFitTest, WhatHasNoLogarithmIsNoPoint) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto fit =
      fit_power(Points{{0, 5}, {5, 0}, {inf, 1}, {1, inf}, {-1, 1}, {1, -1}, {0.5, 0.5}, {0.25, 0.25}, {2, 2}});
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->points, 3);
  EXPECT_NEAR(fit->exponent, 1, 1e-12);
}

TEST(PowerFitTest, TwoPointsOrOnePlaceAreNoFit) {
  EXPECT_FALSE(fit_power(Points{{1, 1}, {2, 2}}));
  EXPECT_FALSE(fit_power(Points{{4, 1}, {4, 2}, {4, 3}}));
  EXPECT_TRUE(fit_power(Points{{4, 1}, {4, 2}, {4.0001, 3}}));
}

}  // namespace
}  // namespace icount
