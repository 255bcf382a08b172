#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "icount/timer/google_benchmark.h"

namespace icount {
namespace {

TEST(GoogleBenchmarkTest, ANameSaysWhatTheCaseAsksFor) {
  const GoogleCase one = parse_google_name("BM_x<a/b>/8/size:64/iterations:10/repeats:2/real_time/threads:4");
  EXPECT_EQ(one.threads, 4);
  EXPECT_EQ(one.iterations, 10);
  EXPECT_EQ(one.repetitions, 2);
  const GoogleCase plain = parse_google_name("BM_threads:x/threads");
  EXPECT_EQ(plain.threads, 1);
  EXPECT_EQ(plain.iterations, 0);
}

TEST(GoogleBenchmarkTest, AnExactFilterEscapesWhatARegularExpressionReads) {
  const std::string names[] = {"BM_a<int>/8", "odd (x) [y].z|w"};
  EXPECT_EQ(family_filter(family_pattern("BM_a<int>"), {}), "^BM_a<int>/[0-9]+(/[a-z].*)?$");
  EXPECT_EQ(family_filter(family_pattern("BM(b)/{n}/2"), std::vector<int64_t>{8, 64}),
            "^BM[(]b[)]/(8|64)/2(/[a-z].*)?$");
  EXPECT_EQ(exact_filter(names), "^(BM_a<int>/8|odd [(]x[)] [[]y.[.]z[|]w)$");
}

/// Two runs of one iteration each of a case, as version 1.7.1 writes them; counters in between.
std::string two_runs(const std::string& first, const std::string& second) {
  const auto run = [](int repetition, const std::string& times) {
    return R"({"name": "BM_x/8", "family_index": 0, "per_family_instance_index": 0, "run_name": "BM_x/8",
      "run_type": "iteration", "repetitions": 3, "repetition_index": )" +
           std::to_string(repetition) + R"(, "threads": 1, "iterations": 1, "time_unit": "ns", )" + times + "}";
  };
  return R"({"context": {}, "benchmarks": [)" + run(0, first) + "," + run(1, second) + R"(,
    {"name": "BM_x_BigO", "run_name": "BM_x", "run_type": "aggregate", "aggregate_name": "BigO", "big_o": "NlgN"}]})";
}

TEST(GoogleBenchmarkTest, RatesBecomeAmountsPerIteration) {
  const auto reports = parse_google_reports(
      two_runs(R"("real_time": 5e3, "cpu_time": 4e3, "items_per_second": 16e6, "bytes_per_second": 1e9, "fixed": 3.5,
                  "by_real_time": 2e5, "noise": 17)",
               R"("real_time": 9e3, "cpu_time": 8e3, "items_per_second": 8e6, "bytes_per_second": 5e8, "fixed": 3.5,
                  "by_real_time": 1.1111111111111111e5, "noise": 18)"));
  ASSERT_TRUE(reports);
  ASSERT_EQ(reports->cases.size(), 1u);
  std::string text;
  for (const GoogleCounter& counter : reports->cases[0].counters)
    text += counter.name + "=" + std::to_string(counter.value) + " ";
  EXPECT_EQ(text, "items=64.000000 bytes=4000.000000 fixed=3.500000 by_real_time=1.000000 ");
  EXPECT_EQ(reports->big_o.at("BM_x"), "NlgN");
}

TEST(GoogleBenchmarkTest, CountersOfARunAreOfOneIteration) {
  const auto text = [](const GoogleCounter& counter) { return counter.name + "=" + std::to_string(counter.value); };
  EXPECT_EQ(text(make_google_counter("items_per_second", 1, 800, 8)), "items=100.000000");
  EXPECT_EQ(text(make_google_counter("depth", 0, 7, 8)), "depth=7.000000");
  EXPECT_EQ(text(make_google_counter("average", 8, 16, 8)), "average=2.000000");
  EXPECT_EQ(text(make_google_counter("inverse", int64_t{1} << 31, 4, 8)), "inverse=0.250000");
  EXPECT_EQ(text(make_google_counter("none", 1, 3, 0)), "none=3.000000");
}

TEST(GoogleBenchmarkTest, ErrorsAndSkippedCasesAreSaid) {
  const auto reports = parse_google_reports(R"({"benchmarks": [
    {"name": "a", "family_index": 0, "run_name": "a", "run_type": "iteration", "error_occurred": true,
     "error_message": "no data"},
    {"name": "b", "family_index": 1, "run_name": "b", "run_type": "iteration", "skipped": true,
     "skip_message": "not here"}]})");
  ASSERT_TRUE(reports);
  EXPECT_EQ(reports->cases.at(0).error, "no data");
  EXPECT_EQ(reports->cases.at(1).skipped, "not here");
}

TEST(GoogleBenchmarkTest, ACaseThatReportsAggregatesOnlyIsACase) {
  const auto reports = parse_google_reports(R"({"benchmarks": [
    {"name": "a", "family_index": 0, "run_name": "a", "run_type": "iteration"},
    {"name": "b/repeats:4_mean", "family_index": 1, "run_name": "b/repeats:4", "run_type": "aggregate",
     "aggregate_name": "mean", "items_per_second": 5, "label": "small"},
    {"name": "b/repeats:4_median", "family_index": 1, "run_name": "b/repeats:4", "run_type": "aggregate",
     "aggregate_name": "median"},
    {"name": "c", "family_index": 2, "run_name": "c", "run_type": "iteration"},
    {"name": "c_mean", "family_index": 2, "run_name": "c", "run_type": "aggregate", "aggregate_name": "mean"},
    {"name": "c_RMS", "run_name": "c", "run_type": "aggregate", "aggregate_name": "RMS", "rms": 0.5}]})");
  ASSERT_TRUE(reports);
  ASSERT_EQ(reports->cases.size(), 3u);
  EXPECT_EQ(reports->cases[1].name, "b/repeats:4");
  EXPECT_EQ(reports->cases[1].label, "small");
  EXPECT_TRUE(reports->cases[1].counters.empty());
  EXPECT_EQ(reports->cases[2].name, "c");
}

TEST(GoogleBenchmarkTest, AFileThatIsNotWholeIsNone) {
  EXPECT_FALSE(parse_google_reports(""));
  EXPECT_FALSE(parse_google_reports("{\"benchmarks\": [{\"name\": \"a\""));
  EXPECT_FALSE(parse_google_reports("[1]"));
}

std::string best(const std::function<double(double)>& cost) {
  std::vector<ComplexityPoint> points;
  for (const double n : {8.0, 64.0, 512.0, 4096.0}) points.push_back({"case", n, cost(n)});
  const auto fit = fit_complexity(points);
  return fit ? fit->big_o : "none";
}

TEST(BenchComplexityTest, EachCurveIsFoundInItself) {
  EXPECT_EQ(best([](double) { return 7.0; }), "(1)");
  EXPECT_EQ(best([](double n) { return 3 * std::log2(n); }), "lgN");
  EXPECT_EQ(best([](double n) { return 3 * n; }), "N");
  EXPECT_EQ(best([](double n) { return 5 * n * std::log2(n); }), "NlgN");
  EXPECT_EQ(best([](double n) { return n * n / 2; }), "N^2");
  EXPECT_EQ(best([](double n) { return n * n * n; }), "N^3");
}

TEST(BenchComplexityTest, TheCoefficientIsTheLeastSquaresOne) {
  const std::vector<ComplexityPoint> points = {{"a", 1, 12}, {"b", 2, 18}};
  const auto fit = fit_complexity(points);
  ASSERT_TRUE(fit);
  // N: (12 * 1 + 18 * 2) / (1 + 4) = 9.6; residuals 2.4 and -1.2; constant: 15, residuals 3 and 3.
  EXPECT_EQ(fit->big_o, "N");
  EXPECT_DOUBLE_EQ(fit->coefficient, 9.6);
  EXPECT_NEAR(fit->rms, std::sqrt((2.4 * 2.4 + 1.2 * 1.2) / 2) / 15, 1e-12);
}

TEST(BenchComplexityTest, OneSizeIsNoCurve) {
  const std::vector<ComplexityPoint> points = {{"a", 8, 12}, {"b", 8, 18}};
  EXPECT_FALSE(fit_complexity(points));
  EXPECT_FALSE(fit_complexity({}));
}

}  // namespace
}  // namespace icount
