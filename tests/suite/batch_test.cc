// The batch with a scripted collection: no compiler and no Valgrind. The real thing is tested by tests/e2e.
#include "icount/suite/batch.h"

#include "icount/base/error.h"
#include "icount/base/json.h"
#include "icount/suite/plan.h"
#include "support/plain_benchmarks.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace icount {
namespace {

CollectResult collected(size_t index, CollectStatus status) {
  CollectResult result;
  result.index = index;
  result.status = status;
  result.number_per_run = 100;
  if (status == CollectStatus::kDone)
    result.counts.assign(2, 1000);
  else
    result.error = "what happened to " + std::to_string(index);
  return result;
}

/// Collects by a function from statement text to status; counts its calls.
struct FakeCollect {
  std::function<CollectStatus(const std::string& stmt, int call)> outcome;
  int calls = 0;

  std::vector<CollectResult> operator()(std::span<const TimerArgs> statements, const CollectOptions& options) {
    ++calls;
    std::vector<CollectResult> results;
    for (size_t i = 0; i < statements.size(); ++i) {
      if (options.cancelled()) {
        results.push_back(collected(i, CollectStatus::kCancelled));
        continue;
      }
      results.push_back(collected(i, outcome(statements[i].stmt, calls)));
      options.on_result(results.back());
    }
    return results;
  }
};

struct Recorded {
  BatchOptions options;
  std::vector<Result> results;
  std::vector<std::string> progress;

  Recorded() {
    options.on_result = [this](const Result& result) { results.push_back(result); };
    options.on_progress = [this](const BatchProgress& now) { progress.push_back(progress_text(now, Seconds(0), 0)); };
  }
};

TEST(BatchTest, EachBenchmarkGivesOneResultWithItsKey) {
  FakeCollect fake{[](const std::string&, int) { return CollectStatus::kDone; }};
  Recorded recorded;
  BatchSummary summary = run_batch(plain_benchmarks(3), recorded.options, std::ref(fake));
  EXPECT_EQ(summary.done, 3u);
  ASSERT_EQ(recorded.results.size(), 3u);
  EXPECT_EQ(recorded.results[1].label, (Label{"1", "C++"}));
  EXPECT_EQ(recorded.results[1].counts, (std::vector<int64_t>{1000, 1000}));
  EXPECT_EQ(recorded.results[1].number_per_run, 100);
  EXPECT_EQ(parse_json(recorded.results[1].extra, "extra")["key"],
            R"({"label": ["1"], "autolabels": {"runtime": "", "autograd": "", "language": "C++"}, "num_threads": 1})");
  EXPECT_EQ(recorded.progress, (std::vector<std::string>{"1/3: 0 / C++", "2/3: 1 / C++", "3/3: 2 / C++"}));
}

TEST(BatchTest, AFailureCostsItselfAlone) {
  FakeCollect fake{
      [](const std::string& stmt, int) { return stmt == "f1();" ? CollectStatus::kCrashed : CollectStatus::kDone; }};
  Recorded recorded;
  BatchSummary summary = run_batch(plain_benchmarks(3), recorded.options, std::ref(fake));
  EXPECT_EQ(summary.done, 2u);
  EXPECT_EQ(summary.failed, 1u);
  EXPECT_EQ(recorded.results[1].status, "crashed");
  EXPECT_EQ(recorded.results[1].error, "what happened to 1");
  EXPECT_EQ(recorded.progress.back(), "3/3, 1 failed: 2 / C++");
}

TEST(BatchTest, RetriesOnlyWhatMayGoBetter) {
  FakeCollect fake{[](const std::string& stmt, int call) {
    if (stmt == "f0();") return CollectStatus::kCompileError;
    if (stmt == "f1();") return call < 3 ? CollectStatus::kTimedOut : CollectStatus::kDone;
    return CollectStatus::kDone;
  }};
  Recorded recorded;
  recorded.options.retries = 2;
  BatchSummary summary = run_batch(plain_benchmarks(3), recorded.options, std::ref(fake));
  EXPECT_EQ(fake.calls, 3);
  EXPECT_EQ(summary.done, 2u);
  EXPECT_EQ(recorded.results.size(), 3u);
  EXPECT_EQ(recorded.results.back().label, (Label{"1", "C++"}));
}

TEST(BatchTest, WithoutRetriesLeftTheTimeoutIsTheResult) {
  FakeCollect fake{[](const std::string&, int) { return CollectStatus::kTimedOut; }};
  Recorded recorded;
  recorded.options.retries = 1;
  EXPECT_EQ(run_batch(plain_benchmarks(1), recorded.options, std::ref(fake)).failed, 1u);
  EXPECT_EQ(fake.calls, 2);
  EXPECT_EQ(recorded.results.at(0).status, "timed-out");
}

TEST(BatchTest, AFullDiskEndsTheRunWithItsOwnError) {
  FakeCollect fake{[](const std::string&, int) { return CollectStatus::kDone; }};
  Recorded recorded;
  int written = 0;
  recorded.options.on_result = [&](const Result&) {
    if (++written == 2) throw Error(ErrorKind::kIo, "out.json: No space left on device");
  };
  EXPECT_THROW(run_batch(plain_benchmarks(5), recorded.options, std::ref(fake)), Error);
  EXPECT_EQ(written, 2);
}

TEST(BatchTest, AnInterruptKeepsWhatIsThereAndSaysSo) {
  FakeCollect fake{[](const std::string&, int) { return CollectStatus::kDone; }};
  Recorded recorded;
  recorded.options.cancelled = [&] { return recorded.results.size() >= 2; };
  BatchSummary summary = run_batch(plain_benchmarks(5), recorded.options, std::ref(fake));
  EXPECT_TRUE(summary.cancelled);
  EXPECT_EQ(recorded.results.size(), 2u);
}

TEST(BatchTest, AMissingToolIsTheRunsErrorWhenNothingRan) {
  CollectFunction missing = [](std::span<const TimerArgs>, const CollectOptions&) -> std::vector<CollectResult> {
    throw Error(ErrorKind::kTool, "no valgrind");
  };
  Recorded recorded;
  EXPECT_THROW(run_batch(plain_benchmarks(2), recorded.options, missing), Error);
  EXPECT_TRUE(recorded.results.empty());
}

std::vector<Benchmark> one_of_each_language() {
  Definitions definitions;
  for (Language language : {Language::kCpp, Language::kPython}) {
    TimerArgs args;
    args.stmt = "f()";
    args.torch = false;
    args.language = language;
    definitions.add(std::string(to_text(language)), args);
  }
  return materialize(definitions, "test");
}

TEST(BatchTest, AMissingToolchainOfOneLanguageFailsThatLanguage) {
  CollectFunction collect = [](std::span<const TimerArgs> statements,
                               const CollectOptions& options) -> std::vector<CollectResult> {
    if (statements[0].language == Language::kCpp) throw Error(ErrorKind::kTool, "no compiler");
    options.on_result(collected(0, CollectStatus::kDone));
    return {};
  };
  Recorded recorded;
  BatchSummary summary = run_batch(one_of_each_language(), recorded.options, collect);
  EXPECT_EQ(summary.done, 1u);
  EXPECT_EQ(summary.failed, 1u);
  EXPECT_EQ(recorded.results.at(1).status, "tool-failed");
  EXPECT_EQ(recorded.results.at(1).error, "no compiler");
}

TEST(BatchTest, CppAndPythonRunSideBySideAndShareTheirJobs) {
  // Each waits until the other is there too; one after the other they would wait for ever.
  std::atomic<int> there{0};
  std::atomic<bool> together{true};
  CollectFunction collect = [&](std::span<const TimerArgs>,
                                const CollectOptions& options) -> std::vector<CollectResult> {
    ++there;
    for (int i = 0; there < 2 && i < 2000; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (there < 2 || !options.running) together = false;
    options.on_result(collected(0, CollectStatus::kDone));
    return {};
  };
  Recorded recorded;
  EXPECT_EQ(run_batch(one_of_each_language(), recorded.options, collect).done, 2u);
  EXPECT_TRUE(together);
}

TEST(BatchTest, AnErrorOfOneSideEndsTheOther) {
  CollectFunction collect = [](std::span<const TimerArgs> statements,
                               const CollectOptions& options) -> std::vector<CollectResult> {
    if (statements[0].language == Language::kPython) throw Error(ErrorKind::kUsage, "senseless");
    for (int i = 0; !options.cancelled() && i < 2000; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_TRUE(options.cancelled());
    return {};
  };
  Recorded recorded;
  EXPECT_THROW(run_batch(one_of_each_language(), recorded.options, collect), Error);
}

TEST(BatchTest, WithoutAPythonThatHasTorchItsBenchmarksAreSkippedWithTheReason) {
  GroupedStmts stmts;
  stmts.py_stmt = "f()";
  stmts.cpp_stmt = "f();";
  FakeCollect fake{[](const std::string&, int) { return CollectStatus::kDone; }};
  Recorded recorded;
  recorded.options.collect.toolchain.python = "/nonexistent/python";
  BatchSummary summary =
      run_batch(materialize(Definitions().add("a", stmts), "test"), recorded.options, std::ref(fake));
  EXPECT_EQ(summary.skipped, 1u);
  EXPECT_EQ(summary.done, 1u);
  EXPECT_EQ(recorded.results.at(0).status, "skipped");
  EXPECT_NE(recorded.results.at(0).error.find("name a Python that has torch with --python"), std::string::npos)
      << recorded.results[0].error;
}

TEST(BatchTest, GraphsCanBeLeftOutForTheCostliestFunctions) {
  CollectFunction collect = [](std::span<const TimerArgs>,
                               const CollectOptions& options) -> std::vector<CollectResult> {
    CollectResult result = collected(0, CollectStatus::kDone);
    CostGraph& graph = result.graph;
    graph.events = {"Ir"};
    for (std::string_view name : {"cheap", "costly"})
      graph.functions.push_back({graph.strings.intern(name), kEmptyString, kEmptyString});
    graph.self = {1, 9};
    graph.totals = {10};
    options.on_result(result);
    return {};
  };
  Recorded recorded;
  recorded.options.keep_graphs = false;
  run_batch(plain_benchmarks(1), recorded.options, collect);
  ASSERT_EQ(recorded.results.at(0).top.size(), 2u);
  EXPECT_EQ(recorded.results[0].top[0], (TopFunction{"costly", 9, 9}));
  EXPECT_EQ(recorded.results[0].graph, nullptr);
}

TEST(ProgressTextTest, RateAndTimeToGoFromTheFifthResultOn) {
  BatchProgress progress{.done = 5, .total = 181, .failed = 0, .label = "a / b"};
  EXPECT_EQ(progress_text(progress, Seconds(2), 0), "  5/181, 2.5 per second, about 1 min 11 s to go: a / b");
  EXPECT_EQ(progress_text(progress, Seconds(10), 0), "  5/181, 2.0 s each, about 5 min 52 s to go: a / b");
  progress.done = 4;
  EXPECT_EQ(progress_text(progress, Seconds(2), 0), "  4/181: a / b");
  progress.stage = "compiling";
  EXPECT_EQ(progress_text(progress, Seconds(2), 0), "  4/181: compiling");
}

TEST(ProgressTextTest, NarrowTerminalsAndStrangeLabels) {
  BatchProgress progress{.done = 1, .total = 2, .failed = 0, .label = "a\x1b[2J" + std::string(100, 'x')};
  std::string line = progress_text(progress, Seconds(1), 40);
  EXPECT_EQ(line.find('\x1b'), std::string::npos);
  EXPECT_LE(line.size(), 40u);
}

TEST(ProgressTextTest, Durations) {
  EXPECT_EQ(duration_text(Seconds(0.2)), "1 s");
  EXPECT_EQ(duration_text(Seconds(200)), "3 min 20 s");
  EXPECT_EQ(duration_text(Seconds(7500)), "2 h 5 min");
}

}  // namespace
}  // namespace icount
