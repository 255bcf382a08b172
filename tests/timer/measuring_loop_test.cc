#include "icount/timer/measuring_loop.h"

#include <gtest/gtest.h>

#include "support/graph_builder.h"

namespace icount {
namespace {

TEST(MeasuringLoopTest, OurFunctionsAreOneThatCallsTheStatement) {
  CostGraph graph = GraphBuilder()
                        .in("stub_child.h", "stub")
                        .line("icount_stub::enter()", "stub_child.h", 7, 19)
                        .in("stmt", "stub")
                        .line("stmt", "stmt", 1, 300)
                        .in("stub_server.h", "stub")
                        .line("icount_stub::Context::next()", "stub_server.h", 9, 1)
                        .line("icount_stub::leave()'2", "stub_child.h", 8, 10)
                        .in("malloc.c", "libc.so")
                        .line("malloc", "malloc.c", 5, 4000)
                        .calls("icount_stub::enter()", "stmt", 0, 4311)
                        .calls("stmt", "malloc", 100, 4000)
                        .calls("stmt", "icount_stub::Context::next()", 1, 11)
                        .calls("icount_stub::Context::next()", "icount_stub::leave()'2", 1, 10)
                        .graph();
  const auto totals = graph.totals;
  fold_measuring_loop(graph);
  check_cost_graph(graph);
  EXPECT_EQ(graph.totals, totals);
  ASSERT_EQ(graph.functions.size(), 3u);
  EXPECT_EQ(graph.name(0), "(measuring loop)");
  EXPECT_EQ(graph.file(0), "");
  EXPECT_EQ(graph.self_of(0, 0), 30);
  ASSERT_EQ(graph.edges.size(), 2u);
  EXPECT_EQ(graph.name(graph.edges[0].callee), "stmt");
  EXPECT_EQ(graph.inclusive_of(0, 0), 4300);
  EXPECT_EQ(graph.inclusive_of(1, 0), 4000);
  EXPECT_EQ(graph.rows.size(), 3u);
  EXPECT_EQ(graph.lines.size(), 3u);
}

TEST(MeasuringLoopTest, AStatementThatWasEnteredBeforeTheRegionIsCalledByTheLoop) {
  CostGraph graph = GraphBuilder()
                        .in("stmt", "stub")
                        .line("stmt", "stmt", 1, 300)
                        .line("stmt", "icount-generated", 1, 20)
                        .in("stub_server.h", "stub")
                        .line("icount_stub::Context::next()", "stub_server.h", 9, 11)
                        .line("icount_stub_image_entry", "stub_main.h", 9, 0)
                        .in("malloc.c", "libc.so")
                        .line("malloc", "malloc.c", 5, 4000)
                        .calls("stmt", "malloc", 100, 4000)
                        .calls("stmt", "icount_stub::Context::next()", 1, 11)
                        .graph();
  fold_measuring_loop(graph);
  check_cost_graph(graph);
  ASSERT_EQ(graph.functions.size(), 3u);
  EXPECT_EQ(graph.file(0), "icount-generated");
  ASSERT_EQ(graph.edges.size(), 2u);
  EXPECT_EQ(graph.name(graph.edges[1].caller), "(measuring loop)");
  EXPECT_EQ(graph.name(graph.edges[1].callee), "stmt");
  EXPECT_EQ(graph.edges[1].calls, 1);
  EXPECT_EQ(graph.inclusive_of(1, 0), 4320);
}

TEST(MeasuringLoopTest, FramesThatFollowEachOtherAreOne) {
  CallStacks stacks;
  stacks.events = {"Ir"};
  stacks.totals = {63};
  const char* names[] = {"icount_stub::advance()", "icount_stub::enter()", "stmt", "icount_stub::next()",
                         "icount_stub::leave()"};
  for (uint32_t i = 0; i < 5; ++i) {
    stacks.frames.push_back({stacks.strings.intern(names[i]), stacks.strings.intern("f.h"), kEmptyString,
                             i == 0 ? kNoFrame : i - 1, FrameKind::kFunction});
    stacks.self.push_back(int64_t{1} << (i == 4 ? 5 : i));
  }
  stacks.totals = {1 + 2 + 4 + 8 + 32};
  fold_measuring_loop(stacks);
  check_call_stacks(stacks);
  ASSERT_EQ(stacks.frames.size(), 3u);
  EXPECT_EQ(stacks.name(0), "(measuring loop)");
  EXPECT_EQ(stacks.name(1), "stmt");
  EXPECT_EQ(stacks.name(2), "(measuring loop)");
  EXPECT_EQ(stacks.self, (std::vector<int64_t>{3, 4, 40}));
}

}  // namespace
}  // namespace icount
