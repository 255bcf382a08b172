#include "icount/timer/steady_timing.h"

#include <gtest/gtest.h>

#include <limits>

#include "icount/base/error.h"
#include "icount/timer/timer.h"
#include "support/scripted_time_source.h"

namespace icount {
namespace {

// Blocks of `per_run` seconds per run, the k-th block off by a bounded pattern of relative size `noise`.
ModelTimeSource noisy(double per_run, double noise) {
  return ModelTimeSource([=](int64_t number, size_t index) {
    double off = (static_cast<double>(index * 7 % 11) - 5) / 5 * noise;
    return 2e-8 + static_cast<double>(number) * per_run * (1 + off);
  });
}

TEST(SteadyTimingTest, StopsWhenTheIntervalIsNarrowEnough) {
  ModelTimeSource source = noisy(1e-6, 0.02);
  SteadyResult result = time_steadily(source, {}, {.ci = 0.01, .min_run_time = 0.01});
  EXPECT_EQ(result.reason, StopReason::kInterval);
  ASSERT_TRUE(result.interval);
  EXPECT_LT((result.interval->high - result.interval->low) / result.measurement.median(), 0.0101);
  EXPECT_NE(result.why.find("within the requested 1 %, after "), std::string::npos) << result.why;
  EXPECT_NEAR(result.measurement.median(), 1e-6, 1e-8);
}

TEST(SteadyTimingTest, SaysWhenTimeRanOutBeforeTheFigureWasSure) {
  ModelTimeSource source = noisy(1e-6, 0.5);
  SteadyResult result = time_steadily(source, {}, {.ci = 0.001, .min_run_time = 0.01, .max_run_time = 0.1});
  EXPECT_EQ(result.reason, StopReason::kMaxRunTime);
  EXPECT_TRUE(result.why.starts_with("100.00 ms were used up after ")) << result.why;
  EXPECT_TRUE(result.why.ends_with(", 0.1 % was requested")) << result.why;
}

TEST(SteadyTimingTest, DropsAndReportsTheColdFirstBlock) {
  // The search never asks for the same size twice, so the first repeated size is the first block proper.
  ModelTimeSource source([last = int64_t{0}, cold = true](int64_t number, size_t) mutable {
    bool first = number != 0 && number == last && cold;
    cold = cold && !first;
    last = number;
    return static_cast<double>(number) * (first ? 9e-5 : 1e-5);
  });
  std::vector<double> seen;
  SteadyOptions options{.min_run_time = 0.5, .callback = [&](int64_t, double seconds) { seen.push_back(seconds); }};
  SteadyResult result = time_steadily(source, {}, options);
  ASSERT_TRUE(result.dropped_block);
  EXPECT_NEAR(*result.dropped_block, 9e-5, 1e-9);
  EXPECT_NEAR(result.measurement.times().front(), 1e-5, 1e-9);
  EXPECT_EQ(seen.size(), result.measurement.raw_times().size() + 1);
  ModelTimeSource again = noisy(1e-5, 0);
  options.drop_first_block = false;
  EXPECT_FALSE(time_steadily(again, {}, options).dropped_block);
}

TEST(SteadyTimingTest, NoticesAStatementThatTheOptimiserRemoved) {
  ModelTimeSource source([](int64_t, size_t) { return 3e-8; });
  SteadyResult result = time_steadily(source, {});
  EXPECT_EQ(result.reason, StopReason::kRemoved);
  EXPECT_EQ(result.measurement.raw_times().size(), 5u);
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_EQ(result.notes[0],
            "blocks take no longer with more runs (30.00 ns for 1000000000 runs): the compiler optimized the statement "
            "away; use its result, or wrap it in do_not_optimize");
}

TEST(SteadyTimingTest, ASourceIsAskedWhetherItsStatementWasRemoved) {
  ModelTimeSource gone([](int64_t, size_t) { return 3e-8; });
  EXPECT_EQ(probe_removed(gone),
            "blocks take no longer with more runs (30.00 ns for 100000000 runs): the compiler optimized the statement "
            "away");
  int64_t most = 0;
  ModelTimeSource there([&](int64_t number, size_t) {
    most = std::max(most, number);
    return static_cast<double>(number) * 1e-6;
  });
  EXPECT_FALSE(probe_removed(there));
  EXPECT_LE(most, 10'000) << "some milliseconds are enough";
  ModelTimeSource fast = noisy(3e-10, 0.01);
  EXPECT_FALSE(probe_removed(fast));
}

TEST(SteadyTimingTest, DoesNotCallAFastStatementRemoved) {
  ModelTimeSource source = noisy(3e-10, 0.01);
  EXPECT_EQ(time_steadily(source, {}).reason, StopReason::kMinRunTime);
}

TEST(SteadyTimingTest, TellsWhenTheClockGoesBackwards) {
  ModelTimeSource source(
      [](int64_t number, size_t index) { return index % 5 == 4 ? -1.0 : static_cast<double>(number) * 1e-6; });
  SteadyResult result = time_steadily(source, {}, {.min_run_time = 0.01});
  EXPECT_GT(result.odd_blocks, 0u);
  ASSERT_FALSE(result.notes.empty());
  EXPECT_NE(result.notes.back().find("it is too coarse or went backwards"), std::string::npos);
}

TEST(PairedTimingTest, DriftThatHitsBothLeavesTheRatioAlone) {
  double clock = 0;
  auto drifting = [&clock](double per_run) {
    return ModelTimeSource([&clock, per_run](int64_t number, size_t) {
      clock += 1;
      return static_cast<double>(number) * per_run * (1 + clock * 0.01);
    });
  };
  ModelTimeSource a = drifting(1e-6), b = drifting(2e-6);
  PairedResult result = time_paired(a, {}, b, {}, {.min_run_time = 0.2});
  EXPECT_NEAR(result.ratio, 2, 1e-3);
  ASSERT_TRUE(result.interval);
  EXPECT_LT(result.interval->high - result.interval->low, 2e-3);
}

TEST(PairedTimingTest, EndsWhenOneSideIsRemoved) {
  ModelTimeSource a([](int64_t, size_t) { return 3e-8; });
  ModelTimeSource b = noisy(1e-6, 0);
  PairedResult result = time_paired(a, {}, b, {});
  EXPECT_EQ(result.a.reason, StopReason::kRemoved);
}

TEST(TimerTest, TimesACallableWithoutACompiler) {
  int64_t calls = 0;
  Timer timer([&calls] { return ++calls; }, {.stmt = "++calls"});
  Measurement measurement = timer.timeit(1000);
  EXPECT_EQ(calls, 1000 + 10 + 2);  // with the warm-up block and one run before each block
  EXPECT_GT(measurement.median(), 0);
  EXPECT_EQ(measurement.task_spec().stmt, "++calls");
  EXPECT_GE(timer.blocked_autorange({.min_run_time = 0.001}).raw_times().size(), 1u);
}

TEST(SteadyTimingTest, BlocksWithoutLengthAndBelowANanosecondComeToAnEnd) {
  for (const double seconds : {0.0, 4e-10}) {
    ModelTimeSource source([seconds](int64_t, size_t) { return seconds; });
    const SteadyResult result = time_steadily(source, {});
    EXPECT_EQ(result.reason, StopReason::kRemoved);
    EXPECT_EQ(result.odd_blocks, seconds == 0 ? 6u : 0u);
    ModelTimeSource once([seconds](int64_t, size_t) { return seconds; });
    EXPECT_EQ(timeit(once, {}, 1000).raw_times(), std::vector<double>{kLeastBlockSeconds});
    ModelTimeSource adaptive([seconds](int64_t, size_t) { return seconds; });
    EXPECT_EQ(adaptive_autorange(adaptive, {}, {.min_run_time = 1e-4}).raw_times().front(), kLeastBlockSeconds);
  }
}

TEST(SteadyTimingTest, TheSearchEndsBelowTwoToThe31AndRunsAbovePass) {
  ModelTimeSource source([](int64_t, size_t) { return 1e-9; });
  EXPECT_EQ(search_block_size(source, 1).number, 1'000'000'000);
  std::vector<int64_t> asked;
  ModelTimeSource huge([&](int64_t number, size_t) { return asked.push_back(number), 1.0; });
  const int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_GT(timeit(huge, {}, most).median(), 0);
  EXPECT_EQ(asked, (std::vector<int64_t>{most / 100, most}));
}

TEST(PairedTimingTest, StopsWhenTheRatioIsAsSureAsAsked) {
  // Both sides swing by 30 % together: each alone is far from sure, their ratio is exact from the first round on.
  double swing = 1;
  int block = 0;
  const auto swinging = [&](double per_run) {
    return ModelTimeSource([&swing, &block, per_run](int64_t number, size_t) {
      if (block++ % 4 == 0) swing = 1 + 0.3 * ((block / 4) % 3);
      return static_cast<double>(number) * per_run * swing;
    });
  };
  ModelTimeSource a = swinging(1e-6), b = swinging(3e-6);
  const PairedResult sure = time_paired(a, {}, b, {}, {.ci = 0.5, .min_run_time = 1e-4, .max_run_time = 5});
  EXPECT_EQ(sure.a.reason, StopReason::kInterval);
  ASSERT_TRUE(sure.interval);
  EXPECT_LT((sure.interval->high - sure.interval->low) / sure.ratio, 0.5);
  ModelTimeSource c = noisy(1e-6, 0.9), d = noisy(1e-6, 0.5);
  const PairedResult unsure = time_paired(c, {}, d, {}, {.ci = 1e-6, .min_run_time = 1e-4, .max_run_time = 0.05});
  EXPECT_EQ(unsure.b.reason, StopReason::kMaxRunTime);
}

TEST(TimerTest, SetUpRunsBeforeEachBlockAndThreadsAreRestored) {
  int setups = 0, threads = 7;
  std::vector<int> seen;
  const ThreadControl control{[&] { return threads; }, [&](int number) { threads = number; }};
  Timer timer([&] { seen.push_back(threads); }, {.stmt = "f()", .num_threads = 3},
              {.setup = [&] { ++setups; }, .threads = control});
  timer.timeit(5);
  EXPECT_EQ(setups, 2);  // the warm-up block and the block
  EXPECT_EQ(seen, std::vector<int>(2 + 5 + 2, 3));
  EXPECT_EQ(threads, 7);
  Timer failing([]() { throw Error(ErrorKind::kTool, "no"); }, {.num_threads = 2}, {.threads = control});
  EXPECT_THROW(failing.timeit(1), Error);
  EXPECT_EQ(threads, 7);
}

TEST(TimerTest, ACallableCantBeCountedAndSaysWhatToDo) {
  Timer timer([] {});
  try {
    timer.collect_callgrind();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "a callable can't be counted: Valgrind must start the process that runs it, and this process is "
                 "already running; give the statement as text, Timer({.stmt = \"...\"}), or count a program that runs "
                 "it: icount count -- PROGRAM");
  }
}

TEST(TimerTest, RefusesFewerThanOneRun) {
  Timer timer([] {});
  try {
    timer.timeit(0);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "timeit of 0 runs: at least one run is needed");
  }
}

}  // namespace
}  // namespace icount
