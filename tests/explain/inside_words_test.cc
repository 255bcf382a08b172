#include "icount/explain/inside_words.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

TEST(InsideWordsTest, SharesAreInPercentAndMoreThanAllIsCounted) {
  EXPECT_EQ(share_text(0.016L, 0.33L, "call"), "33 % of the time instead of 1.6 %");
  EXPECT_EQ(share_text(0.5L, 1, "call"), "100 % of the time instead of 50 %");
  EXPECT_EQ(share_text(25, 45, "call"), "45 times per call instead of 25");
  EXPECT_EQ(share_text(0.5L, 2, "iteration"), "twice per iteration instead of 0.5");
}

}  // namespace
}  // namespace icount
