#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "icount/base/parallel.h"

namespace icount {
namespace {

TEST(ParallelTest, EachPieceIsDoneOnce) {
  for (const size_t count : {size_t{0}, size_t{1}, size_t{1000}})
    for (const int jobs : {-1, 0, 1, 2, 8}) {
      std::vector<std::atomic<int>> done(count);
      run_parallel(count, jobs, [&](size_t i) { ++done[i]; });
      for (size_t i = 0; i < count; ++i) EXPECT_EQ(done[i], 1) << i << " of " << count << ", " << jobs << " jobs";
    }
}

TEST(ParallelTest, TheFirstExceptionEndsTheLoopAndIsThrownAgain) {
  for (const int jobs : {1, 4}) {
    std::atomic<size_t> begun = 0;
    try {
      run_parallel(1'000'000, jobs, [&](size_t i) {
        ++begun;
        if (i >= 5) throw std::runtime_error("it broke");
      });
      ADD_FAILURE() << "no exception";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "it broke");
    }
    EXPECT_LE(begun, 5u + static_cast<size_t>(jobs)) << "no further piece was begun";
  }
}

TEST(CoresTest, OnlyThoseThatTheProcessMayUse) {
  cpu_set_t before, one;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(count_usable_cores(), CPU_COUNT(&before));
  CPU_ZERO(&one);
  for (int core = 0; CPU_COUNT(&one) == 0; ++core)
    if (CPU_ISSET(core, &before)) CPU_SET(core, &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(count_usable_cores(), 1);
  ::sched_setaffinity(0, sizeof before, &before);
}

}  // namespace
}  // namespace icount
