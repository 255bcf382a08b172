// Causes inside a function that one call says better: explain/retold_calls.h.
#include "icount/explain/retold_calls.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

Cause cause(CauseKind kind, int64_t delta, const std::string& callee, const std::string& text) {
  Cause made;
  made.kind = kind;
  made.delta = delta;
  made.text = text;
  (kind == CauseKind::kCalls ? made.caller : made.function) = "scan";
  made.callee = callee;
  return made;
}

Cause call(int64_t delta, const std::string& callee) {
  return cause(CauseKind::kCalls, delta, callee, "`scan` calls `" + callee + "`");
}

TEST(RetoldCallsTest, ABranchThatComesToOneCallIsThatCall) {
  const std::vector<Cause> found =
      retell_calls({call(1000, "grow"), cause(CauseKind::kOwnCost, 20, "", "own")},
                   {cause(CauseKind::kBranch, 800, "", "a branch goes there"), call(150, "grow"),
                    cause(CauseKind::kIterations, 70, "", "a loop iterates")},
                   1020);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, CauseKind::kCalls);
  EXPECT_EQ(found[0].callee, "grow");
  EXPECT_EQ(found[0].delta, 1020);
  EXPECT_EQ(found[0].text, "`scan` calls `grow`; a branch goes there");
  EXPECT_EQ(found[0].inside.size(), 3u);
}

TEST(RetoldCallsTest, ALoopSaysMoreThanTheCallInIt) {
  const std::vector<Cause> found = retell_calls(
      {call(1000, "grow")}, {cause(CauseKind::kIterations, 900, "", "a loop iterates"), call(100, "grow")}, 1000);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].kind, CauseKind::kIterations);
}

TEST(RetoldCallsTest, ACallThatIsOnlyAPartLeavesTheBranch) {
  const std::vector<Cause> found = retell_calls({call(1000, "grow"), cause(CauseKind::kOwnCost, 500, "", "own")},
                                                {cause(CauseKind::kBranch, 1500, "", "a branch goes there")}, 1500);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, CauseKind::kBranch);
}

TEST(RetoldCallsTest, CallsFromSeveralPlacesAreOne) {
  const std::vector<Cause> found =
      retell_calls({call(900, "copy"), call(950, "free")},
                   {call(500, "copy"), call(480, "free"), call(400, "copy"), call(470, "free")}, 1850);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].delta, 900);
  EXPECT_EQ(found[0].callee, "copy");
  EXPECT_EQ(found[0].inside.size(), 2u);
  EXPECT_EQ(found[1].delta, 950);
}

TEST(RetoldCallsTest, SwappedSidesChangeSigns) {
  const std::vector<Cause> there =
      retell_calls({call(1000, "grow")}, {cause(CauseKind::kBranch, 700, "", "b"), call(300, "grow")}, 1000);
  const std::vector<Cause> back =
      retell_calls({call(-1000, "grow")}, {cause(CauseKind::kBranch, -700, "", "b"), call(-300, "grow")}, -1000);
  ASSERT_EQ(there.size(), back.size());
  for (size_t i = 0; i < there.size(); ++i) EXPECT_EQ(there[i].delta, -back[i].delta);
}

}  // namespace
}  // namespace icount
