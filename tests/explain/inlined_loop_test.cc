// In which loop of its caller an inlined function's code lies, and the sentence that says so.
#include "icount/explain/inside/inlined_code.h"

#include <gtest/gtest.h>

#include "icount/callgraph/function_code.h"
#include "icount/report/cause_sentence.h"
#include "loop_profile.h"

namespace icount {
namespace {

/// f has a loop on lines 6 to 8; code of g is in it, and so much before it.
class InlinedLoopTest : public testing::Test {
 protected:
  InlinedLoopTest() : profile_(read_coded(loop_profile({}))), folded_(fold_graph(profile_.graph, 0, false)) {
    profile_.code.inlined = {{"g", 0, 3, 20, 0}};
    for (FunctionCode& piece : profile_.code.functions)
      if (profile_.graph.name(piece.function) == "f") code_ = &piece;
    for (const size_t row : {1, 2, 3}) code_->rows.at(row).inlined = 1;
  }
  std::optional<CauseLoop> found(std::string_view callee = "g") const {
    for (uint32_t f = 0; f < folded_.functions.size(); ++f)
      if (folded_.functions[f].name == "f") return find_inlined_loop(folded_, profile_.code, f, callee);
    return std::nullopt;
  }

  CodedProfile profile_;
  FoldedGraph folded_;
  FunctionCode* code_ = nullptr;
};

TEST_F(InlinedLoopTest, NearlyAllOfTheCodeIsInIt) {
  const auto loop = found();
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->file, "a.c");
  EXPECT_EQ(loop->first_line, 6u);
  EXPECT_EQ(loop->last_line, 8u);
  EXPECT_EQ(loop->address, 0x2004u);
  EXPECT_EQ(loop->depth, 1);
}

TEST_F(InlinedLoopTest, ATenthMayLieOutside) {
  code_->rows[0].inlined = 1;
  code_->self[0] = 34;
  EXPECT_TRUE(found()) << "310 of 344";
  code_->self[0] = 35;
  EXPECT_FALSE(found()) << "and of 345";
}

TEST_F(InlinedLoopTest, OnlyTheCalleesOwnCodeCounts) {
  EXPECT_FALSE(found("h")) << "none of it";
  profile_.code.inlined.push_back({"h", 0, 9, 30, 0});
  code_->rows[0].inlined = 2;
  code_->self[0] = 1000;
  EXPECT_TRUE(found());
  EXPECT_FALSE(found("h")) << "it lies before the loop";
  profile_.code.inlined.clear();
  for (CodeRow& row : code_->rows) row.inlined = 0;
  EXPECT_FALSE(found()) << "not known";
}

TEST(PlaceInLoopTest, ACalleeThatWasInlinedIsInTheLoop) {
  Cause cause;
  const CauseLoop loop{"scan.c", 9, 11, 0x40, 2};
  cause.facts = fact::SelfCost{.function = "`f`"};
  place_in_loop(cause, loop);
  EXPECT_FALSE(cause.loop) << "nothing was inlined";
  cause.facts = fact::Inlined{.caller = "`f`", .callee = "`g`", .callee_is_known = false};
  place_in_loop(cause, loop);
  EXPECT_FALSE(cause.loop) << "or it is not known what";
  cause.facts = fact::Inlined{.caller = "`f`", .callee = "`g`", .own = 24, .calls = -35, .count = 2};
  place_in_loop(cause, loop);
  EXPECT_EQ(cause_sentence(cause), "`g` is now inlined into the loop at scan.c:9-11 in `f` (2 calls, -5.5 each)");
  ASSERT_TRUE(cause.loop);
  EXPECT_EQ(cause.loop->first_line, 9u);
  EXPECT_EQ(cause.loop->depth, 2);
}

}  // namespace
}  // namespace icount
