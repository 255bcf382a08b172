#include "icount/suite/core_pool.h"

#include "icount/base/error.h"

namespace icount {
namespace {

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
