#include <gtest/gtest.h>

#include <random>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/json.h"
#include "icount/base/scratch_dir.h"
#include "icount/store/measurement_file.h"
#include "support/error_of.h"

namespace icount {
namespace {

const Measurement kPlain(10, {1e-6, 1.1e-6, 9.7e-7}, {.stmt = "x + y", .label = "add", .num_threads = 4},
                         {{"note", 7}});

TEST(MeasurementFileTest, ComesBackToTheLastBit) {
  std::mt19937_64 random(3);
  std::vector<Measurement> measurements{kPlain, Measurement(1, {}, {})};
  for (int i = 0; i < 100; ++i) {
    std::vector<double> times;
    for (int k = 0; k < 5; ++k)
      times.push_back(std::ldexp(static_cast<double>(random()), -static_cast<int>(random() % 120)));
    measurements.emplace_back(1 + static_cast<int64_t>(random() % 1000000000), times,
                              TaskSpec{.stmt = "a\n\"b\" \xc3\xa4", .sub_label = "", .env = "e"});
  }
  LoadedMeasurements loaded = parse_measurement_file(measurement_file_text(measurements), "m.json");
  EXPECT_TRUE(loaded.warnings.empty());
  EXPECT_EQ(loaded.measurements, measurements);
}

TEST(MeasurementFileTest, ADamagedLineCostsOnlyItself) {
  std::string text = measurement_file_text(std::vector{kPlain, kPlain, kPlain});
  std::string cut = text.substr(0, text.size() - 30);
  LoadedMeasurements loaded = parse_measurement_file(cut, "m.json");
  EXPECT_EQ(loaded.measurements.size(), 2u);
  ASSERT_EQ(loaded.warnings.size(), 1u);
  EXPECT_TRUE(loaded.warnings[0].starts_with("m.json:4")) << loaded.warnings[0];
  EXPECT_TRUE(loaded.warnings[0].ends_with("; this measurement is left out")) << loaded.warnings[0];

  std::string edited = text;
  edited.replace(edited.find("\"number_per_run\":10"), 19, "\"number_per_run\":-1");
  loaded = parse_measurement_file(edited, "m.json");
  EXPECT_EQ(loaded.measurements.size(), 2u);
  EXPECT_EQ(loaded.warnings,
            (std::vector<std::string>{"m.json:2: a measurement of -1 runs per block: at least one is needed; "
                                      "this measurement is left out"}));
}

TEST(MeasurementFileTest, RefusesOtherVersionsAndOtherFiles) {
  EXPECT_EQ(
      error_of(ErrorKind::kMalformed,
               [] { parse_measurement_file(R"({"schema":{"name":"icount-measurements","version":2}})", "m.json"); }),
      "m.json:1: version 2 of the format; this icount reads up to 1: use a newer icount");
  EXPECT_EQ(error_of(ErrorKind::kMalformed,
                     [] { parse_measurement_file(R"({"schema":{"name":"other","version":1}})", "m.json"); }),
            "m.json:1: not a measurement file of icount (no schema \"icount-measurements\")");
  EXPECT_EQ(error_of(ErrorKind::kMalformed, [] { parse_measurement_file("", "m.json"); }),
            "m.json: empty, not a measurement file");
  EXPECT_EQ(error_of(ErrorKind::kMalformed, [] { parse_foreign_measurements("hello", "x.txt"); }),
            "x.txt: no timings: expected a file of icount time --out, of Google Benchmark (--benchmark_out) "
            "or of hyperfine "
            "(--export-json)");
}

TEST(MeasurementFileTest, LoadsWhatItSaved) {
  ScratchDir scratch("measurements");
  save_measurements(scratch.path() / "m.json", std::vector{kPlain});
  EXPECT_EQ(load_measurements(scratch.path() / "m.json").measurements, std::vector{kPlain});
}

TEST(GoogleBenchmarkTest, RepetitionsBecomeBlocks) {
  LoadedMeasurements loaded = parse_foreign_measurements(R"({
    "context": {"executable": "/home/x/build/bench"},
    "benchmarks": [
      {"name": "BM_copy/8", "run_name": "BM_copy/8", "run_type": "iteration", "repetition_index": 0, "threads": 2,
       "iterations": 1000, "real_time": 12.5, "cpu_time": 12.0, "time_unit": "ns"},
      {"name": "BM_copy/8", "run_name": "BM_copy/8", "run_type": "iteration", "repetition_index": 1, "threads": 2,
       "iterations": 1000, "real_time": 13.5, "cpu_time": 12.0, "time_unit": "ns"},
      {"name": "BM_copy/8_median", "run_name": "BM_copy/8", "run_type": "aggregate", "aggregate_name": "median", "threads": 2,
       "iterations": 2, "real_time": 13.0, "time_unit": "ns"},
      {"name": "BM_only_median", "run_name": "BM_only", "run_type": "aggregate", "aggregate_name": "median", "threads": 1,
       "iterations": 2, "real_time": 2.0, "time_unit": "us"},
      {"name": "BM_bad", "run_name": "BM_bad", "run_type": "iteration", "error_occurred": true, "error_message": "no file"}
    ]})",
                                                         "base.json");
  ASSERT_EQ(loaded.measurements.size(), 2u);
  const Measurement& copy = loaded.measurements[0];
  EXPECT_EQ(copy.number_per_run(), 1000);
  EXPECT_NEAR(copy.median(), 13e-9, 1e-20);
  EXPECT_EQ(copy.raw_times().size(), 2u);
  EXPECT_EQ(copy.task_spec(), (TaskSpec{.stmt = "BM_copy/8",
                                        .label = "bench",
                                        .sub_label = "BM_copy/8",
                                        .description = "base.json",
                                        .num_threads = 2}));
  EXPECT_NEAR(loaded.measurements[1].median(), 2e-6, 1e-18);
  EXPECT_EQ(loaded.warnings, (std::vector<std::string>{
                                 "base.json: 'BM_bad' is left out because it failed: no file",
                                 "base.json: 'BM_only' has only aggregates: its median is taken as a single block"}));
}

TEST(GoogleBenchmarkTest, NamesTheFieldThatIsWrong) {
  EXPECT_EQ(error_of(ErrorKind::kMalformed,
                     [] {
                       parse_foreign_measurements(
                           R"({"benchmarks": [{"name": "a", "real_time": 1, "time_unit": "h"}]})", "b.json");
                     }),
            "b.json: benchmark 0: unknown time unit 'h'");
  EXPECT_EQ(error_of(ErrorKind::kMalformed,
                     [] { parse_foreign_measurements(R"({"benchmarks": [{"name": "a"}]})", "b.json"); }),
            "b.json: benchmark 0: no field 'real_time'");
  EXPECT_TRUE(error_of(ErrorKind::kMalformed, [] {
                parse_foreign_measurements(R"({"benchmarks": [{"name": "a", "real_time": 1, "skipped": "x"}]})",
                                           "b.json");
              }).starts_with("b.json: a field has an unexpected type: "));
  EXPECT_EQ(error_of(ErrorKind::kMalformed,
                     [] {
                       parse_foreign_measurements(
                           R"({"benchmarks": [{"name": "a", "real_time": 1, "threads": 4294967297}]})", "b.json");
                     }),
            "b.json: benchmark 0: field 'threads' is 4294967297");
  EXPECT_EQ(error_of(ErrorKind::kMalformed,
                     [] {
                       parse_foreign_measurements(
                           R"({"benchmarks": [{"name": "a", "real_time": 1, "iterations": 1e300}]})", "b.json");
                     }),
            "b.json: benchmark 0: field 'iterations' is not a 64-bit integer");
}

TEST(HyperfineTest, TimesBecomeBlocksOfOneRun) {
  LoadedMeasurements loaded = parse_foreign_measurements(R"({"results": [
      {"command": "sleep 0.1", "mean": 0.1, "median": 0.1, "times": [0.1, 0.11, 0.09], "exit_codes": [0, 1, 0], "parameters": {"n": "1"}},
      {"command": "true", "mean": 0.002, "median": 0.001}]})",
                                                         "h.json");
  ASSERT_EQ(loaded.measurements.size(), 2u);
  EXPECT_EQ(loaded.measurements[0].median(), 0.1);
  EXPECT_EQ(loaded.measurements[0].metadata()["parameters"]["n"], "1");
  EXPECT_EQ(loaded.measurements[1].median(), 0.001);
  EXPECT_EQ(loaded.warnings,
            (std::vector<std::string>{"h.json: some runs of 'sleep 0.1' failed",
                                      "h.json: 'true' has no list of times: its median is taken as a single block"}));
}

/// The only measurement of Google Benchmark's rows.
Measurement only(const std::string& rows) {
  const LoadedMeasurements loaded = parse_foreign_measurements("{\"benchmarks\": [" + rows + "]}", "b.json");
  EXPECT_EQ(loaded.measurements.size(), 1u);
  return loaded.measurements.at(0);
}

TEST(GoogleBenchmarkTest, UnitsOfTime) {
  const auto seconds = [](const std::string& unit) {
    return only(R"({"name": "a", "real_time": 2)" + unit + "}").median();
  };
  EXPECT_DOUBLE_EQ(seconds(""), 2e-9);
  EXPECT_DOUBLE_EQ(seconds(R"(, "time_unit": "ns")"), 2e-9);
  EXPECT_DOUBLE_EQ(seconds(R"(, "time_unit": "us")"), 2e-6);
  EXPECT_DOUBLE_EQ(seconds(R"(, "time_unit": "ms")"), 2e-3);
  EXPECT_DOUBLE_EQ(seconds(R"(, "time_unit": "s")"), 2);
}

TEST(GoogleBenchmarkTest, RepetitionsOfOtherNumbersOfIterationsAreTakenPerRun) {
  const Measurement mixed = only(R"({"name": "a", "real_time": 2, "iterations": 10, "time_unit": "s"},
                                    {"name": "a", "real_time": 4, "iterations": 20, "time_unit": "s"})");
  EXPECT_EQ(mixed.number_per_run(), 1);
  EXPECT_DOUBLE_EQ(mixed.median(), 3);
  EXPECT_EQ(only(R"({"name": "a", "real_time": 2, "iterations": 0})").number_per_run(), 1);
  EXPECT_EQ(only(R"({"name": "a", "real_time": 2})").task_spec().label, "Google Benchmark") << "no program's name";
}

TEST(GoogleBenchmarkTest, AMedianGivesWayToRepetitionsThatComeLater) {
  const Measurement found = only(R"({"run_name": "a", "run_type": "aggregate", "aggregate_name": "median",
                                     "real_time": 9, "time_unit": "s"},
                                    {"name": "a", "real_time": 2, "iterations": 7, "time_unit": "s"},
                                    {"run_name": "a", "run_type": "aggregate", "aggregate_name": "mean", "real_time": 9})");
  EXPECT_EQ(found.number_per_run(), 7);
  EXPECT_EQ(found.raw_times().size(), 1u);
  EXPECT_DOUBLE_EQ(found.median(), 2);
}

TEST(ForeignMeasurementsTest, WhatIsNoTimingIsSaid) {
  const auto refusal = [](std::string_view text) {
    return error_of(ErrorKind::kMalformed, [&] { parse_foreign_measurements(text, "x"); });
  };
  const std::string none =
      "x: no timings: expected a file of icount time --out, of Google Benchmark (--benchmark_out) or "
      "of hyperfine (--export-json)";
  EXPECT_EQ(refusal("plain text"), none);
  EXPECT_EQ(refusal("[]"), none);
  EXPECT_EQ(refusal("{}"), none);
  EXPECT_NE(refusal("{\"benchmarks\": "), none) << "it is cut off";
  EXPECT_EQ(refusal(R"({"benchmarks": 7})"), "x: field 'benchmarks' is not a list");
  EXPECT_EQ(refusal(R"({"benchmarks": [7]})"), "x: benchmark 0 is not an object");
  EXPECT_EQ(refusal(R"({"benchmarks": [{}]})"), "x: benchmark 0: no name");
  EXPECT_EQ(refusal(R"({"benchmarks": [{"name": "a", "real_time": 1, "threads": -1}]})"),
            "x: benchmark 0: field 'threads' is -1");
  EXPECT_EQ(refusal(R"({"results": 7})"), "x: field 'results' is not a list");
  EXPECT_EQ(refusal(R"({"results": [7]})"), "x: result 0: no object");
  EXPECT_EQ(refusal(R"({"results": [{}]})"), "x: result 0: no command");
  EXPECT_EQ(refusal(R"({"results": [{"command": "a", "times": ["1"]}]})"), "x: result 0: time 0 is not a number");
  EXPECT_EQ(refusal(R"({"results": [{"command": "a", "median": "1"}]})"),
            "x: result 0: field 'median' is not a number");
}

TEST(HyperfineTest, WithoutAMedianTheMean) {
  const LoadedMeasurements loaded =
      parse_foreign_measurements(R"({"results": [{"command": "a", "mean": 3}]})", "h.json");
  EXPECT_EQ(loaded.measurements.at(0).median(), 3);
  EXPECT_FALSE(loaded.measurements.at(0).metadata().contains("parameters"));
}

// CallgrindStats and task specs as JSON: all of it comes back, and what is damaged is refused in words.

CallgrindStats sample() {
  return CallgrindStats({.task_spec = {.stmt = "x + y", .setup = "int x;", .label = "add", .env = "", .num_threads = 3},
                         .number_per_run = 10,
                         .built_with_debug_symbols = true,
                         .baseline_inclusive = FunctionCounts({{9, "main"}}, true),
                         .baseline_exclusive = FunctionCounts({{2, "main"}}, false),
                         .stmt_inclusive = FunctionCounts({{30, "main"}, {20, "a.c:f [prog]"}}, true),
                         .stmt_exclusive = FunctionCounts({{20, "a.c:f [prog]"}, {-1, "main"}}, false)});
}

using Rows = std::vector<FunctionCount>;

TEST(CallgrindStatsFileTest, EverythingComesBack) {
  const ScratchDir folder = ScratchDir("stats");
  save_callgrind_stats(folder.path() / "s.json", sample());
  const CallgrindStats read = load_callgrind_stats(folder.path() / "s.json");
  EXPECT_EQ(read.task_spec(), sample().task_spec());
  EXPECT_EQ(read.number_per_run(), 10);
  EXPECT_TRUE(read.built_with_debug_symbols());
  EXPECT_EQ(read.baseline(true).rows(), (Rows{{9, "main"}}));
  EXPECT_EQ(read.baseline(false).rows(), (Rows{{2, "main"}}));
  EXPECT_EQ(read.stats(true).rows(), (Rows{{30, "main"}, {20, "a.c:f [prog]"}}));
  EXPECT_EQ(read.stats(false).rows(), (Rows{{20, "a.c:f [prog]"}, {-1, "main"}}));
  EXPECT_EQ(callgrind_stats_text(read), callgrind_stats_text(sample()));
}

/// What is said of the sample after a change of its JSON.
std::string refusal(const std::function<void(Json&)>& change) {
  Json json = parse_json(callgrind_stats_text(sample()), "s");
  change(json);
  const std::string text = json.dump();
  return error_of(ErrorKind::kMalformed, [&] { parse_callgrind_stats(text, "s.json"); });
}

TEST(CallgrindStatsFileTest, DamageIsNamed) {
  EXPECT_EQ(refusal([](Json&) {}), "no error");
  EXPECT_EQ(refusal([](Json& json) { json["schema"]["name"] = "other"; }),
            "s.json: not saved CallgrindStats (no schema \"icount-callgrind-stats\")");
  EXPECT_EQ(refusal([](Json& json) { json["schema"]["version"] = 2; }),
            "s.json: version 2 of the format; this icount reads up to 1: use a newer icount");
  EXPECT_EQ(refusal([](Json& json) { json["schema"]["version"] = 0; }),
            "s.json: version 0 of the format; this icount reads up to 1: use a newer icount");
  EXPECT_EQ(refusal([](Json& json) { json["built_with_debug_symbols"] = 1; }),
            "s.json: field 'built_with_debug_symbols' is not true or false");
  EXPECT_EQ(refusal([](Json& json) { json["number_per_run"] = 0; }), "s.json: field 'number_per_run' is 0");
  EXPECT_EQ(refusal([](Json& json) { json["tables"]["stmt_exclusive"] = 7; }),
            "s.json: table 'stmt_exclusive' is not a list");
}

TEST(CallgrindStatsFileTest, ARowIsACountAndAFunction) {
  const auto with_row = [](const Json& row) {
    return refusal([&](Json& json) { json["tables"]["stmt_inclusive"][1] = row; });
  };
  const std::string expected = "s.json: row 1 of table 'stmt_inclusive' is not [count, function]";
  EXPECT_EQ(with_row({1, "f"}), "no error");
  EXPECT_EQ(with_row({1.5, "f"}), expected);
  EXPECT_EQ(with_row({"f", 1}), expected);
  EXPECT_EQ(with_row({1, "f", 2}), expected);
  EXPECT_EQ(with_row({1, 2}), expected);
  EXPECT_EQ(with_row(7), expected);
}

std::string spec_refusal(const std::function<void(Json&)>& change) {
  Json json = to_json(sample().task_spec());
  change(json);
  return error_of(ErrorKind::kMalformed, [&] { parse_task_spec(json, "here"); });
}

TEST(TaskSpecJsonTest, AbsentTextsAreNullAndEmptyOnesAreThere) {
  const Json json = to_json(sample().task_spec());
  EXPECT_TRUE(json["description"].is_null());
  EXPECT_EQ(json["env"], "");
  EXPECT_EQ(parse_task_spec(json, "here"), sample().task_spec());
}

TEST(TaskSpecJsonTest, WhatIsWrongIsNamed) {
  EXPECT_EQ(spec_refusal([](Json& json) { json["stmt"] = 7; }), "here: field 'stmt' is not a string");
  EXPECT_EQ(spec_refusal([](Json& json) { json["stmt"] = nullptr; }), "here: field 'stmt' is not a string");
  EXPECT_EQ(spec_refusal([](Json& json) { json["label"] = 7; }), "here: field 'label' is not a string");
  EXPECT_NE(spec_refusal([](Json& json) { json.erase("env"); }), "no error");
  EXPECT_EQ(spec_refusal([](Json& json) { json["num_threads"] = 0; }), "here: field 'num_threads' is 0");
  EXPECT_EQ(spec_refusal([](Json& json) { json["num_threads"] = 1'000'000; }), "no error");
  EXPECT_EQ(spec_refusal([](Json& json) { json["num_threads"] = 1'000'001; }), "here: field 'num_threads' is 1000001");
}

}  // namespace
}  // namespace icount
