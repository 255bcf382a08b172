// Which functions are opened, what becomes of their causes, and what is said of those that stay closed.
#include "icount/explain/inside/function_opening.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "icount/explain/claims/claims.h"
#include "icount/report/cause_sentence.h"
#include "loop_profile.h"

namespace icount {
namespace {

/// Both sides of a profile whose f has a loop, joined, and a list of causes that an opener gets.
class FunctionOpenerTest : public testing::Test {
 protected:
  void SetUp() override { join({}, {.turns = 300}); }
  void join(const LoopCode& base, const LoopCode& head) {
    profiles_ = {read_coded(loop_profile(base)), read_coded(loop_profile(head))};
    for (const size_t side : {0, 1}) folded_[side] = fold_graph(profiles_[side].graph, 0, false);
    joined_ = join_graphs(folded_[0], folded_[1], match_functions(folded_[0], folded_[1], true));
    flow_ = decompose_with_leading_clusters_open(joined_.flow);
    node_ = joined_.functions[0].name == "f" ? 0 : 1;
    delta_ = joined_.flow.nodes[node_].self[1] - joined_.flow.nodes[node_].self[0];
  }

  FunctionOpener opener(std::vector<uint32_t> list = {}, bool list_opened = false) const {
    return FunctionOpener(joined_, {&profiles_[0].code, &profiles_[1].code}, std::move(list), list_opened);
  }
  GroupedCause of_f(CauseKind kind = CauseKind::kOwnCost, std::string_view group = {}) const {
    GroupedCause cause{
        {.kind = kind, .function = "f", .delta = delta_, .facts = fact::Said{"as it was"}}, group, {"prog", "prog"}};
    cause.node = node_;
    return cause;
  }
  /// One that is about no function.
  static GroupedCause other(int64_t delta) { return {{.kind = CauseKind::kRest, .delta = delta}, {}, {}}; }
  /// What becomes of causes: "iterations 600" and the like, one after the other.
  std::string opened(std::vector<GroupedCause> causes) {
    FunctionOpener one = opener();
    one.open(flow_, make_sentence_source(joined_, flow_), causes);
    std::string all;
    for (const GroupedCause& grouped : causes)
      all += fmt::format("{} {};", to_text(grouped.cause.kind), grouped.cause.delta);
    notes_ = one.notes;
    return all;
  }

  std::array<CodedProfile, 2> profiles_;
  std::array<FoldedGraph, 2> folded_;
  JoinedGraph joined_;
  OpenedFlow flow_;
  uint32_t node_ = 0;
  int64_t delta_ = 0;
  std::vector<note::NotOpened> notes_;
};

TEST_F(FunctionOpenerTest, ACauseIsExchangedForThoseInside) {
  EXPECT_EQ(delta_, 600);
  EXPECT_EQ(opened({of_f()}), "iterations 600;");
  EXPECT_EQ(opened({other(7), of_f(), other(-9)}), "rest 7;rest -9;iterations 600;") << "the others stay";
  EXPECT_TRUE(notes_.empty());
}

TEST_F(FunctionOpenerTest, TheObjectsStay) {
  std::vector<GroupedCause> causes = {of_f()};
  opener().open(flow_, make_sentence_source(joined_, flow_), causes);
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].objects, (std::array<std::string_view, 2>{"prog", "prog"}));
  EXPECT_EQ(causes[0].group, "");
}

TEST_F(FunctionOpenerTest, FromAHundredthOfTheLargestOn) {
  EXPECT_EQ(opened({other(60'000), of_f()}), "rest 60000;iterations 600;");
  EXPECT_EQ(opened({other(60'001), of_f()}), "rest 60001;own-cost 600;");
  EXPECT_EQ(opened({other(-60'001), of_f()}), "rest -60001;own-cost 600;") << "whichever sign";
}

TEST_F(FunctionOpenerTest, WhatIsToldOtherwiseIsNotOpened) {
  EXPECT_EQ(opened({of_f(CauseKind::kRenamed)}), "renamed 600;");
  EXPECT_EQ(opened({of_f(CauseKind::kCluster)}), "cluster 600;");
  EXPECT_EQ(opened({of_f(CauseKind::kOwnCost, "allocator")}), "own-cost 600;") << "noise";
  GroupedCause nothing = of_f(CauseKind::kRenamed);
  nothing.cause.delta = 0;
  EXPECT_EQ(opened({nothing, of_f()}), "renamed 0;own-cost 600;") << "nor with another cause of the function";
}

TEST_F(FunctionOpenerTest, ACauseOfNothingIsNotLookedInto) {
  GroupedCause nothing = of_f();
  nothing.cause.delta = 0;
  EXPECT_EQ(opened({nothing}), "own-cost 0;");
}

TEST_F(FunctionOpenerTest, WhatDoesNotComeToTheCauseIsNotTold) {
  GroupedCause twice = of_f();
  twice.cause.delta = 1200;
  EXPECT_EQ(opened({twice}), "own-cost 1200;");
}

TEST_F(FunctionOpenerTest, WhatIsFoundComesNearTheCause) {
  const auto is_opened = [&](int64_t delta) {
    GroupedCause cause = of_f();
    cause.cause.delta = delta;
    return opened({cause}) == fmt::format("iterations {};", delta);
  };
  EXPECT_TRUE(is_opened(450)) << "three quarters of 600";
  EXPECT_FALSE(is_opened(449));
  EXPECT_TRUE(is_opened(750)) << "five quarters of it";
  EXPECT_FALSE(is_opened(751));
  join({}, {.turns = 101});
  EXPECT_EQ(delta_, 3);
  EXPECT_TRUE(is_opened(5)) << "two more or less are rounding";
  EXPECT_TRUE(is_opened(4));
  EXPECT_FALSE(is_opened(6));
}

TEST_F(FunctionOpenerTest, WithoutCodeItStaysAndWithCodeThatCannotBeReadThatIsSaid) {
  profiles_[1].code.events = 2;
  EXPECT_EQ(opened({of_f()}), "own-cost 600;");
  ASSERT_EQ(notes_.size(), 1u);
  EXPECT_EQ(notes_[0].function, "`f`");
  EXPECT_EQ(notes_[0].reason, "its costs are of other events");
  profiles_[1].code.functions.clear();
  EXPECT_EQ(opened({of_f()}), "own-cost 600;");
  EXPECT_TRUE(notes_.empty()) << "nothing was recorded: nothing was to be expected";
}

TEST_F(FunctionOpenerTest, WhatSaysNoMoreThanBeforeIsNotTold) {
  // The same turns; another block costs more behind the loop.
  join({}, {.has_another_block = true});
  EXPECT_EQ(delta_, 10);
  EXPECT_EQ(opened({of_f()}), "own-cost 10;");
}

TEST_F(FunctionOpenerTest, ListsWhatIsAskedFor) {
  FunctionOpener asked = opener({node_});
  asked.list(flow_, make_sentence_source(joined_, flow_));
  ASSERT_EQ(asked.listings.size(), 1u);
  EXPECT_EQ(asked.listings[0].function, "f");
  EXPECT_EQ(asked.listings[0].rows.at(0).total, (std::array<int64_t, 2>{330, 930}));
  EXPECT_EQ(asked.listings[0].rows.at(1).total, (std::array<int64_t, 2>{10, 10}));
  FunctionOpener nothing = opener();
  nothing.list(flow_, make_sentence_source(joined_, flow_));
  EXPECT_TRUE(nothing.listings.empty());
}

TEST_F(FunctionOpenerTest, AListingWithoutCodeSaysSo) {
  profiles_[0].code.functions.clear();
  FunctionOpener asked = opener({node_});
  asked.list(flow_, make_sentence_source(joined_, flow_));
  ASSERT_EQ(asked.listings.size(), 1u);
  EXPECT_EQ(asked.listings[0].closed, "not both profiles recorded addresses and jumps inside it");
}

TEST_F(FunctionOpenerTest, ListsWhatWasOpenedOnce) {
  for (const bool list_opened : {false, true})
    for (const bool is_asked : {false, true}) {
      FunctionOpener one = opener(is_asked ? std::vector<uint32_t>{node_} : std::vector<uint32_t>{}, list_opened);
      std::vector<GroupedCause> causes = {of_f()};
      one.open(flow_, make_sentence_source(joined_, flow_), causes);
      one.list(flow_, make_sentence_source(joined_, flow_));
      EXPECT_EQ(one.listings.size(), list_opened || is_asked ? 1u : 0u);
    }
}

TEST_F(FunctionOpenerTest, AnInliningMoveIsToldWithItsLoop) {
  profiles_[1].code.inlined = {{"g", 0, 3, 20, 0}};
  for (FunctionCode& piece : profiles_[1].code.functions)
    if (profiles_[1].graph.name(piece.function) == "f")
      for (const size_t row : {1, 2, 3}) piece.rows.at(row).inlined = 1;
  const auto told = [&](int64_t delta, size_t side) {
    GroupedCause move{{.kind = CauseKind::kInlined, .function = "f", .delta = delta}, {}, {}};
    move.cause.callee = "g";
    move.cause.facts = fact::Inlined{.caller = "`f`", .callee = "`g`", .own = 3, .calls = -5, .count = 2};
    move.inlined_into = node_;
    move.inlined_on = side;
    std::vector<GroupedCause> causes = {other(-60'000), move};
    opener().open(flow_, make_sentence_source(joined_, flow_), causes);
    for (const GroupedCause& cause : causes)
      if (cause.cause.kind == CauseKind::kInlined) return cause_sentence(cause.cause);
    return std::string();
  };
  EXPECT_EQ(told(600, 1), "`g` is now inlined into the loop at a.c:6-8 in `f` (2 calls, -1 each)");
  EXPECT_EQ(told(-600, 1), "`g` is now inlined into the loop at a.c:6-8 in `f` (2 calls, -1 each)");
  EXPECT_EQ(told(599, 1), "`g` is now inlined into `f` (2 calls, -1 each)") << "less than a hundredth of the largest";
  EXPECT_EQ(told(600, 0), "`g` is now inlined into `f` (2 calls, -1 each)") << "base does not know what is inlined";
}

}  // namespace
}  // namespace icount
