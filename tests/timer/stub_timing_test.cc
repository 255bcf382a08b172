// Statements timed through real stub servers, by themselves and behind a Timer: real compiler, no Valgrind. Times are
// only bounded from one side.
#include "icount/timer/stub_timing.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "icount/base/error.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/timer/steady_timing.h"
#include "icount/timer/timer.h"
#include "support/error_of.h"
#include "support/places.h"

namespace icount {
namespace {

TimerArgs plain(std::string stmt, std::string setup = {}) {
  TimerArgs args;
  args.stmt = std::move(stmt);
  args.setup = std::move(setup);
  args.global_setup = "#include <unistd.h>";
  args.torch = false;
  return args;
}

enum Statement {
  kSleeps,
  kCounts,
  kReads,
  kThrows,
  kExits,
  kHangs,
  kRemoved,
  kForks,
  kStarts,
  kPrints,
  kWanders,
  kWrites,
  kDoesNotCompile
};

/// One build for all tests; each opens what it needs.
class StubTimingTest : public ::testing::Test {
 protected:
  static const std::vector<TimerArgs>& statements() {
    static const std::vector<TimerArgs> all = {
        plain("struct timespec pause = {0, 2000000}; nanosleep(&pause, nullptr);"),
        plain("icount::keep(++n);", "int n = 0;"),
        plain("for (size_t i = 0; i < data.size(); i += 8) sum += data[i]; icount::keep(sum);",
              "std::vector<long> data(4096); long sum = 0;"),
        plain("throw std::runtime_error(\"no\");"),
        plain("std::exit(0);"),
        plain("for (volatile int i = 0;; i = i + 1) {}"),
        plain("int a = 1 + 1;"),
        plain("if (fork() == 0) _exit(0);"),
        plain("if (system(\"true\")) throw 1;"),
        plain("fwrite(text.data(), 1, text.size(), stdout); fflush(stdout);", "std::string text(1 << 20, 'x');"),
        plain("if (chdir(\"/\")) throw 1;"),
        plain("FILE* runs = fopen(\"" + runs_file().string() + "\", \"a\"); fputc('x', runs); fclose(runs);"),
        plain("nonsense;")};
    return all;
  }
  /// kWrites puts a byte there in each run.
  static std::filesystem::path runs_file() { return scratch->path() / "runs"; }
  static void SetUpTestSuite() { scratch = std::make_unique<ScratchDir>(); }
  static void TearDownTestSuite() { scratch.reset(); }

  static StubTiming timing(int64_t cold_bytes = 0) {
    StubTimingOptions options;
    options.environment = current_environment();
    options.cache_dir = test_cache();
    options.block_limit = Seconds(cold_bytes > 0 ? 60 : 2);
    options.cold_bytes = cold_bytes;
    return StubTiming(statements(), options);
  }
  static std::unique_ptr<ScratchDir> scratch;
};
std::unique_ptr<ScratchDir> StubTimingTest::scratch;

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

TEST_F(StubTimingTest, AGlobalSetupThatThrowsIsNamed) {
  TimerArgs args = plain("icount::keep(device);");
  args.global_setup = "const int device = [] { throw std::runtime_error(\"no device\"); return 1; }();";
  StubTimingOptions options;
  options.cache_dir = test_cache();
  const StubTiming timing(std::vector<TimerArgs>{args}, options);
  const std::string error = error_of([&] { timing.open(0); });
  for (const char* words : {"did not start", "the global set-up runs before main", "what():  no device"})
    EXPECT_NE(error.find(words), std::string::npos) << error;
}

TEST_F(StubTimingTest, ABlockThatIsExpectedBeginsBeforeItIsAskedFor) {
  const StubTiming all = timing();
  const auto source = all.open(kWrites);
  const auto runs = [] { return static_cast<int>(std::filesystem::file_size(runs_file())); };
  source->expect_another();
  source->run_block(1);  // each block: one run to warm up, then its own
  for (int wait = 0; wait < 400 && runs() < 4; ++wait) ::usleep(5000);
  EXPECT_EQ(runs(), 4);
  source->run_block(1);
  EXPECT_EQ(runs(), 4) << "it was there already";
  source->expect_another();
  source->run_block(1);
  source->run_block(5);
  EXPECT_EQ(runs(), 4 + 2 + 2 + 6) << "another one was wanted: what was begun is thrown away";
  const auto thrower = all.open(kThrows);
  thrower->expect_another();
  EXPECT_NE(error_of([&] { thrower->run_block(1); }).find("threw std::runtime_error: no"), std::string::npos);
}

TEST_F(StubTimingTest, AStatementThatMakesProcessesIsAnError) {
  const StubTiming all = timing();
  for (const Statement statement : {kForks, kStarts}) {
    const std::string error = error_of([&] { all.open(statement)->run_block(3); });
    EXPECT_NE(error.find("the statement makes further processes"), std::string::npos) << error;
  }
}

TEST_F(StubTimingTest, TalkingAndWanderingStatementsAreTimedAndHarmNobody) {
  const auto here = std::filesystem::current_path();
  const StubTiming all = timing();
  const auto talker = all.open(kPrints);
  for (int block = 0; block < 3; ++block) EXPECT_GT(talker->run_block(2), 0);
  EXPECT_GT(all.open(kWanders)->run_block(100), 0);
  EXPECT_EQ(std::filesystem::current_path(), here);
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

StubTimingOptions in_cache() {
  StubTimingOptions options;
  options.cache_dir = test_cache();
  options.block_limit = Seconds(60);
  return options;
}

TEST(StatementTimerTest, TimesTextAndSaysWhatItWas) {
  Timer timer({.stmt = "\n    v.push_back(1); icount::keep(v);",
               .setup = "std::vector<int> v;",
               .num_threads = 2,
               .label = "push",
               .env = "here",
               .torch = false},
              in_cache());
  const Measurement measurement = timer.timeit(100);
  EXPECT_EQ(measurement.number_per_run(), 100);
  EXPECT_GT(measurement.median(), 0);
  EXPECT_EQ(measurement.task_spec().stmt, "v.push_back(1); icount::keep(v);");
  EXPECT_EQ(measurement.task_spec().label, "push");
  EXPECT_EQ(measurement.task_spec().env, "here");
  EXPECT_EQ(measurement.task_spec().num_threads, 2);
  EXPECT_GE(timer.blocked_autorange({.min_run_time = 0.001}).raw_times().size(), 1u);
  EXPECT_GE(timer.adaptive_autorange({.min_run_time = 0.001, .max_run_time = 0.01}).raw_times().size(), 1u);
}

TEST(StatementTimerTest, AStatementThatTheCompilerRemovedIsAnErrorWhereBlocksWouldNotEnd) {
  Timer timer({.stmt = "int a = 1;", .torch = false}, in_cache());
  const std::string advice = ": the compiler optimized the statement away; use its result, as in icount::keep(y)";
  for (const std::string& error :
       {error_of([&] { timer.blocked_autorange(); }), error_of([&] { timer.adaptive_autorange(); })})
    EXPECT_TRUE(error.starts_with("blocks take no longer with more runs (") && error.ends_with(advice)) << error;
  EXPECT_GT(timer.timeit(10).median(), 0);
}

TEST(StatementTimerTest, WhatTheCompilerSaysComesWhenItIsFirstAsked) {
  Timer timer({.stmt = "nonsense;", .torch = false}, in_cache());
  const std::string error = error_of([&] { timer.timeit(1); });
  EXPECT_EQ(error.find("compile-error: stmt:1:1: "), 0u) << error;
  EXPECT_EQ(error_of([&] { timer.collect_callgrind(0); }).find("no error"), std::string::npos);
}

TEST(StatementTimerTest, ATimerLivesOnAfterABlockThatFailed) {
  Timer timer(
      {.stmt = "if (++runs > 50) throw std::runtime_error(\"tired\");", .setup = "int runs = 0;", .torch = false},
      in_cache());
  const std::string error = error_of([&] { timer.timeit(100); });
  EXPECT_NE(error.find("tired"), std::string::npos) << error;
  EXPECT_GT(timer.timeit(10).median(), 0);
}

/// Compiles tests/support/fake_cuda_driver.c into `folder` as the driver's library.
void build_fake_driver(const std::filesystem::path& folder) {
  const std::string library = (folder / "libcuda.so.1").string();
  const ProcessOutcome built =
      run_process({.argv = {"cc", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1",
                            source_dir() + "/tests/support/fake_cuda_driver.c", "-o", library}});
  ASSERT_TRUE(built.ok()) << built.errors;
}

TEST(StatementTimerTest, BlocksOnADeviceWaitForItWhateverTheLanguage) {
  const ScratchDir folder;
  build_fake_driver(folder.path());
  const std::string library = (folder.path() / "libcuda.so.1").string();
  StubTimingOptions options = in_cache();
  options.on_device = true;
  options.toolchain.link_flags = {library, "-Wl,-rpath," + folder.path().string()};
  Timer cpp({.stmt = "queue_work();", .global_setup = "extern \"C\" void queue_work();", .torch = false}, options);
  EXPECT_EQ(cpp.timeit(20).number_per_run(), 20);
  EXPECT_NE(cpp.source().remark().find("by events on the current stream"), std::string::npos);

  Timer python({.stmt = "work()",
                .setup = "import ctypes; work = ctypes.CDLL('" + library + "').queue_work",
                .language = Language::kPython,
                .torch = false},
               options);
  EXPECT_GT(python.blocked_autorange({.min_run_time = 0.001}).median(), 0);
  EXPECT_NE(python.source().remark().find("by events on the current stream"), std::string::npos);

  Timer elsewhere({.stmt = "icount::keep(1);", .torch = false}, options);
  EXPECT_EQ(error_of(ErrorKind::kUsage, [&] { elsewhere.timeit(1); }),
            "the statement does nothing on a CUDA device: time it without --device cuda");
}

TEST(StatementTimerTest, PythonKnowsNoGlobalSetup) {
  EXPECT_NE(error_of([] { Timer({.stmt = "pass", .global_setup = "int x;", .language = Language::kPython}); }),
            "no error");
}

}  // namespace
}  // namespace icount
