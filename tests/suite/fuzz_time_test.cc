// Times of fuzzed statements: real stubs, plain C++.
#include "icount/suite/fuzz_run.h"

#include <gtest/gtest.h>

#include "support/places.h"

namespace icount {
namespace {

TimerArgs plain(std::string stmt) {
  TimerArgs args;
  args.stmt = std::move(stmt);
  args.setup = "int n = 0;";
  args.torch = false;
  return args;
}

TEST(FuzzTimeTest, AStatementThatTheCompilerRemovedIsDead) {
  CollectOptions options;
  options.environment = current_environment();
  options.cache_dir = test_cache();
  const std::vector<TimerArgs> statements = {plain("int a = 1;"), plain("icount::keep(++n);")};
  const std::vector<CollectResult> results = collect_wall_time(statements, options, 0.01);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].status, CollectStatus::kDead);
  EXPECT_TRUE(
      results[0].error.ends_with(": the compiler optimized the statement away; use its result, as in "
                                 "icount::keep(y)"))
      << results[0].error;
  EXPECT_EQ(results[1].status, CollectStatus::kDone) << results[1].error;
  EXPECT_GT(results[1].per_run, 0);
}

}  // namespace
}  // namespace icount
