// The sentence of every change inside an opened function, made from figures that are given.
#include "icount/explain/inside/inside_causes.h"
#include "icount/report/cause_sentence.h"

#include <gtest/gtest.h>

#include <numeric>

#include "written_code.h"

namespace icount {
namespace {

constexpr auto kBody = InsideKind::kBody, kEntry = InsideKind::kEntry, kIteration = InsideKind::kIteration,
               kBlock = InsideKind::kBlock, kCallee = InsideKind::kCallee;

/// A function of which line 9 is the body, lines 10 and 11 a loop, line 12 behind it; one term is given.
class InsideCausesTest : public testing::Test {
 protected:
  InsideCausesTest() : function_(side(), side()) {
    opened().regions.resize(2);
    opened().regions[1] = {.loops = {{{0}, {0}}}, .entries = {20, 20}, .iterations = {200, 200}};
    opened().region_of_loop = {{{1}, {1}}};
  }
  static WrittenSide side() { return {{{9, 5}, {10, 50, 0}, {11, 50, 0}, {12, 5}}, {{20, 200}}}; }
  OpenedFunction& opened() { return function_.opened; }

  std::vector<InsideCause> causes() const {
    const InsideSource source{.opened = function_.opened,
                              .of_callee = function_.of_callee,
                              .graph = graph_,
                              .figures = figures_,
                              .function = "`scan`",
                              .function_field = "scan",
                              .callees = {{0, {"`g`", "g"}}, {1, {"`malloc`", "malloc"}}, {2, {"`free`", "free"}}},
                              .loops = {"", "loop at a.c:10-11"},
                              .file = "src/a.c",
                              .object = "prog",
                              .in_total = in_total_};
    return make_inside_causes(source);
  }
  /// Nodes that are run ten times in base and twenty times in head.
  void set_nodes(std::vector<InsideNode> nodes) {
    graph_.nodes = std::move(nodes);
    for (const size_t side : {0, 1}) {
      figures_.times[side].assign(graph_.nodes.size(), side == 0 ? 10 : 20);
      figures_.own_cost[side].assign(graph_.nodes.size(), 5);
      figures_.worth[side].assign(graph_.nodes.size(), 3);
      figures_.further_times[side].clear();
    }
    figures_.order.resize(graph_.nodes.size());
    std::iota(figures_.order.begin(), figures_.order.end(), 0u);
    figures_.node_terms.assign(graph_.nodes.size(), 0);
    graph_.edges.clear();
    figures_.edge_terms.clear();
    for (auto& rates : figures_.rates) rates.clear();
  }
  void add_edge(uint32_t from, uint32_t to, const BothSides& times, const std::array<long double, 2>& rates,
                long double term = 7, bool is_share = false) {
    graph_.edges.push_back({from, to, times, is_share});
    figures_.edge_terms.push_back(term);
    for (const size_t side : {0, 1}) {
      figures_.rates[side].push_back(rates[side]);
      figures_.further_times[side].push_back(side == 1 ? further_ : 0);
    }
  }
  /// The only cause of one edge from one node to another.
  Cause of_edge(InsideNode from, InsideNode to, const BothSides& times, const std::array<long double, 2>& rates) {
    set_nodes({{kBody, 0, {}}, from, to});
    const uint32_t at = from.kind == kBody ? 0 : 1;
    add_edge(at, 2, times, rates);
    const std::vector<InsideCause> found = causes();
    if (found.size() != 1) return {.facts = fact::Said{"not one cause"}};
    EXPECT_EQ(found[0].value, 7);
    return found[0].cause;
  }

  WrittenFunction function_;
  InsideGraph graph_;
  InsideFigures figures_;
  long double further_ = 0;  ///< of edges that are added: what head does beside what is common
  bool in_total_ = false;
};

TEST_F(InsideCausesTest, ALoopIteratesMoreOften) {
  const Cause found = of_edge({kEntry, 1, {}}, {kIteration, 1, {}}, {100, 400}, {10, 20});
  EXPECT_EQ(found.kind, CauseKind::kIterations);
  EXPECT_EQ(cause_sentence(found),
            "the loop at a.c:10-11 in `scan` runs 20 times per entry, was 10 (20 entries, was 10)");
  opened().shapes[1].loops[0].knot = true;
  EXPECT_EQ(cause_sentence(of_edge({kEntry, 1, {}}, {kIteration, 1, {}}, {100, 20}, {10, 1})),
            "the loop at a.c:10-11 in `scan` dispatches once per entry, was 10 (20 entries, was 10)");
}

TEST_F(InsideCausesTest, ALoopIsEnteredMoreOften) {
  const InsideNode body{kBody, 0, {}}, entry{kEntry, 1, {}};
  const Cause found = of_edge(body, entry, {10, 20}, {1, 2});
  EXPECT_EQ(found.kind, CauseKind::kLoopEntry);
  EXPECT_EQ(cause_sentence(found), "the loop at a.c:10-11 in `scan` is entered 20 times, was 10");
  EXPECT_EQ(cause_sentence(of_edge(body, entry, {0, 20}, {0, 2})),
            "the loop at a.c:10-11 in `scan` is now entered 20 times (twice per call)");
  Cause gone = of_edge(body, entry, {20, 0}, {2, 0});
  gone.delta = -600;
  EXPECT_EQ(cause_sentence(gone), "the loop at a.c:10-11 in `scan` is no longer entered (was 20 times, at 30 each)");
  EXPECT_EQ(cause_sentence(of_edge(body, entry, {20, 0}, {2, 0})),
            "the loop at a.c:10-11 in `scan` is no longer entered (was 20 times)");
  in_total_ = true;
  EXPECT_EQ(cause_sentence(of_edge(body, entry, {10, 20}, {1, 3})),
            "the loop at a.c:10-11 in `scan` is entered 20 times, was 10");
  in_total_ = false;
  EXPECT_EQ(cause_sentence(of_edge(body, entry, {10, 20}, {1, 4})),
            "the loop at a.c:10-11 in `scan` is entered 20 times, was 10 (4 per call, was 1)")
      << "fewer calls, so that the entries alone are not in proportion";
}

TEST_F(InsideCausesTest, ALoopThatIteratesMoreAndIsEnteredMoreOftenIsToldOnce) {
  const auto told = [&](long double of_entry, long double of_turns, BothSides entries = {10, 20}) {
    graph_.edges.clear();
    figures_ = {};
    set_nodes({{kBody, 0, {}}, {kEntry, 1, {}}, {kIteration, 1, {}}});
    add_edge(0, 1, entries, {1, 2});
    add_edge(1, 2, {100, 400}, {10, 20});
    figures_.edge_terms = {of_entry, of_turns};
    std::vector<std::pair<CauseKind, int64_t>> kinds;
    for (const InsideCause& one : causes()) kinds.emplace_back(one.cause.kind, static_cast<int64_t>(one.value));
    return kinds;
  };
  using Kinds = std::vector<std::pair<CauseKind, int64_t>>;
  EXPECT_EQ(told(300, 700), (Kinds{{CauseKind::kIterations, 1000}}));
  EXPECT_EQ(told(-700, -700), (Kinds{{CauseKind::kIterations, -1400}}));
  EXPECT_EQ(told(701, 700).size(), 2u) << "being entered more often is the larger part";
  EXPECT_EQ(told(-300, 700).size(), 2u) << "they go against each other";
  EXPECT_EQ(told(300, 700, {0, 20}).size(), 2u) << "only one side enters it";
}

TEST_F(InsideCausesTest, ALoopOfAnInlinedFunctionIsToldWithItsCall) {
  for (const uint32_t i : {1, 2}) opened().shapes[1].flow.instructions[i].inlined = 2;
  const InsideNode body{kBody, 0, {}}, entry{kEntry, 1, {}};
  EXPECT_EQ(cause_sentence(of_edge(body, entry, {0, 20}, {0, 2})),
            "the loop at a.c:10-11 in `alpha` (inlined at line 20) is now entered 20 times (twice per call)");
}

TEST_F(InsideCausesTest, ARunOfAStatementIsNoIteration) {
  opened().regions[1].measuring = true;
  EXPECT_EQ(cause_sentence(of_edge({kIteration, 1, {}}, {kEntry, 1, {}}, {0, 20}, {0, 1})),
            "the loop at a.c:10-11 is now entered 20 times (once per run)");
  EXPECT_EQ(cause_sentence(of_edge({kIteration, 1, {}}, {kCallee, 0, {}}, {0, 20}, {0, 1})),
            "the statement now calls `g` 20 times (once per run)");
}

TEST_F(InsideCausesTest, CallsByTheBodyAndByIterations) {
  const InsideNode body{kBody, 0, {}}, iteration{kIteration, 1, {}}, g{kCallee, 0, {}};
  const Cause found = of_edge(body, g, {10, 30}, {1, 3});
  EXPECT_EQ(found.kind, CauseKind::kCalls);
  EXPECT_EQ(found.function, "");
  EXPECT_EQ(found.caller, "scan");
  EXPECT_EQ(found.callee, "g");
  EXPECT_EQ(cause_sentence(found), "`scan` calls `g` 30 times, was 10 (3 per call, was 1)");
  EXPECT_EQ(cause_sentence(of_edge(body, g, {30, 20}, {3, 2})),
            "`scan` calls `g` 20 times, was 30 (2 per call, was 3)");
  EXPECT_EQ(cause_sentence(of_edge(iteration, g, {1, 3}, {2, 3})),
            "the loop at a.c:10-11 in `scan` calls `g` 3 times per iteration, was 2 (3 calls, was 1)");
  EXPECT_EQ(cause_sentence(of_edge(iteration, g, {0, 3000}, {0, 1})),
            "the loop at a.c:10-11 in `scan` now calls `g` 3,000 times (once per iteration)");
  EXPECT_EQ(cause_sentence(of_edge(iteration, g, {3000, 0}, {1, 0})),
            "the loop at a.c:10-11 in `scan` no longer calls `g` (3,000 calls, once per iteration)");
  EXPECT_EQ(cause_sentence(of_edge(iteration, g, {30, 60}, {3, 3})),
            "`g` costs more when the loop at a.c:10-11 in `scan` calls it (60 calls, was 30)");
  EXPECT_EQ(cause_sentence(of_edge(body, g, {30, 30}, {3, 1})), "`scan` calls `g` once per call, was 3 (30 calls)");
  Cause priced = of_edge(iteration, g, {10, 60}, {1, 2});
  priced.delta = 500;
  EXPECT_EQ(cause_sentence(priced),
            "the loop at a.c:10-11 in `scan` calls `g` about 10 more times, at 50 each (twice per iteration, was 1)")
      << "ten iterations of both sides made 10 calls more";
}

/// Branches from one node to two blocks, at terms of `first` and `second`; the shares of the first are 20 and 60 %.
class BranchTest : public InsideCausesTest {
 protected:
  void branch(InsideNode from, long double first, long double second, uint32_t target = 1) {
    set_nodes({{kBody, 0, {}}, from, {kBlock, target, {}}, {kBlock, 3, {}}});
    const uint32_t at = from.kind == kBody ? 0 : 1;
    add_edge(at, 2, {2, 12}, {0.2L, 0.6L}, first, true);
    add_edge(at, 3, {8, 8}, {0.8L, 0.4L}, second, true);
  }
  std::string text() const { return causes().size() == 1 ? cause_sentence(causes()[0].cause) : "not one cause"; }
};

TEST_F(BranchTest, TheWayThatGainedMostInTheDirectionOfAllIsTold) {
  branch({kBlock, 0, {}}, 3, -10);
  EXPECT_EQ(text(), "the branch at a.c:9 in `scan` goes to line 12 40 % of the time, was 80 % (20 times, was 10)");
  branch({kBlock, 0, {}}, 5, 5);
  EXPECT_EQ(text(), "the branch at a.c:9 in `scan` goes to line 12 40 % of the time, was 80 % (20 times, was 10)")
      << "of equals the later one";
  branch({kBlock, 0, {}}, 5, -5);
  EXPECT_TRUE(causes().empty()) << "they come to nothing";
}

TEST_F(BranchTest, ToABlockThatLeadsToALoopAloneIsToldOfTheLoop) {
  set_nodes({{kBody, 0, {}}, {kBlock, 0, {}}, {kBlock, 1, {}}, {kBlock, 3, {}}, {kEntry, 1, {}}});
  add_edge(1, 2, {2, 12}, {0.2L, 0.6L}, 10, true);
  add_edge(1, 3, {8, 8}, {0.8L, 0.4L}, -3, true);
  add_edge(2, 4, {2, 12}, {1, 1}, 0, true);
  EXPECT_EQ(text(), "the loop at a.c:10-11 in `scan` is entered 12 times, was 2");
}

TEST_F(BranchTest, InALoop) {
  branch({kBlock, 1, {}}, 10, -3, 2);
  EXPECT_EQ(text(),
            "the branch at a.c:10 in `scan` (in the loop at a.c:10-11) goes to line 11 60 % of the time, was 20 % (20 "
            "times, was 10)");
  EXPECT_TRUE(causes().at(0).cause.loop);
}

TEST_F(BranchTest, BehindALoopAndAtTheBeginning) {
  branch({kEntry, 1, {}}, 10, -3, 3);
  EXPECT_EQ(text(), "the loop at a.c:10-11 in `scan` ends at line 12 60 % of the time, was 20 %");
  EXPECT_FALSE(causes().at(0).cause.loop) << "it happens around the loop";
  branch({kBody, 0, {}}, 10, -3, 3);
  EXPECT_EQ(text(), "`scan` begins at line 12 60 % of the time, was 20 %");
  branch({kIteration, 1, {}}, 10, -3);
  EXPECT_EQ(text(), "the loop at a.c:10-11 in `scan` begins at line 10 60 % of the time, was 20 %");
}

TEST_F(InsideCausesTest, OwnCostOfABodyAndOfItsInlinedParts) {
  set_nodes({{kBody, 0, {}}});
  EXPECT_TRUE(causes().empty()) << "no term, no cause";
  figures_.own_cost = {std::vector<long double>{10.0L / 10}, {40.0L / 20}};
  figures_.node_terms = {30};
  ASSERT_EQ(causes().size(), 1u);
  EXPECT_EQ(causes()[0].value, 30);
  EXPECT_TRUE(cause_sentence(causes()[0].cause).starts_with("`scan` outside its loops costs 2 per call, was 1"));
  // Line 12 is of an inlined function, which costs 5 in base and 45 in head.
  opened().has_names = true;
  for (const size_t side : {0, 1}) opened().shapes[side].flow.instructions[3].inlined = 3;
  opened().shapes[1].flow.instructions[3].self = 45;
  figures_.own_cost = {std::vector<long double>{1}, {2.5L}};
  const std::vector<InsideCause> parts = causes();
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(cause_sentence(parts[0].cause).substr(0, 14), "`scan` without");
  EXPECT_TRUE(cause_sentence(parts[1].cause)
                  .starts_with("`omega` (inlined into `scan` at line 40) costs 2.25 per call of `scan`, was 0.5"))
      << cause_sentence(parts[1].cause);
  EXPECT_NEAR(static_cast<double>(parts[0].value + parts[1].value), 30, 1e-9);
  EXPECT_NEAR(static_cast<double>(parts[1].value), 30 * 1.75 / 1.5, 1e-9);
}

TEST_F(InsideCausesTest, WhereTheLoopIsOfTheInlinedFunctionItsPartIsTheLoops) {
  opened().has_names = true;
  for (const size_t side : {0, 1})
    for (Instruction& one : opened().shapes[side].flow.instructions) one.inlined = 3;
  set_nodes({{kBody, 0, {}}, {kIteration, 1, {}}});
  opened().shapes[1].flow.instructions[1].self = opened().shapes[1].flow.instructions[2].self = 200;
  figures_.own_cost = {std::vector<long double>{0, 10}, {0, 20}};
  figures_.node_terms = {0, 100};
  ASSERT_EQ(causes().size(), 1u);
  EXPECT_TRUE(cause_sentence(causes()[0].cause)
                  .starts_with("the loop at a.c:10-11 in `omega` (inlined into `scan`) costs 20 per iteration, was 10"))
      << cause_sentence(causes()[0].cause);
}

TEST_F(InsideCausesTest, TheOrderIsThatOfTheParts) {
  set_nodes({{kBody, 0, {}}, {kIteration, 1, {}}, {kEntry, 1, {}}, {kCallee, 0, {}}});
  figures_.node_terms = {1, 2, 3, 0};
  add_edge(0, 3, {1, 2}, {1, 2}, 4);
  add_edge(0, 2, {1, 2}, {1, 2}, 5);
  std::vector<int> values;
  for (const InsideCause& one : causes()) values.push_back(static_cast<int>(one.value));
  EXPECT_EQ(values, (std::vector<int>{1, 5, 4, 3, 2})) << "body first, then entries before iterations";
}

TEST_F(InsideCausesTest, ALoopHasItsSelfCostAndItsCallsAsParts) {
  set_nodes({{kBody, 0, {}}, {kEntry, 1, {}}, {kIteration, 1, {}}, {kCallee, 0, {}}, {kCallee, 1, {}}});
  further_ = 2;
  add_edge(1, 2, {10, 30}, {1, 3}, 2 * (5 + 4 * 3 + 3));
  further_ = 0;
  add_edge(2, 3, {40, 120}, {4, 4}, 0);
  add_edge(2, 4, {10, 30}, {1, 1}, 0);
  const std::vector<InsideCause> found = causes();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].cause.kind, CauseKind::kIterations);
  const std::vector<InsideCause>& parts = found[0].parts;
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].cause.kind, CauseKind::kOwnCost);
  EXPECT_EQ(parts[0].cause.function, "scan");
  EXPECT_EQ(parts[0].value, 10);
  EXPECT_EQ(parts[1].cause.kind, CauseKind::kCalls);
  EXPECT_EQ(parts[1].cause.caller, "scan");
  EXPECT_EQ(parts[1].cause.callee, "g");
  EXPECT_EQ(cause_sentence(parts[1].cause), "8 more calls of `g`");
  EXPECT_EQ(parts[1].value, 24);
  EXPECT_EQ(parts[2].cause.callee, "malloc");
  EXPECT_EQ(parts[2].value, 6);
  EXPECT_EQ(found[0].value, parts[0].value + parts[1].value + parts[2].value);
}

TEST_F(InsideCausesTest, CallsOfNextToNothingAreNoParts) {
  set_nodes({{kBody, 0, {}}, {kEntry, 1, {}}, {kIteration, 1, {}}, {kCallee, 0, {}}});
  further_ = 1;
  add_edge(1, 2, {10, 30}, {1, 3}, 5 + 3 * 0.01L);
  further_ = 0;
  add_edge(2, 3, {1, 3}, {0.01L, 0.01L}, 0);
  ASSERT_EQ(causes().size(), 1u);
  EXPECT_TRUE(causes()[0].parts.empty());
}

}  // namespace
}  // namespace icount
