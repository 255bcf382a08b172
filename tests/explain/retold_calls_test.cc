// Causes inside a function that one call says better: explain/inside/function_opening.h.
#include "icount/explain/inside/function_opening.h"
#include "icount/report/cause_sentence.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

Cause cause(CauseKind kind, int64_t delta, const std::string& callee, const std::string& text) {
  Cause made;
  made.kind = kind;
  made.delta = delta;
  made.facts = fact::Said{text};
  (kind == CauseKind::kCalls ? made.caller : made.function) = "scan";
  made.callee = callee;
  made.line = 7;
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
  EXPECT_EQ(cause_sentence(found[0]), "`scan` calls `grow`; a branch goes there");
  EXPECT_EQ(found[0].inside.size(), 3u);
}

TEST(RetoldCallsTest, ALoopWithoutALineDoesNotSayWhere) {
  const auto kind_told = [](uint64_t first_line) {
    Cause loop = cause(CauseKind::kIterations, 1000, "", "a loop iterates");
    loop.loop = CauseLoop{.file = "scan.c", .first_line = first_line, .last_line = first_line};
    return retell_calls({cause(CauseKind::kOwnCost, 1000, "", "own")}, {loop}, 1000).at(0).kind;
  };
  EXPECT_EQ(kind_told(1), CauseKind::kIterations);
  EXPECT_EQ(kind_told(0), CauseKind::kOwnCost);
}

TEST(RetoldCallsTest, ABranchWithoutALineDoesNotSayWhere) {
  const auto kind_told = [](CauseKind kind, uint64_t line) {
    Cause inside = cause(kind, 1000, "", "inside");
    inside.line = line;
    return retell_calls({cause(CauseKind::kOwnCost, 1000, "", "own")}, {inside}, 1000).at(0).kind;
  };
  EXPECT_EQ(kind_told(CauseKind::kBranch, 1), CauseKind::kBranch);
  EXPECT_EQ(kind_told(CauseKind::kBranch, 0), CauseKind::kOwnCost);
  EXPECT_EQ(kind_told(CauseKind::kIterations, 0), CauseKind::kIterations) << "of a loop that is not told";
}

TEST(RetoldCallsTest, ALoopIsToldWithTheCallInIt) {
  const std::vector<Cause> found = retell_calls(
      {call(1000, "grow")}, {cause(CauseKind::kIterations, 900, "", "a loop iterates"), call(100, "grow")}, 1000);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, CauseKind::kCalls);
  EXPECT_EQ(cause_sentence(found[0]), "`scan` calls `grow`; a loop iterates");
  EXPECT_EQ(found[0].inside.size(), 2u);
}

TEST(RetoldCallsTest, ALoopIsToldWithTheSumOfAllThatItDoes) {
  const auto found =
      retell_calls({cause(CauseKind::kSum, 1000, "", "does the same 5 times as often"), call(10, "grow")},
                   {cause(CauseKind::kIterations, 1010, "", "a loop iterates")}, 1010);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, CauseKind::kSum);
  EXPECT_EQ(cause_sentence(found[0]), "does the same 5 times as often; a loop iterates");
}

TEST(RetoldCallsTest, CallsThatComeToTheSameInsideAreToldBeside) {
  const auto found = retell_calls({cause(CauseKind::kOwnCost, 1000, "", "own"), call(80, "check")},
                                  {cause(CauseKind::kIterations, 600, "", "a loop iterates"), call(50, "check"),
                                   cause(CauseKind::kIterationCost, 400, "", "an iteration costs"), call(30, "check")},
                                  1080);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].callee, "check");
  EXPECT_EQ(found[0].delta, 80);
  EXPECT_EQ(found[0].inside.size(), 2u);
  EXPECT_EQ(cause_sentence(found[1]), "own; a loop iterates");
  EXPECT_EQ(found[1].delta, 1000);
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

std::vector<std::string> texts(const std::vector<Cause>& causes) {
  std::vector<std::string> found;
  for (const Cause& cause : causes) found.push_back(cause_sentence(cause));
  return found;
}

TEST(RetoldCallsTest, ACallIsAllThatChangedWhereItComesToItButForATenth) {
  const auto told = [](int64_t of_call) {
    return retell_calls({call(of_call, "grow")}, {cause(CauseKind::kBranch, 800, "", "a branch")}, 1000).size() == 1 &&
           retell_calls({call(of_call, "grow")}, {cause(CauseKind::kBranch, 800, "", "a branch")}, 1000)[0].callee ==
               "grow";
  };
  EXPECT_TRUE(told(900));
  EXPECT_TRUE(told(1100));
  const auto is_joined = [](int64_t of_call) {
    const auto found = retell_calls({call(of_call, "grow"), cause(CauseKind::kOwnCost, 1000 - of_call, "", "own")},
                                    {cause(CauseKind::kBranch, 800, "", "a branch")}, 1000);
    return found.size() == 1 && found[0].delta == 1000;
  };
  EXPECT_TRUE(is_joined(900));
  EXPECT_TRUE(is_joined(1100));
  EXPECT_FALSE(is_joined(899));
  EXPECT_FALSE(is_joined(1101));
}

TEST(RetoldCallsTest, ABranchIsToldWithTheCallFromHalfOfItOn) {
  const auto text = [](int64_t of_branch) {
    return cause_sentence(
        retell_calls({call(1000, "grow")}, {cause(CauseKind::kBranch, of_branch, "", "a branch")}, 1000).at(0));
  };
  EXPECT_EQ(text(500), "`scan` calls `grow`; a branch");
  EXPECT_EQ(text(499), "`scan` calls `grow`");
  EXPECT_EQ(text(-800), "`scan` calls `grow`") << "it goes the other way";
}

TEST(RetoldCallsTest, WhereCallsAreThreeQuartersOfTheChangeBranchesSayLess) {
  const auto said = [](int64_t calls) {
    return texts(retell_calls(
        {call(calls / 2, "grow"), call(calls - calls / 2, "walk"), cause(CauseKind::kOwnCost, 1000 - calls, "", "own")},
        {cause(CauseKind::kBranch, 700, "", "a branch"), call(300, "walk")}, 1000));
  };
  EXPECT_EQ(said(750), (std::vector<std::string>{"`scan` calls `grow`", "`scan` calls `walk`", "own"}));
  EXPECT_EQ(said(749), (std::vector<std::string>{"a branch", "`scan` calls `walk`"}));
}

TEST(RetoldCallsTest, PartsThatCancelTwentyfoldSayLess) {
  const auto said = [](int64_t part) {
    return texts(retell_calls(
        {cause(CauseKind::kOwnCost, 100, "", "own")},
        {cause(CauseKind::kIterations, 100 + part, "", "more"), cause(CauseKind::kIterations, -part, "", "fewer")},
        100));
  };
  EXPECT_EQ(said(950), std::vector<std::string>{"own; more: +1,050 by itself"});
  EXPECT_EQ(said(951), std::vector<std::string>{"own"});
}

TEST(RetoldCallsTest, CallsFromSeveralPlacesAreOneWithTheirSum) {
  const auto found = retell_calls({call(300, "grow"), call(400, "walk"), cause(CauseKind::kOwnCost, 300, "", "own")},
                                  {call(200, "grow"), call(150, "grow"), call(400, "walk"),
                                   cause(CauseKind::kIterations, 250, "", "a loop iterates")},
                                  1000);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].callee, "grow");
  EXPECT_EQ(found[0].delta, 350);
  EXPECT_EQ(found[0].inside.size(), 2u);
  EXPECT_EQ(found[1].callee, "walk");
  EXPECT_EQ(found[1].delta, 400);
  EXPECT_TRUE(found[1].inside.empty()) << "one place is no sum";
  EXPECT_EQ(cause_sentence(found[2]), "a loop iterates");
}

Cause own(int64_t delta) { return cause(CauseKind::kOwnCost, delta, "", "own"); }
Cause loop(int64_t delta) { return cause(CauseKind::kIterations, delta, "", "a loop iterates"); }
Cause costs(int64_t delta) { return cause(CauseKind::kIterationCost, delta, "", "an iteration costs"); }

TEST(RetoldCallsTest, OwnCostIsToldAsAWholeWhereNoPartInsideComesToIt) {
  const auto found = retell_calls({own(1000), call(20, "grow")}, {loop(2200), costs(-1180)}, 1020);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, CauseKind::kOwnCost);
  EXPECT_EQ(found[0].delta, 1020);
  EXPECT_EQ(cause_sentence(found[0]), "own; a loop iterates: +2,200 by itself");
  EXPECT_EQ(texts(found[0].inside), (std::vector<std::string>{"a loop iterates", "an iteration costs"}));
  const auto by_parts = retell_calls({own(1000), call(20, "grow")}, {loop(430), costs(450), loop(140)}, 1020);
  EXPECT_EQ(texts(by_parts), std::vector<std::string>{"own"}) << "none of them is half of it";
  EXPECT_EQ(by_parts[0].inside.size(), 3u);
}

TEST(RetoldCallsTest, SelfCostIsPlacedWhereItsLargestPartIs) {
  Cause most = loop(600);
  most.file = "walk.h";
  most.line = 33;
  const auto placed = [&](Cause whole) {
    const auto found = retell_calls({std::move(whole)}, {most, costs(400)}, 1000);
    return found.at(0).file + ":" + std::to_string(found.at(0).line);
  };
  EXPECT_EQ(placed(own(1000)), "walk.h:33");
  EXPECT_EQ(placed(call(1000, "grow")), ":7") << "a call is in its caller";
  const auto plain = retell_calls({own(1000)}, {own(600), costs(400)}, 1000);
  EXPECT_EQ(texts(plain), std::vector<std::string>{"own"}) << "self cost outside of loops says no more";
}

TEST(RetoldCallsTest, APartInsideThatComesToAllOfItSaysWhere) {
  EXPECT_EQ(texts(retell_calls({own(1000)}, {loop(900), costs(100)}, 1000)),
            (std::vector<std::string>{"a loop iterates", "an iteration costs"}));
  EXPECT_EQ(texts(retell_calls({own(1000)}, {loop(899), costs(101)}, 1000)),
            std::vector<std::string>{"own; a loop iterates"});
}

TEST(RetoldCallsTest, ACallThatIsAllIsToldWithTheLoopThatIsLess) {
  const auto found = retell_calls({call(1950, "grow"), own(50)}, {loop(1700), call(300, "grow")}, 2000);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].callee, "grow");
  EXPECT_EQ(cause_sentence(found[0]), "`scan` calls `grow`; a loop iterates");
}

TEST(RetoldCallsTest, PartsThatAreLessConcentratedThanCallsSayLess) {
  // A dispatcher's loop: its iterations are of many kinds.
  const std::vector<Cause> told = {call(790, "grow"), call(210, "walk")};
  EXPECT_EQ(texts(retell_calls(told, {call(600, "grow"), loop(400)}, 1000)),
            (std::vector<std::string>{"`scan` calls `grow`", "`scan` calls `walk`"}));
  EXPECT_EQ(texts(retell_calls(told, {loop(600), call(400, "grow")}, 1000)),
            (std::vector<std::string>{"`scan` calls `grow`; a loop iterates", "`scan` calls `walk`"}));
  EXPECT_EQ(texts(retell_calls(told, {call(775, "grow"), loop(225)}, 1000)),
            (std::vector<std::string>{"`scan` calls `grow`", "a loop iterates"}));
}

TEST(RetoldCallsTest, PartsThatCancelSayLessThanCalls) {
  const std::vector<Cause> told = {call(460, "feed"), call(460, "reply"), own(80)};
  const auto said = [&](int64_t more) { return texts(retell_calls(told, {loop(1000 + more), loop(-more)}, 1000)); };
  EXPECT_EQ(said(250), (std::vector<std::string>{"a loop iterates", "a loop iterates"}));
  EXPECT_EQ(said(251), (std::vector<std::string>{"`scan` calls `feed`; a loop iterates: +1,251 by itself",
                                                 "`scan` calls `reply`", "own"}));
}

TEST(RetoldCallsTest, APlaceWithoutALineDoesNotStandForANamedFunction) {
  Cause there = loop(1000);
  there.loop = CauseLoop{.address = 0x44e58};
  const std::vector<Cause> told = {own(650), call(350, "next")};
  EXPECT_EQ(texts(retell_calls(told, {there}, 1000)),
            (std::vector<std::string>{"own; a loop iterates: +1,000 by itself", "`scan` calls `next`"}));
  there.function = "0x0000000000044000";
  EXPECT_EQ(texts(retell_calls(told, {there}, 1000)), std::vector<std::string>{"a loop iterates"});
  there.function = "scan";
  there.loop->first_line = 9;
  EXPECT_EQ(texts(retell_calls(told, {there}, 1000)), std::vector<std::string>{"a loop iterates"});
}

TEST(RetoldCallsTest, ANewCallIsToldWithTheBranchThatLeadsToIt) {
  const std::vector<Cause> told = {call(1200, "check"), call(-200, "put")};
  const std::vector<Cause> inside = {cause(CauseKind::kBranch, 1000, "", "a branch")};
  const auto found = retell_calls(told, inside, 1000, {"check", "put"});
  EXPECT_EQ(texts(found), (std::vector<std::string>{"`scan` calls `check`; a branch", "`scan` calls `put`"}));
  ASSERT_EQ(found[0].inside.size(), 1u);
  EXPECT_EQ(found[0].inside[0].delta, 1200);
  EXPECT_EQ(texts(retell_calls(told, inside, 1000, {"put"})), std::vector<std::string>{"a branch"})
      << "both sides call it";
  EXPECT_EQ(texts(retell_calls({call(740, "check"), own(260)}, inside, 1000, {"check"})),
            std::vector<std::string>{"a branch"});
}

TEST(RetoldCallsTest, ANewCallIsToldWithTheLoopThatIsEntered) {
  const std::vector<Cause> told = {call(860, "putc"), call(-330, "put"), own(120)};
  const std::vector<Cause> inside = {cause(CauseKind::kLoopEntry, 1020, "", "now enters a loop"), call(-330, "put"),
                                     costs(-40)};
  EXPECT_EQ(texts(retell_calls(told, inside, 650, {"putc", "put"})),
            (std::vector<std::string>{"`scan` calls `putc`; now enters a loop", "`scan` calls `put`", "own"}));
  EXPECT_EQ(texts(retell_calls(told, inside, 650, {})).front(), "now enters a loop");
}

TEST(RetoldCallsTest, SelfCostAndCallsThatGrewTogetherAreOne) {
  const std::vector<Cause> inside = {loop(500), costs(300), loop(200)};
  const auto found = retell_calls({call(200, "push"), own(800)}, inside, 1000);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, CauseKind::kSum);
  EXPECT_EQ(found[0].function, "scan");
  EXPECT_EQ(
      cause_sentence(found[0]),
      "own, and the calls it makes cost more; +800 of it: itself; +200 of it: the calls it makes; a loop iterates");
  EXPECT_EQ(texts(found[0].inside),
            (std::vector<std::string>{"a loop iterates", "an iteration costs", "a loop iterates"}));
  EXPECT_EQ(retell_calls({own(699), call(301, "push")}, inside, 1000).size(), 2u) << "own cost is too little of it";
  EXPECT_EQ(retell_calls({own(800), call(300, "push"), call(-100, "pop")}, inside, 1000).size(), 3u)
      << "one call went the other way";
}

}  // namespace
}  // namespace icount
