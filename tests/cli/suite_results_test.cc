// Results of suites in cli: what a resumed run misses, wall times on both sides of a comparison, and two thousand
// benchmarks through reading, showing and comparing.
#include <gtest/gtest.h>

#include <sstream>

#include "icount/base/error.h"
#include "icount/base/scratch_dir.h"
#include "icount/cli/suite_sink.h"
#include "icount/inputs/compare_results.h"
#include "icount/inputs/diff_set_text.h"
#include "icount/inputs/suite_times.h"
#include "icount/report/suite_text.h"
#include "icount/store/measurement_file.h"
#include "icount/suite/suite_record.h"
#include "icount/suite/work_order.h"
#include "support/graph_builder.h"
#include "support/plain_benchmarks.h"

namespace icount {
namespace {

Result result_of(const Benchmark& benchmark) {
  Result result;
  result.label = benchmark.timer_args.label;
  result.number_per_run = 100;
  result.counts = {1000, 1000};
  result.fingerprint.set("compiler", "clang 14", FactClass::kRefuse);
  result.extra = record_text({work_order_key(benchmark), static_cast<int64_t>(benchmark.position), 0});
  return result;
}

Measurement time_of(double seconds) { return Measurement(1, std::vector<double>(8, seconds), {}); }

TEST(SuiteSinkTest, AResumedRunMeasuresWhatIsMissingAndTimesWhatHasNoTime) {
  const ScratchDir dir;
  const std::string path = (dir.path() / "out.json").string();
  const std::vector<Benchmark> all = plain_benchmarks(4);
  {
    SuiteSink sink({path, "s.toml", false}, {});
    sink.take(result_of(all[2]));
    sink.take(result_of(all[0]));
    Result failed = result_of(all[1]);
    failed.status = "crashed";
    failed.counts.clear();
    sink.take(failed);
    sink.take_time(all[0], time_of(0.5));
  }
  SuiteSink sink({path, "s.toml", true}, {});
  EXPECT_EQ(sink.resumed(), 3u);
  ASSERT_EQ(sink.missing(all).size(), 1u);
  EXPECT_EQ(sink.missing(all)[0].position, all[3].position);
  ASSERT_EQ(sink.untimed(all).size(), 1u) << "what failed has no time to take";
  EXPECT_EQ(sink.untimed(all)[0].position, all[2].position);
  const std::vector<Result> results = sink.take_results();
  EXPECT_EQ(results[0].label, all[0].timer_args.label) << "in the suite's order";
  EXPECT_EQ(load_times(results)[0]->median(), 0.5);
  EXPECT_FALSE(load_times(results)[1]);
}

TEST(SuiteSinkTest, OtherConditionsAreNotGoneOnWith) {
  const ScratchDir dir;
  const std::string path = (dir.path() / "out.json").string();
  const std::vector<Benchmark> all = plain_benchmarks(2);
  SuiteSink({path, "s.toml", false}, {}).take(result_of(all[0]));
  SuiteSink sink({path, "s.toml", true}, {});
  Result other = result_of(all[1]);
  other.fingerprint = {};
  other.fingerprint.set("compiler", "g++ 12", FactClass::kRefuse);
  try {
    sink.take(other);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kCannotJudge);
    EXPECT_EQ(std::string(error.what())
                  .find("cannot resume " + path + ": it was measured under different conditions: compiler differs"),
              0u)
        << error.what();
  }
}

/// Every benchmark calls `parse`, which costs `own`; every seventh has a function of its own.
ResultFile many(int count, int64_t own) {
  ResultFile file;
  for (int i = 0; i < count; ++i) {
    Result result;
    result.label = {"group " + std::to_string(i / 100), "benchmark " + std::to_string(i), "C++"};
    result.number_per_run = 10;
    GraphBuilder graph;
    graph.function("main", 100).function("parse", own * 10).calls("main", "parse", 10, own * 10);
    if (i % 7 == 0) graph.function("own " + std::to_string(i), own).calls("main", "own " + std::to_string(i), 1, own);
    result.graph = std::make_shared<const CostGraph>(graph.graph());
    result.counts = {result.graph->totals[0], result.graph->totals[0]};
    result.measurement = dump_json(to_json(time_of(static_cast<double>(own))), -1);
    file.results.push_back(std::move(result));
  }
  return file;
}

TEST(SuiteScaleTest, TwoThousandBenchmarksAreReadShownAndCompared) {
  constexpr int kMany = 2000;
  const ResultFile base = parse_result_file(result_file_text(many(kMany, 50)), "base").file;
  const ResultFile head = parse_result_file(result_file_text(many(kMany, 60)), "head").file;
  std::ostringstream shown;
  render_suite_text(shown, base.results, load_times(base.results), {});
  EXPECT_NE(shown.str().find("2,000 benchmarks: 2,000 done"), std::string::npos);
  const std::vector<BenchmarkDiff> diffs = compare_files("base", base, "head", head, {});
  ASSERT_EQ(diffs.size(), 2000u);
  std::ostringstream text, markdown;
  render_diff_set_text(text, diffs, {}, {});
  render_diff_set_markdown(markdown, diffs, {});
  EXPECT_NE(text.str().find("2000 compared, 2000 changed"), std::string::npos);
  EXPECT_NE(text.str().find("in 2000 of 2000 changed benchmarks, the main cause in 2000"), std::string::npos)
      << text.str().substr(text.str().find("Causes that"), 400);
  EXPECT_NE(text.str().find("Wall times per run"), std::string::npos);
  EXPECT_NE(text.str().find("+20.0 %  group 0 / benchmark 0 / C++"), std::string::npos);
  EXPECT_EQ(diff_set_to_json(diffs)["wall_times"].size(), 2000u);
}

TEST(DiffSetTextTest, SharedCausesHaveShortNamesUnlessRawOnesAreAskedFor) {
  const std::string name =
      "at::native::DispatchStub<void (*)(at::TensorIteratorBase&, c10::Scalar const&), "
      "at::native::add_stub_DECLARE_DISPATCH_type>::operator()(c10::DeviceType)";
  auto file = [&](int64_t own) {
    ResultFile made;
    for (const char* label : {"a", "b"}) {
      Result result;
      result.label = {label};
      result.graph = std::make_shared<const CostGraph>(
          GraphBuilder().function("main", 1).function(name, own).calls("main", name, 1, own).graph());
      result.counts = {result.graph->totals[0]};
      made.results.push_back(std::move(result));
    }
    return made;
  };
  const ResultFile base = file(10), head = file(20);
  const std::vector<BenchmarkDiff> diffs = compare_files("base", base, "head", head, {});
  std::ostringstream brief, raw;
  render_diff_set_text(brief, diffs, {}, {});
  EXPECT_NE(brief.str().find("  self cost of `at::native::DispatchStub<...>::operator()("), std::string::npos)
      << brief.str();
  render_diff_set_text(raw, diffs, {.raw = true}, {});
  EXPECT_NE(raw.str().find("  self cost of `" + name + "`"), std::string::npos) << raw.str();
}

}  // namespace
}  // namespace icount
