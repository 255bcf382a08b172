#include <gtest/gtest.h>

#include "goldens/golden_checks.h"
#include "icount/report/measurement_text.h"
#include "icount/timer/autorange.h"
#include "support/scripted_time_source.h"

namespace icount {
namespace {

using Calls = std::vector<std::pair<int64_t, double>>;

BlockCallback recorder(const Json& args, Calls& calls) {
  if (!args.value("callback", false)) return nullptr;
  return [&calls](int64_t number, double seconds) { calls.emplace_back(number, seconds); };
}

Measurement run_loop(const Json& input, TimeSource& source, Calls& calls) {
  const Json& args = input.at("args");
  TaskSpec spec = task_spec_of(input.at("task_spec"));
  std::string method = input.at("method");
  if (method == "timeit") return timeit(source, spec, args.value("number", int64_t{1'000'000}));
  if (method == "blocked_autorange") {
    BlockedOptions options{.callback = recorder(args, calls)};
    options.min_run_time = args.value("min_run_time", options.min_run_time);
    return blocked_autorange(source, spec, options);
  }
  EXPECT_EQ(method, "adaptive_autorange");
  AdaptiveOptions options{.callback = recorder(args, calls)};
  options.threshold = args.value("threshold", options.threshold);
  options.min_run_time = args.value("min_run_time", options.min_run_time);
  if (args.contains("max_run_time"))
    options.max_run_time = args.at("max_run_time").is_null() ? 0 : args.at("max_run_time").get<double>();
  return adaptive_autorange(source, spec, options);
}

}  // namespace

void check_timing_loop(const Json& golden) {
  const Json& input = golden.at("input");
  const Json& expect = golden.at("expect");
  std::vector<ScriptedTimeSource::Block> script;
  for (const Json& block : input.at("script")) script.push_back({block.at(0), block.at(1)});
  ScriptedTimeSource source(std::move(script));
  if (input.at("method") == "estimate_block_size") {
    EXPECT_EQ(search_block_size(source, input.at("args").at("min_run_time")).number,
              expect.at("number_per_run").get<int64_t>());
    EXPECT_TRUE(source.is_played());
    return;
  }
  Calls calls;
  Measurement measurement = run_loop(input, source, calls);
  EXPECT_TRUE(source.is_played());
  EXPECT_EQ(measurement.number_per_run(), expect.at("number_per_run").get<int64_t>());
  EXPECT_EQ(measurement.raw_times().size(), expect.at("blocks").get<size_t>());
  EXPECT_EQ(measurement.median(), expect.at("median").get<double>());
  EXPECT_EQ(measurement.mean(), expect.at("mean").get<double>());
  EXPECT_EQ(measurement.iqr(), expect.at("iqr").get<double>());
  double total = 0;
  for (double seconds : measurement.raw_times()) total += seconds;
  EXPECT_EQ(total, expect.at("total").get<double>());
  EXPECT_EQ(measurement.significant_figures(), expect.at("significant_figures").get<int>());
  EXPECT_EQ(measurement.has_warnings(), expect.at("has_warnings").get<bool>());
  EXPECT_EQ(render_measurement(measurement, TimeText::kCompatible), expect.at("text").get<std::string>());
  if (expect.contains("callback_calls")) {
    EXPECT_EQ(calls, expect.at("callback_calls").get<Calls>());
  }
}

}  // namespace icount
