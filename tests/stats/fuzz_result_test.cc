#include "icount/stats/fuzz_result.h"

#include <gtest/gtest.h>

#include "icount/stats/fuzz_result_json.h"
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

}  // namespace
}  // namespace icount
