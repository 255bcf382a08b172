// Loops that iterate several times less often, each time dearer: from which figures on, with which calls.
#include "icount/explain/inside/loop_matching.h"

#include <gtest/gtest.h>

#include "written_code.h"

namespace icount {
namespace {

/// One loop of one side.
struct Turns {
  int64_t entries = 10, iterations = 100, self = 1000;
  std::vector<FlowCall> calls = {};
  int64_t head_exits = 0;
};

/// A line of the body, and one of the loop.
WrittenSide side_of(const Turns& turns) {
  return {{{9, 10}, {10, turns.self, 0}}, {{turns.entries, turns.iterations}}};
}

class ReshapedLoop {
 public:
  ReshapedLoop(const Turns& base, const Turns& head) : function_(side_of(base), side_of(head)) {
    opened().regions.resize(2);
    for (size_t side = 0; side < 2; ++side) {
      const Turns& turns = side == 0 ? base : head;
      opened().regions[1].loops[side] = {0};
      opened().regions[1].entries[side] = turns.entries;
      opened().regions[1].iterations[side] = turns.iterations;
      opened().region_of_loop[side] = {1};
      opened().shapes[side].flow.calls = turns.calls;
      opened().shapes[side].loops[0].head_exits = turns.head_exits;
      opened().shapes[side].loops[0].heads = turns.iterations + turns.head_exits;
    }
  }

  OpenedFunction& opened() { return function_.opened; }
  bool is_reshaped() {
    find_reshaped(opened(), WrittenFunction::callees());
    return opened().regions[1].reshaped;
  }
  /// Iterations after turns were chosen, base and head.
  BothSides iterations() {
    is_reshaped();
    return opened().regions[1].iterations;
  }

 private:
  WrittenFunction function_;
};

bool reshaped(const Turns& base, const Turns& head) {
  const bool found = ReshapedLoop(base, head).is_reshaped();
  EXPECT_EQ(found, ReshapedLoop(head, base).is_reshaped()) << "whichever is base";
  return found;
}

TEST(ReshapedLoopsTest, SeveralTimesFewerAndDearerIterations) {
  EXPECT_TRUE(reshaped({.iterations = 400}, {.iterations = 100})) << "unrolled by four: what it costs stays";
  EXPECT_TRUE(reshaped({.iterations = 150}, {.iterations = 100}));
  EXPECT_FALSE(reshaped({.iterations = 149}, {.iterations = 100})) << "hardly fewer";
  EXPECT_FALSE(reshaped({}, {}));
}

TEST(ReshapedLoopsTest, AnIterationIsDearerByAQuarter) {
  EXPECT_TRUE(reshaped({.iterations = 200, .self = 1600}, {.iterations = 100, .self = 1000})) << "8 and 10 each";
  EXPECT_FALSE(reshaped({.iterations = 200, .self = 1600}, {.iterations = 100, .self = 999}));
}

TEST(ReshapedLoopsTest, PerEntry) {
  EXPECT_TRUE(
      reshaped({.entries = 10, .iterations = 400, .self = 1000}, {.entries = 40, .iterations = 400, .self = 4000}));
  EXPECT_FALSE(reshaped({.entries = 40, .iterations = 400}, {.entries = 10, .iterations = 100, .self = 1000}))
      << "ten iterations per entry either way";
  EXPECT_FALSE(reshaped({.iterations = 100}, {.iterations = 0, .self = 0})) << "it does not iterate at all";
}

TEST(ReshapedLoopsTest, ItCallsTheSame) {
  const auto with = [](int64_t base, int64_t head, uint32_t callee = 1) {
    return reshaped({.iterations = 400, .calls = {{1, 1, base}}}, {.iterations = 100, .calls = {{1, callee, head}}});
  };
  EXPECT_TRUE(with(400, 400));
  EXPECT_TRUE(with(400, 392)) << "by a fiftieth";
  EXPECT_FALSE(with(400, 391));
  EXPECT_FALSE(with(400, 400, 2)) << "another callee";
  EXPECT_FALSE(reshaped({.iterations = 400}, {.iterations = 100, .calls = {{1, 2, 1}}})) << "one that came";
  EXPECT_FALSE(
      reshaped({.iterations = 400, .calls = {{1, 1, 400}}}, {.iterations = 100, .calls = {{1, 1, 400}, {1, 2, 9}}}));
  EXPECT_TRUE(reshaped({.iterations = 400, .calls = {{0, 1, 400}}}, {.iterations = 100})) << "calls beside the loop";
  EXPECT_TRUE(reshaped({.iterations = 400, .calls = {{1, 99, 400}}}, {.iterations = 100})) << "of what nobody knows";
}

TEST(ReshapedLoopsTest, CallsAreCountedPerEntryOverAllLoopsOfTheRegion) {
  // Head's loop in two pieces, each of which makes a half of the calls.
  const WrittenSide base{{{9, 10}, {10, 1000, 0}}, {{10, 400}}},
      head{{{9, 10}, {10, 900, 0}, {10, 100, 1}}, {{10, 90}, {10, 10}}};
  const auto found = [&](int64_t of_second) {
    WrittenFunction function(base, head);
    OpenedFunction& opened = function.opened;
    opened.regions.resize(2);
    opened.regions[1] = {.loops = {{{0}, {0, 1}}}, .entries = {10, 10}, .iterations = {400, 100}};
    opened.region_of_loop = {{{1}, {1, 1}}};
    opened.shapes[0].flow.calls = {{1, 1, 200}};
    opened.shapes[1].flow.calls = {{1, 1, 100}, {2, 1, of_second}};
    find_reshaped(opened, WrittenFunction::callees());
    return opened.regions[1].reshaped;
  };
  EXPECT_TRUE(found(100));
  EXPECT_FALSE(found(50));
}

TEST(ReshapedLoopsTest, WhatIsNeverEnteredCountsAsEnteredOnce) {
  EXPECT_TRUE(reshaped({.entries = 0, .iterations = 40, .self = 1000}, {.entries = 1, .iterations = 10, .self = 1000}));
  EXPECT_TRUE(reshaped({.entries = 0, .iterations = 40, .self = 1000, .calls = {{1, 1, 40}}},
                       {.entries = 1, .iterations = 10, .self = 1000, .calls = {{1, 1, 40}}}));
}

TEST(ReshapedLoopsTest, AKnotOrALoopOfOneSideIsNone) {
  ReshapedLoop knot({.iterations = 400}, {.iterations = 100});
  knot.opened().shapes[0].loops[0].knot = true;
  EXPECT_FALSE(knot.is_reshaped());
  ReshapedLoop alone({.iterations = 400}, {.iterations = 100});
  alone.opened().regions[1].loops[0].clear();
  EXPECT_FALSE(alone.is_reshaped());
}

TEST(ReshapedLoopsTest, PassesThatLeaveFromTheHeaderAreTurnsWhereThatAgreesBest) {
  EXPECT_EQ(ReshapedLoop({.iterations = 100, .head_exits = 10}, {.iterations = 110}).iterations(),
            (BothSides{110, 110}))
      << "tested at the top in base, at the bottom in head";
  EXPECT_EQ(ReshapedLoop({.iterations = 110}, {.iterations = 100, .head_exits = 10}).iterations(),
            (BothSides{110, 110}));
  EXPECT_EQ(ReshapedLoop({.iterations = 100, .head_exits = 10}, {.iterations = 100, .head_exits = 10}).iterations(),
            (BothSides{100, 100}))
      << "they agree as they are";
  EXPECT_EQ(ReshapedLoop({.iterations = 100, .head_exits = 10}, {.iterations = 104}).iterations(),
            (BothSides{100, 104}));
  EXPECT_EQ(ReshapedLoop({.iterations = 100, .head_exits = 10}, {.iterations = 107}).iterations(),
            (BothSides{110, 107}));
  EXPECT_EQ(ReshapedLoop({.iterations = 2, .head_exits = 10}, {.iterations = 23, .head_exits = 10}).iterations(),
            (BothSides{12, 23}))
      << "12 to 23 is nearer than 2 to 23 or 12 to 33";
  EXPECT_EQ(ReshapedLoop({.iterations = 0, .head_exits = 10}, {.iterations = 10}).iterations(), (BothSides{10, 10}));
  EXPECT_EQ(ReshapedLoop({.iterations = 0}, {.iterations = 10}).iterations(), (BothSides{0, 10}))
      << "nothing to choose";
}

TEST(ReshapedLoopsTest, ChosenTurnsAreTheLoops) {
  ReshapedLoop loop({.iterations = 100, .head_exits = 10}, {.iterations = 110});
  loop.is_reshaped();
  EXPECT_EQ(loop.opened().shapes[0].loops[0].iterations, 110);
  EXPECT_EQ(loop.opened().shapes[0].loops[0].head_exits, 0);
  EXPECT_EQ(loop.opened().shapes[1].loops[0].iterations, 110);
}

}  // namespace
}  // namespace icount
