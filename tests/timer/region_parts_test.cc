#include <gtest/gtest.h>

#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/timer/region_parts.h"
#include "support/error_of.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

std::string make_part(int part, int count, std::string_view trigger = "Client Request") {
  const std::string text = std::to_string(count);
  return "version: 1\ncreator: callgrind-3.19.0\npid: 7\ncmd: stub\npart: " + std::to_string(part) +
         "\n\ndesc: Trigger: " + std::string(trigger) + "\n\npositions: line\nevents: Ir\n\nfl=a.c\nfn=f\n1 " + text +
         "\n\ntotals: " + text + "\n";
}

TEST(RegionPartsTest, APartIsReadWithItsTotal) {
  const ScratchDir dir;
  save_file(dir.path() / "cg.7.2", make_part(2, 40));
  EXPECT_EQ(load_region(dir.path(), 7, 2, {}).totals.at(0), 40);
  EXPECT_EQ(load_region_total(dir.path(), 7, 2), 40);
}

TEST(RegionPartsTest, ARangeOfBlocksSaysNothingWhereTheCostsBeganLater) {
  const ScratchDir dir;
  std::string text = make_part(2, 40);
  text.insert(text.find("desc:"), "desc: Timerange: Basic block 100 - 1000\n");
  save_file(dir.path() / "cg.7.2", text);
  EXPECT_FALSE(load_region(dir.path(), 7, 2, {}).call_counts.trusted) << "40 instructions in 900 blocks";
  EXPECT_TRUE(load_region(dir.path(), 7, 2, {}, RegionStart::kAfterLastPart).call_counts.trusted);
}

TEST(RegionPartsTest, APartThatCouldNotBeWrittenIsNoZero) {
  const ScratchDir dir;
  for (const auto& load : {std::function<void()>([&] { load_region_total(dir.path(), 7, 2); }),
                           std::function<void()>([&] { load_region(dir.path(), 7, 2, {}); })})
    EXPECT_NE(error_of(ErrorKind::kIo, load).find("cg.7.2: not the whole profile: it was not written"),
              std::string::npos);
}

TEST(RegionPartsTest, APartCutOffAnywhereIsRefused) {
  const ScratchDir dir;
  const std::string whole = make_part(2, 40);
  for (size_t length = 0; length < whole.size(); ++length) {
    save_file(dir.path() / "cg.7.2", whole.substr(0, length));
    EXPECT_NE(error_of(ErrorKind::kIo, [&] { load_region(dir.path(), 7, 2, {}); }), "no error") << length;
    EXPECT_NE(error_of(ErrorKind::kIo, [&] { load_region_total(dir.path(), 7, 2); }), "no error") << length;
  }
}

TEST(RegionPartsTest, ThreadsAreWholeOneByOne) {
  const ScratchDir dir;
  save_file(dir.path() / "cg.7.2-01", make_part(2, 40, "dump region"));
  save_file(dir.path() / "cg.7.2-02", make_part(2, 2, "dump region"));
  EXPECT_EQ(load_region(dir.path(), 7, 2, {}).totals.at(0), 42);
  EXPECT_EQ(load_region_total(dir.path(), 7, 2), 42);
  const std::string first = make_part(2, 40, "dump region");
  save_file(dir.path() / "cg.7.2-01", first.substr(0, first.size() - 12));  // its totals: line is gone
  EXPECT_NE(error_of(ErrorKind::kIo, [&] { load_region(dir.path(), 7, 2, {}); }), "no error");
}

TEST(RegionPartsTest, ThePartOfAnEndIsNoRegion) {
  const ScratchDir dir;
  save_file(dir.path() / "cg.7.2", make_part(2, 40, "Program termination"));
  EXPECT_NE(error_of([&] { load_region(dir.path(), 7, 2, {}); }), "no error");
}

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
