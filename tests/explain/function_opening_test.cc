// Causes that are exchanged for those inside a function, and calls that are told with the loop or branch that makes
// them.
#include "icount/explain/inside/function_opening.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "icount/explain/claims/claims.h"
#include "icount/explain/match/match.h"
#include "icount/report/cause_sentence.h"
#include "loop_profile.h"
#include "support/random_code.h"

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

/// main calls f, which costs 3 a call on three lines and calls g from the first one.
struct Program {
  int64_t calls_of_f = 10, calls_of_g = 10, self_of_f = 30, price_of_g = 7;
};

std::string profile(const Program& of) {
  const int64_t own = of.self_of_f / 3, g = of.calls_of_g * of.price_of_g;
  std::string text = "creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\n\nob=prog\nfl=a.c\n";
  text += fmt::format("fn=main\n0x100 1 5\ncfn=f\ncalls={} 0x2000 5\n0x100 1 {}\n\n", of.calls_of_f, of.self_of_f + g);
  text += fmt::format("fn=f\n0x2000 5 {}\n", own);
  if (of.calls_of_g > 0) text += fmt::format("cfn=g\ncalls={} 0x3000 20\n0x2000 5 {}\n", of.calls_of_g, g);
  text += fmt::format("0x2004 6 {}\njump={} 0x2008 7\n0x2004 6\n", own, own);
  text += fmt::format("0x2008 7 {}\n\n", of.self_of_f - 2 * own);
  if (of.calls_of_g > 0) text += fmt::format("fn=g\n0x3000 20 {}\n\n", g);
  return text + fmt::format("totals: {}\n", 5 + of.self_of_f + g);
}

class InsideOpeningTest : public testing::Test {
 protected:
  void join(const Program& base, const Program& head) {
    profiles_ = {read_coded(profile(base)), read_coded(profile(head))};
    for (const size_t side : {0, 1}) folded_[side] = fold_graph(profiles_[side].graph, 0, false);
    joined_ = join_graphs(folded_[0], folded_[1], match_functions(folded_[0], folded_[1], true));
    flow_ = decompose_with_leading_clusters_open(joined_.flow);
    for (const size_t side : {0, 1}) {
      callees_[side].clear();
      for (const uint32_t node : joined_.node_of[side]) callees_[side].push_back(flow_.condensed.node_of[node]);
    }
  }
  uint32_t node(std::string_view name) const {
    for (uint32_t i = 0; i < joined_.functions.size(); ++i)
      if (joined_.functions[i].name == name) return flow_.condensed.node_of[i];
    return ~uint32_t{0};
  }
  uint32_t edge(std::string_view caller, std::string_view callee) const {
    const auto& edges = flow_.condensed.graph.edges;
    for (uint32_t e = 0; e < edges.size(); ++e)
      if (edges[e].caller == node(caller) && edges[e].callee == node(callee)) return e;
    return ~uint32_t{0};
  }
  InsideOpening opened() {
    InsideOpening one(joined_, flow_, callees_, node("f"));
    one.open(joined_, {&profiles_[0].code, &profiles_[1].code});
    return one;
  }
  /// What is told of f as a whole.
  long double told() const {
    long double sum = 0;
    for (const Term& term : flow_.figures.terms)
      if (term.kind != TermKind::kEntry && node_of(flow_.condensed.graph, term) == node("f")) sum += term.value;
    return sum;
  }

  std::array<CodedProfile, 2> profiles_;
  std::array<FoldedGraph, 2> folded_;
  JoinedGraph joined_;
  OpenedFlow flow_;
  CalleeNodes callees_;
};

TEST_F(InsideOpeningTest, TwoMoreOrLessAreRounding) {
  join({}, {});
  EXPECT_TRUE(opened().solve(0));
  EXPECT_TRUE(opened().solve(2));
  EXPECT_TRUE(opened().solve(-2));
  EXPECT_FALSE(opened().solve(3));
}

TEST_F(InsideOpeningTest, CallsOfOneSideCostWhatTheirTermSays) {
  join({.calls_of_g = 0}, {});
  EXPECT_EQ(told(), 70);
  for (Term& term : flow_.figures.terms)
    if (term.kind == TermKind::kCalls && term.index == edge("f", "g")) term.value = 140;  // what was recorded
  InsideOpening one = opened();
  ASSERT_TRUE(one.solve(140));
  EXPECT_NEAR(static_cast<double>(one.sum_of_terms()), 140, 1e-9);
  join({}, {.calls_of_g = 0});
  for (Term& term : flow_.figures.terms)
    if (term.kind == TermKind::kCalls && term.index == edge("f", "g")) term.value = -210;
  InsideOpening back = opened();
  ASSERT_TRUE(back.solve(-210));
  EXPECT_NEAR(static_cast<double>(back.sum_of_terms()), -210, 1e-9);
}

TEST_F(InsideOpeningTest, PricesThatAreToldWithTheCallsChangeInside) {
  join({}, {.price_of_g = 9});
  EXPECT_EQ(told(), 0) << "the callee's own";
  EXPECT_TRUE(opened().solve(0));
  flow_.figures.joined_prices[edge("f", "g")] = {7, 12};
  InsideOpening one = opened();
  ASSERT_TRUE(one.solve(50));
  EXPECT_NEAR(static_cast<double>(one.sum_of_terms()), 10 * 5, 1e-9);
  for (const std::array<long double, 2>& prices : {std::array<long double, 2>{0, 12}, {7, 0}}) {
    flow_.figures.joined_prices[edge("f", "g")] = prices;
    EXPECT_FALSE(opened().solve(50)) << "both sides have one, or none has";
    EXPECT_TRUE(opened().solve(0));
  }
}

TEST_F(InsideOpeningTest, WhatDoesNotScaleIsToldInTotal) {
  // Called ten times as often, it costs 60 in all instead of 30: per call it fell from 3 to 0.6.
  join({}, {.calls_of_f = 100, .self_of_f = 60});
  flow_.figures.fixed_self[node("f")] = true;
  InsideOpening total = opened();
  ASSERT_TRUE(total.solve(30));
  EXPECT_TRUE(total.in_total());
  EXPECT_NEAR(static_cast<double>(total.sum_of_terms()), 30, 1e-9);
  flow_.figures.fixed_self[node("f")] = false;
  InsideOpening per_call = opened();
  ASSERT_TRUE(per_call.solve(30)) << "in total, where per call it does not come to that";
  EXPECT_TRUE(per_call.in_total());
}

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

std::vector<std::string> texts(const std::vector<Cause>& causes) {
  std::vector<std::string> found;
  for (const Cause& cause : causes) found.push_back(cause_sentence(cause));
  return found;
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
  EXPECT_EQ(said(950), std::vector<std::string>{"own; more: +1,050, the rest -950"});
  EXPECT_EQ(said(951), std::vector<std::string>{"own"});
}

Cause own(int64_t delta) { return cause(CauseKind::kOwnCost, delta, "", "own"); }
Cause loop(int64_t delta) { return cause(CauseKind::kIterations, delta, "", "a loop iterates"); }
Cause costs(int64_t delta) { return cause(CauseKind::kIterationCost, delta, "", "an iteration costs"); }

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
  EXPECT_EQ(said(251), (std::vector<std::string>{"`scan` calls `feed`; a loop iterates: +1,251, the rest -791",
                                                 "`scan` calls `reply`", "own"}));
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
