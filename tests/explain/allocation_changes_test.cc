#include "icount/explain/allocation_changes.h"

#include <gtest/gtest.h>

#include "support/graph_builder.h"

namespace icount {
namespace {

GraphBuilder program(int64_t calls) { return GraphBuilder().calls("main", "parse", calls); }

TEST(AllocationChangesTest, TheFunctionsBehindTheChangeTheLargestFirst) {
  const CostGraph base = program(10).calls("parse", "free", 30).calls("old", "malloc", 4).graph();
  const CostGraph head = program(10)
                             .calls("parse", "malloc", 30)
                             .calls("parse", "free", 30)
                             .calls("f", "operator new(unsigned long)", 1)
                             .graph();
  EXPECT_EQ(
      allocation_changes(base, head),
      (std::vector<std::string>{"allocations 4 -> 31, frees unchanged: `parse` now allocates 3 times per call; `old` "
                                "no longer allocates; `f` now allocates once"}));
}

TEST(AllocationChangesTest, MoreCallsAndMorePerCallAreToldApart) {
  const CostGraph base = program(10).calls("parse", "malloc", 20).graph();
  EXPECT_EQ(allocation_changes(base, program(20).calls("parse", "malloc", 40).graph(), 10).at(0),
            "allocations 2 -> 4 per run, frees unchanged: `parse` is called 20 times instead of 10 and allocates 2 "
            "times per call");
  EXPECT_NE(allocation_changes(base, program(10).calls("parse", "malloc", 25).graph())
                .at(0)
                .find("`parse` allocates 2.5 times instead of 2 per call"),
            std::string::npos);
}

TEST(AllocationChangesTest, FewerThanOneForEachCallAreCounted) {
  const CostGraph base = program(700).calls("parse", "malloc", 341).graph();
  EXPECT_EQ(allocation_changes(base, program(690).calls("parse", "malloc", 337).graph()).at(0),
            "allocations 341 -> 337, frees unchanged: `parse` allocates 337 times instead of 341 (690 calls instead of "
            "700)");
}

TEST(AllocationChangesTest, NothingChangedOrNotKnownSaysNothing) {
  const CostGraph base = program(10).calls("parse", "malloc", 20).graph();
  EXPECT_TRUE(allocation_changes(base, base).empty());
  EXPECT_TRUE(allocation_changes(base, program(1).calls("parse", "malloc", 2).untrusted("why").graph()).empty());
}

}  // namespace
}  // namespace icount
