// Wall times with a scripted clock: which cores, which order, what a failure costs.
#include "icount/suite/wall_time.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "icount/base/error.h"
#include "support/plain_benchmarks.h"

namespace icount {
namespace {

/// A clock by which a run takes `seconds`; it counts how many are open at once.
struct Clock {
  double seconds = 1e-3;
  std::atomic<int> open{0}, most{0};
};

class ScriptedSource : public TimeSource {
 public:
  explicit ScriptedSource(Clock& clock) : clock_(clock) {
    const int now = ++clock_.open;
    int most = clock_.most;
    while (most < now && !clock_.most.compare_exchange_weak(most, now)) {
    }
  }
  ~ScriptedSource() override { --clock_.open; }
  double run_block(int64_t number) override { return clock_.seconds * static_cast<double>(number); }

 private:
  Clock& clock_;
};

struct Recorded {
  WallTimeOptions options;
  Clock clock;
  std::vector<size_t> timed;
  std::vector<std::string> failures, progress;
  std::vector<Measurement> measurements;
  std::function<std::string(size_t)> failure = [](size_t) { return std::string(); };

  Recorded() {
    options.cores = {probe_allowed_cores().front()};
    options.on_time = [this](size_t i, const Measurement& m) {
      timed.push_back(i);
      measurements.push_back(m);
    };
    options.on_failure = [this](size_t i, const std::string& why) {
      failures.push_back(std::to_string(i) + ": " + why);
    };
    options.on_progress = [this](const BatchProgress& now) {
      progress.push_back(std::to_string(now.done) + " " + now.label);
    };
  }

  WallTimeSummary run(const std::vector<Benchmark>& all) {
    return run_wall_times(all, options, [this](std::span<const TimerArgs>, const StubTimingOptions&) {
      return TimingSession{failure, [this](size_t) { return std::make_unique<ScriptedSource>(clock); }};
    });
  }
};

TEST(WallTimeTest, EachBenchmarkIsTimedForItselfWithItsSurroundings) {
  Recorded recorded;
  const WallTimeSummary summary = recorded.run(plain_benchmarks(3));
  EXPECT_EQ(summary.timed, 3u);
  EXPECT_FALSE(summary.cancelled);
  EXPECT_EQ(recorded.timed, (std::vector<size_t>{0, 1, 2}));
  EXPECT_EQ(recorded.clock.most, 1) << "one core, one clock";
  const Measurement& m = recorded.measurements.at(1);
  EXPECT_DOUBLE_EQ(m.median(), 1e-3);
  EXPECT_EQ(m.task_spec().stmt, "f1();");
  EXPECT_EQ(m.task_spec().label, "1");
  EXPECT_EQ(m.task_spec().sub_label, "C++");
  EXPECT_EQ(m.metadata()["surroundings"]["core"], probe_allowed_cores().front());
  EXPECT_EQ(recorded.progress, (std::vector<std::string>{"1 0 / C++", "2 1 / C++", "3 2 / C++"}));
}

TEST(WallTimeTest, AFailureCostsItselfAlone) {
  Recorded recorded;
  recorded.failure = [](size_t i) { return i == 1 ? std::string("stmt:1: no") : std::string(); };
  const WallTimeSummary summary = recorded.run(plain_benchmarks(3));
  EXPECT_EQ(summary.timed, 2u);
  EXPECT_EQ(summary.failed, 1u);
  EXPECT_EQ(recorded.failures, std::vector<std::string>{"1: stmt:1: no"});
}

TEST(WallTimeTest, MoreThreadsThanCoresTakeAllCoresInsteadOfWaiting) {
  Recorded recorded;
  EXPECT_EQ(recorded.run(plain_benchmarks(2, 64)).timed, 2u);
}

TEST(WallTimeTest, AFullDiskEndsTheRunWithItsOwnError) {
  Recorded recorded;
  recorded.options.on_time = [](size_t, const Measurement&) {
    throw Error(ErrorKind::kIo, "out.json: No space left on device");
  };
  try {
    recorded.run(plain_benchmarks(5));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "out.json: No space left on device");
  }
  EXPECT_EQ(recorded.progress.size(), 0u);
}

TEST(WallTimeTest, AnInterruptLeavesTheRest) {
  Recorded recorded;
  recorded.options.timing.cancelled = [&] { return recorded.timed.size() >= 2; };
  const WallTimeSummary summary = recorded.run(plain_benchmarks(5));
  EXPECT_TRUE(summary.cancelled);
  EXPECT_EQ(summary.timed, 2u);
}

TEST(WallTimeTest, CoresAreTheLastOnesAndThreeAreLeftAlone) {
  EXPECT_EQ(choose_timing_cores({0, 1, 2, 3, 4, 5}, 1), (std::vector<int>{3, 4, 5}));
  EXPECT_EQ(choose_timing_cores({0, 1, 2, 3, 4, 5}, 4), (std::vector<int>{2, 3, 4, 5}))
      << "the widest benchmark must fit";
  EXPECT_EQ(choose_timing_cores({0, 1}, 1), (std::vector<int>{1}));
  EXPECT_EQ(choose_timing_cores({7}, 8), (std::vector<int>{7}));
}

TEST(CorePoolTest, NeighboursFirstFit) {
  CorePool pool({2, 6});
  EXPECT_EQ(pool.reserve(2), (CoreRange{2, 3}));
  EXPECT_EQ(pool.reserve(1), (CoreRange{4, 4}));
  EXPECT_EQ(pool.reserve(3), std::nullopt);
  EXPECT_EQ(pool.reserve(2), (CoreRange{5, 6}));
  EXPECT_EQ(pool.reserve(1), std::nullopt);
  pool.release({4, 4});
  pool.release({2, 3});
  EXPECT_EQ(pool.reserve(3), (CoreRange{2, 4}));
}

TEST(CorePoolTest, OneCoreIsEnoughForAPool) {
  CorePool pool({0, 0});
  EXPECT_EQ(pool.reserve(1), (CoreRange{0, 0}));
}

TEST(CorePoolTest, MoreThanThePoolHasIsAnErrorNotAWait) {
  CorePool pool({0, 1});
  try {
    pool.reserve(3);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), "3 cores were asked for, but there are only cores 0-1");
  }
}

TEST(CorePoolTest, Texts) {
  EXPECT_EQ(to_text(CoreRange{3, 3}), "3");
  EXPECT_EQ(to_text(CoreRange{0, 3}), "0-3");
}

}  // namespace
}  // namespace icount
