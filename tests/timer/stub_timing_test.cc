// Statements timed through real stub servers: real compiler, no Valgrind. Times are only bounded from one side.
#include "timer/stub_timing.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/scratch_dir.h"
#include "timer/steady_timing.h"

namespace icount {
namespace {

TimerArgs plain(std::string stmt, std::string setup = {}) {
  TimerArgs args;
  args.stmt = std::move(stmt);
  args.setup = std::move(setup);
  args.torch = false;
  return args;
}

enum Statement { kSleeps, kCounts, kReads, kThrows, kExits, kHangs, kRemoved, kDoesNotCompile };

/// One build for all tests; each opens what it needs.
class StubTimingTest : public ::testing::Test {
 protected:
  static const std::vector<TimerArgs>& statements() {
    static const std::vector<TimerArgs> all = {
        plain("struct timespec pause = {0, 2000000}; nanosleep(&pause, nullptr);"),
        plain("icount::keep(++n);", "int n = 0;"),
        plain("for (size_t i = 0; i < data.size(); i += 8) sum += data[i]; icount::keep(sum);", "std::vector<long> data(4096); long sum = 0;"),
        plain("throw std::runtime_error(\"no\");"),
        plain("std::exit(0);"),
        plain("for (volatile int i = 0;; i = i + 1) {}"),
        plain("int a = 1 + 1;"),
        plain("nonsense;")};
    return all;
  }
  static void SetUpTestSuite() { cache = std::make_unique<ScratchDir>(); }
  static void TearDownTestSuite() { cache.reset(); }

  static StubTiming timing(int64_t cold_bytes = 0) {
    StubTimingOptions options;
    options.environment = current_environment();
    options.cache_dir = cache->path();
    options.block_limit = Seconds(cold_bytes > 0 ? 60 : 2);
    options.cold_bytes = cold_bytes;
    return StubTiming(statements(), options);
  }
  static std::unique_ptr<ScratchDir> cache;
};
std::unique_ptr<ScratchDir> StubTimingTest::cache;

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(StubTimingTest, BlocksOfAStatementTakeAtLeastItsSleep) {
  const StubTiming all = timing();
  const auto sleeper = all.open(kSleeps);
  EXPECT_GE(sleeper->run_block(10), 0.02);
  const auto counter = all.open(kCounts);  // side by side with the first
  EXPECT_LT(counter->run_block(1000), sleeper->run_block(100));
  EXPECT_GE(counter->run_block(0), 0);
}

TEST_F(StubTimingTest, ColdRunsAreDearerThanWarmOnes) {
  const int64_t bytes = probe_cold_bytes();
  EXPECT_GE(bytes, 1 << 20);
  EXPECT_GT(timing(bytes).open(kReads)->run_block(5), timing().open(kReads)->run_block(5));
}

TEST_F(StubTimingTest, AStatementThatEndsBadlySaysHow) {
  const StubTiming all = timing();
  EXPECT_NE(error_of([&] { all.open(kThrows)->run_block(1); }).find("threw std::runtime_error: no"), std::string::npos);
  EXPECT_NE(error_of([&] { all.open(kExits)->run_block(1); }).find("exit"), std::string::npos);
  EXPECT_NE(error_of([&] { all.open(kHangs)->run_block(1); }).find("2 s"), std::string::npos)
      << error_of([&] { all.open(kHangs)->run_block(1); });
  ASSERT_NE(all.failure(kDoesNotCompile), nullptr);
  EXPECT_EQ(all.failure(kDoesNotCompile)->error.find("stmt:1:1: "), 0u) << all.failure(kDoesNotCompile)->error;
  EXPECT_EQ(all.failure(kCounts), nullptr);
}

TEST_F(StubTimingTest, AStatementThatTheOptimiserTookIsNoticed) {
  const StubTiming all = timing();
  const auto source = all.open(kRemoved);
  SteadyOptions steady;
  steady.min_run_time = 0.05;
  EXPECT_EQ(time_steadily(*source, {}, steady).reason, StopReason::kRemoved);
}

TEST_F(StubTimingTest, SurroundingsNameWhatIsThere) {
  const Json facts = probe_timing_surroundings(0);
  EXPECT_EQ(facts.at("core"), 0);
  EXPECT_GE(facts.at("cpus").get<int>(), 1);
}

}  // namespace
}  // namespace icount
