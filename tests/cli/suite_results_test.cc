// Results of suites in cli: what a resumed run misses, wall times on both sides of a comparison, and two thousand
// benchmarks through reading, showing and comparing.
#include <gtest/gtest.h>

#include <sstream>

#include "icount/base/error.h"
#include "icount/base/scratch_dir.h"
#include "icount/cli/suite_sink.h"
#include "icount/inputs/compare_files.h"
#include "icount/inputs/diff_set_text.h"
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
  EXPECT_EQ(sink.resumed().size(), 3u);
  ASSERT_EQ(sink.missing(all).size(), 1u);
  EXPECT_EQ(sink.missing(all)[0].position, all[3].position);
  ASSERT_EQ(sink.untimed(all).size(), 1u) << "what failed has no time to take";
  EXPECT_EQ(sink.untimed(all)[0].position, all[2].position);
  const std::vector<Result> results = sink.take_results();
  EXPECT_EQ(results[0].label, all[0].timer_args.label) << "in the suite's order";
  EXPECT_EQ(load_times(results)[0]->median(), 0.5);
  EXPECT_FALSE(load_times(results)[1]);
}

TEST(SuiteSinkTest, WhatIsNotKeptLeavesTheFileWithTheNextResult) {
  const ScratchDir dir;
  const std::string path = (dir.path() / "out.json").string();
  const std::vector<Benchmark> all = plain_benchmarks(3);
  {
    SuiteSink sink({path, "s.toml", false}, {});
    for (int i : {0, 1}) sink.take(result_of(all[i]));
    sink.take_time(all[1], time_of(0.5));
  }
  SuiteSink sink({path, "s.toml", true}, {});
  sink.keep({sink.resumed()[1]});
  EXPECT_EQ(sink.missing(all).size(), 2u);
  Result other = result_of(all[0]);
  other.fingerprint = {};
  other.fingerprint.set("compiler", "g++ 12", FactClass::kRefuse);
  Result failed = result_of(all[2]);
  failed.status = "crashed";
  failed.counts.clear();
  sink.take(failed);
  EXPECT_THROW(sink.take(other), Error);
  EXPECT_EQ(load_result_file(path).file.results.size(), 2u) << "under other conditions nothing is lost";
  other.fingerprint = result_of(all[0]).fingerprint;
  other.counts = {7, 7};
  sink.take(other);
  EXPECT_THROW(SuiteSink({path, "s.toml", true}, {}), Error) << "one writer at a time";
  const ResultFile loaded = load_result_file(path).file;
  ASSERT_EQ(loaded.results.size(), 3u);
  EXPECT_EQ(loaded.results[0].label, all[1].timer_args.label);
  EXPECT_EQ(load_times(loaded.results)[0]->median(), 0.5);
  EXPECT_EQ(loaded.results[1].status, "crashed");
  EXPECT_EQ(loaded.results[2].counts, other.counts);
  EXPECT_EQ(sink.take_results().size(), 3u);
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
  make_suite_document(base.results, load_times(base.results)).render_text(shown, {});
  EXPECT_NE(shown.str().find("2,000 benchmarks: 2,000 done"), std::string::npos);
  const std::vector<BenchmarkDiff> diffs = compare_files("base", base, "head", head, {});
  ASSERT_EQ(diffs.size(), 2000u);
  std::ostringstream text, markdown;
  make_diff_set_document(diffs, {}, 0).render_text(text, {});
  make_diff_set_document(diffs, {}, 0).render_markdown(markdown);
  EXPECT_NE(text.str().find("2,000 benchmarks compared, 2000 changed"), std::string::npos);
  EXPECT_NE(text.str().find("in 2000 of 2000 changed benchmarks, the main cause in 2000"), std::string::npos)
      << text.str().substr(text.str().find("Causes that"), 400);
  EXPECT_NE(text.str().find("Wall times per run"), std::string::npos);
  EXPECT_NE(text.str().find("+20.0 %  group 0 / benchmark 0 / C++"), std::string::npos);
  EXPECT_EQ(diff_set_to_json(diffs)["wall_times"].size(), 2000u);
}

ResultFile costs(const std::vector<int64_t>& totals) {
  ResultFile file;
  for (size_t i = 0; i < totals.size(); ++i) {
    Result result;
    result.label = {"case " + std::to_string(i)};
    result.graph = std::make_shared<const CostGraph>(GraphBuilder().function("main", totals[i]).graph());
    result.counts = {totals[i]};
    file.results.push_back(std::move(result));
  }
  return file;
}

TEST(DiffSetTextTest, TheVerdictNamesTheLargestChangesAbsoluteAndRelative) {
  const auto sentences = [](const std::vector<int64_t>& base, const std::vector<int64_t>& head) {
    return summary_sentences(summarize_diff_set(compare_files("base", costs(base), "head", costs(head), {})));
  };
  EXPECT_EQ(sentences({1000, 10, 500, 100, 7}, {1100, 20, 400, 1, 7}),
            (std::vector<std::string>{"2 cost more: at most +100 Ir (case 0) and +100.00% (case 1)",
                                      "2 cost less: at most -100 Ir (case 2) and -99.00% (case 3)"}));
  EXPECT_EQ(sentences({1000, 10}, {1500, 10}), (std::vector<std::string>{"1 costs more: +500 Ir, +50.00% (case 0)"}));
  EXPECT_EQ(sentences({5, 10}, {5, 10}), (std::vector<std::string>{}));
}

TEST(DiffSetTextTest, LongTablesEndWithHowManyAreLeft) {
  std::vector<int64_t> base(80, 1000), head(80, 1000);
  for (size_t i = 0; i < 70; ++i) head[i] += static_cast<int64_t>(i) + 1;
  const std::vector<BenchmarkDiff> diffs = compare_files("base", costs(base), "head", costs(head), {});
  std::ostringstream brief, all;
  make_diff_set_document(diffs, {}, 0).render_text(brief, {});
  EXPECT_NE(brief.str().find("40 further benchmarks (--all shows them)"), std::string::npos) << brief.str();
  EXPECT_NE(brief.str().find("10 benchmarks without a change"), std::string::npos);
  EXPECT_EQ(brief.str().find("case 39\n"), std::string::npos) << "the 31st change";
  EXPECT_NE(brief.str().find("67 more benchmarks changed; --all explains them"), std::string::npos) << brief.str();
  EXPECT_LT(brief.str().find("Causes that several"), brief.str().find("case 69\n"));
  make_diff_set_document(diffs, {.all = true}, 0).render_text(all, {});
  for (int i = 0; i < 80; ++i) EXPECT_NE(all.str().find("case " + std::to_string(i) + "\n"), std::string::npos) << i;
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
  make_diff_set_document(diffs, {}, 0).render_text(brief, {});
  EXPECT_NE(brief.str().find("  self cost of `at::native::DispatchStub<...>::operator()("), std::string::npos)
      << brief.str();
  make_diff_set_document(diffs, {.raw = true}, 0).render_text(raw, {});
  EXPECT_NE(raw.str().find("  self cost of `" + name + "`"), std::string::npos) << raw.str();
}

}  // namespace
}  // namespace icount
