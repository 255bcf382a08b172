// What many share is one cause: shared callees, dispatched calls, recursions and cycles that grew.
#include "icount/explain/explain.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "icount/explain/claims/relations.h"
#include "icount/report/cause_sentence.h"
#include "joined_pair.h"
#include "support/graph_builder.h"
#include "support/written_flow.h"

namespace icount {
namespace {

/// Four functions that main calls ten times each, and that call `callee`, the first of them once more than the others.
CostGraph four_callers(const std::string& callee, int64_t cost_of_callee) {
  GraphBuilder graph;
  graph.function("main", 100);
  for (int f = 0; f < 4; ++f) {
    const std::string caller = fmt::format("f{}", f);
    graph.function(caller, 1000);
    const int64_t calls = f == 0 ? 11 : 10;
    graph.calls("main", caller, 10, 1000 + (callee.empty() ? 0 : calls * cost_of_callee));
    if (!callee.empty()) graph.calls(caller, callee, calls, calls * cost_of_callee);
  }
  if (!callee.empty()) graph.function(callee, 41 * cost_of_callee);
  return graph.graph();
}

TEST(HeadedSumsTest, ACalleeThatManyGainIsOneCause) {
  const Explanation found = explain(four_callers("", 0), four_callers("lock", 50), {});
  ASSERT_EQ(found.causes.size(), 1u);
  EXPECT_EQ(found.causes[0].kind, CauseKind::kSum);
  EXPECT_EQ(found.causes[0].function, "lock");
  EXPECT_EQ(found.causes[0].delta, 2050);
  EXPECT_EQ(found.causes[0].inside.size(), 4u);
  EXPECT_EQ(cause_sentence(found.causes[0]), "4 functions now call `lock` (41 calls at 50 each), most often `f0`");
}

TEST(HeadedSumsTest, ACalleeThatTakesAnothersPlaceIsOneCause) {
  // Other costs and callees, so that the one is no other name of the other.
  CostGraph base = four_callers("spin", 5000), head = four_callers("wait_in_kernel", 50);
  const Explanation found = explain(base, head, {});
  ASSERT_EQ(found.causes.size(), 1u);
  EXPECT_EQ(found.causes[0].kind, CauseKind::kSum);
  EXPECT_EQ(found.causes[0].delta, 41 * (50 - 5000));
  EXPECT_EQ(found.causes[0].inside.size(), 8u);
  EXPECT_EQ(cause_sentence(found.causes[0]),
            "4 functions call `wait_in_kernel` in place of `spin` (41 calls, 50 each, was 5,000), most often `f0`");
  const Explanation swapped = explain(head, base, {});
  ASSERT_EQ(swapped.causes.size(), 1u);
  EXPECT_EQ(swapped.causes[0].delta, 41 * (5000 - 50));
}

TEST(HeadedSumsTest, TwoCallersOfEqualPartsSayItTogether) {
  const auto graph = [](const std::string& sum_of, int64_t cost) {
    GraphBuilder built;
    built.function("main", 100).function("pack", 1000).function("unpack", 1000).function(sum_of, 2 * cost);
    built.calls("main", "pack", 1, 1000 + cost).calls("main", "unpack", 1, 1000 + cost);
    return built.calls("pack", sum_of, 1, cost).calls("unpack", sum_of, 1, cost).graph();
  };
  const Explanation found = explain(graph("crc_by_instruction", 700), graph("sum_by_table", 90000), {});
  ASSERT_EQ(found.causes.size(), 1u);
  EXPECT_EQ(found.causes[0].kind, CauseKind::kSum);
  EXPECT_EQ(found.causes[0].function, "sum_by_table");
  EXPECT_EQ(found.causes[0].delta, found.delta);
}

/// put and print call grow, which costs 100 a call.
CostGraph growing(int64_t by_put, int64_t by_print) {
  GraphBuilder graph;
  graph.function("main", 100).function("put", 500).function("print", 500).function("grow", 100 * (by_put + by_print));
  graph.calls("main", "put", 1000, 500 + 100 * by_put).calls("main", "print", 1000, 500 + 100 * by_print);
  if (by_put > 0) graph.calls("put", "grow", by_put, 100 * by_put);
  if (by_print > 0) graph.calls("print", "grow", by_print, 100 * by_print);
  return graph.graph();
}

TEST(HeadedSumsTest, OneCallerMayHaveMostOfItWhereItCallsOnBothSides) {
  const auto kinds = [](const CostGraph& base, const CostGraph& head) {
    std::vector<std::pair<CauseKind, int64_t>> found;
    for (const Cause& cause : explain(base, head, {}).causes) found.emplace_back(cause.kind, cause.delta);
    return found;
  };
  using Kinds = std::vector<std::pair<CauseKind, int64_t>>;
  EXPECT_EQ(kinds(growing(10, 1), growing(860, 151)), (Kinds{{CauseKind::kSum, 100'000}})) << "850 and 150";
  EXPECT_EQ(kinds(growing(860, 151), growing(10, 1)), (Kinds{{CauseKind::kSum, -100'000}}));
  EXPECT_EQ(kinds(growing(10, 1), growing(920, 91)), (Kinds{{CauseKind::kCalls, 91'000}, {CauseKind::kCalls, 9'000}}));
  EXPECT_EQ(kinds(growing(0, 1), growing(850, 151)), (Kinds{{CauseKind::kCalls, 85'000}, {CauseKind::kCalls, 15'000}}))
      << "a call that is new tells of its caller";
}

/// main calls `render` once, whose six parts work `sections` times.
CostGraph rendered(int64_t sections, int64_t extra_of_last = 0) {
  GraphBuilder graph;
  graph.function("main", 500).function("render", 100 * sections);
  int64_t below = 100 * sections;
  for (int part = 0; part < 6; ++part) {
    const std::string name = fmt::format("part{}", part);
    const int64_t self = sections * (1000 + 10 * part) + (part == 5 ? extra_of_last : 0);
    graph.function(name, self);
    // Each part is called once and loops inside, so that no number of calls says it.
    graph.calls("render", name, 1, self);
    below += self;
  }
  graph.calls("main", "render", 1, below);
  return graph.graph();
}

TEST(HeadedSumsTest, AllThatIsBelowOneFunctionInProportionIsOneCause) {
  const Explanation found = explain(rendered(40), rendered(80), {});
  ASSERT_EQ(found.causes.size(), 1u);
  EXPECT_EQ(found.causes[0].kind, CauseKind::kSum);
  EXPECT_EQ(found.causes[0].function, "render");
  EXPECT_EQ(found.causes[0].delta, found.delta);
  EXPECT_EQ(found.causes[0].inside.size(), 7u);
  EXPECT_EQ(cause_sentence(found.causes[0]), "`render` does 2 times the work, callees included");
}

/// `work` calls itself and `look` for each of its calls; `logs`: and writes of each on one side only.
CostGraph recursion(int64_t inner, int64_t looks, bool logs = false, int64_t outer = 10) {
  GraphBuilder graph;
  const int64_t all = outer + inner, below = 20 * all + 100 * looks + (logs ? 900 * all : 0);
  graph.function("main", 100).function("work", 20 * all).function("look", 100 * looks);
  if (logs) graph.function("log", 900 * all).calls("work", "log", all, 900 * all);
  graph.calls("main", "work", outer, below);
  if (inner > 0) graph.calls("work", "work", inner, below);
  return graph.calls("work", "look", looks, 100 * looks).graph();
}

TEST(HeadedSumsTest, ARecursionThatGrewIsToldWithAllThatItCalls) {
  const Explanation found = explain(recursion(200, 100), recursion(600, 350), {});
  ASSERT_FALSE(found.causes.empty());
  const Cause& first = found.causes.front();
  EXPECT_EQ(first.kind, CauseKind::kSum);
  EXPECT_EQ(first.function, "work");
  EXPECT_EQ(first.delta, found.delta);
  EXPECT_EQ(cause_sentence(first), "`work` recurses more: 610 calls, was 210 (other changes in it included)");
}

TEST(HeadedSumsTest, AFunctionThatOnlyNowCallsItselfIsToldWithAllThatItCalls) {
  const CostGraph once = recursion(0, 100, false, 100), again = recursion(200, 300, true, 100);
  const Explanation found = explain(once, again, {}), back = explain(again, once, {});
  ASSERT_EQ(found.causes.size(), 1u);
  EXPECT_EQ(found.causes[0].kind, CauseKind::kSum);
  EXPECT_EQ(found.causes[0].delta, found.delta);
  EXPECT_EQ(cause_sentence(found.causes[0]),
            "`work` is now recursive: 300 calls, was 100 (other changes in it included)");
  ASSERT_EQ(back.causes.size(), 1u);
  EXPECT_EQ(cause_sentence(back.causes[0]),
            "`work` is no longer recursive: 100 calls, was 300 (other changes in it included)");
}

/// `loop` calls `dispatch`, which calls `cheap` 400 times and `dear` as often as is said.
CostGraph dispatched(int64_t dear) {
  GraphBuilder graph;
  graph.function("main", 10).function("loop", 100).function("dispatch", 5 * (400 + dear));
  graph.function("cheap", 400 * 10).function("dear", dear * 3000).function("deep", dear * 700);
  const int64_t below = 5 * (400 + dear) + 4000 + dear * 3700;
  graph.calls("main", "loop", 1, 100 + below).calls("loop", "dispatch", 400 + dear, below);
  graph.calls("dispatch", "cheap", 400, 4000).calls("dispatch", "dear", dear, dear * 3700);
  return graph.calls("dear", "deep", dear, dear * 700).graph();
}

TEST(HeadedSumsTest, ACallThroughADispatcherIsOneCause) {
  const Explanation found = explain(dispatched(40), dispatched(100), {});
  ASSERT_FALSE(found.causes.empty());
  const Cause& first = found.causes.front();
  EXPECT_EQ(first.kind, CauseKind::kCalls);
  EXPECT_EQ(first.caller, "dispatch");
  EXPECT_EQ(first.callee, "dear");
  EXPECT_NEAR(static_cast<double>(first.delta), 60 * 3700, 0.01 * 60 * 3700) << cause_sentence(first);
  EXPECT_TRUE(cause_sentence(first).ends_with(" 100 times, was 40, at 3,713 each, for `loop`"))
      << cause_sentence(first);
}

/// a, b and c call g and h; what is called and how often is given by hand.
GraphBuilder callers() {
  GraphBuilder graph;
  for (const std::string caller : {"a", "b", "c"})
    graph.function(caller, 10).calls("main", caller, 1).calls(caller, "g", 1).calls(caller, "h", 1);
  return graph.function("main", 1).function("g", 5).function("h", 7);
}

class SharedCalleeTextTest : public testing::Test {
 protected:
  SharedCalleeTextTest() : pair_(callers(), callers()) { pair_.flow.figures.terms.clear(); }
  /// One more caller of the sum.
  void add(const std::string& caller, const std::string& callee, const BothSides& calls) {
    const uint32_t edge = pair_.edge(caller, callee);
    pair_.flow.condensed.graph.edges[edge].calls = calls;
    sum_.terms.push_back(static_cast<uint32_t>(pair_.flow.figures.terms.size()));
    pair_.flow.figures.terms.push_back({TermKind::kCalls, edge, 1});
  }
  std::string text() {
    sum_.node = pair_.node("g");
    return sentence(shared_callee_facts(pair_.source(), sum_));
  }

  JoinedPair pair_;
  HeadedSum sum_;
};

TEST_F(SharedCalleeTextTest, OfTwoThatCallAsOftenNoneDoesMost) {
  add("a", "g", {0, 5});
  add("b", "g", {0, 5});
  EXPECT_EQ(text(), "2 functions now call `g` (10 calls)");
}

TEST(GrownCycleTextTest, ItsLargestPartsHaveTheirAmounts) {
  Cause cause{.delta = 14, .facts = fact::GrownCycle{"`a`"}};
  const auto call = [](std::string callee, int64_t delta) {
    return Cause{.kind = CauseKind::kCalls,
                 .delta = delta,
                 .facts = fact::Calls{.caller = "`a`", .callee = std::move(callee), .calls = {0, 1}}};
  };
  cause.inside = {{.delta = 9, .facts = fact::MemberCost{"`a`"}}, call("`g`", 6), call("`h`", -1)};
  EXPECT_EQ(cause_sentence(cause),
            "`a` costs more; +9 of it: itself; +6 of it: now calls `g` once; -1 of "
            "it: now calls `h` once");
  cause.inside.push_back(call("`i`", 0));
  EXPECT_EQ(cause_words(cause).further.size(), 3u);
  cause.delta = -14;
  EXPECT_EQ(cause_words(cause).main, "`a` costs less");
}

TEST_F(SharedCalleeTextTest, LostByMany) {
  add("a", "g", {4, 0});
  add("b", "g", {3, 0});
  EXPECT_EQ(text(), "2 functions no longer call `g` (7 calls), most often `a`");
}

/// main calls f ten times in base and 30 times in head with what it calls itself; a call costs 2, and 5 in head.
class GrownRecursionTextTest : public testing::Test {
 protected:
  static GraphBuilder recursion(int64_t inner, int64_t each) {
    GraphBuilder graph;
    graph.function("main", 1).function("f", each * (10 + inner)).function("g", 3);
    return graph.calls("main", "f", 10).calls("f", "f", inner).calls("f", "g", 1);
  }
  static std::string text(const GraphBuilder& base, const GraphBuilder& head, bool with_g = false) {
    JoinedPair pair(base, head);
    pair.flow.figures.terms = {{TermKind::kOwnCost, pair.node("f"), 1},
                               {TermKind::kCalls, pair.edge("f", "f"), 1},
                               {TermKind::kCalls, pair.edge("f", "g"), 1}};
    HeadedSum sum{pair.node("f"), {0, 1}};
    if (with_g) sum.terms = {1, 2};
    return sentence(grown_recursion_facts(pair.source(), sum));
  }
};

TEST_F(GrownRecursionTextTest, MoreOftenAndDearer) {
  EXPECT_EQ(text(recursion(10, 2), recursion(20, 5)),
            "`f` recurses more: 30 calls, was 20; a call itself costs 5, was 2");
  EXPECT_EQ(text(recursion(2000, 5), recursion(10, 2)),
            "`f` recurses less: 20 calls, was 2,010; a call itself costs 2, was 5");
}

TEST(LongerLoopTextTest, ByWhichFactorAndWithHowMany) {
  JoinedPair pair(callers(), callers());
  const uint32_t node = pair.node("a");
  pair.flow.condensed.graph.nodes[node].self = {2000, 5000};
  EXPECT_EQ(sentence(longer_loop_facts(pair.source(), {node, {0, 1, 2}})),
            "`a` does 2.5 times the work: 5,000 itself, was 2,000, and 2 callees in proportion");
  EXPECT_EQ(sentence(longer_loop_facts(pair.source(), {node, {0, 1}})),
            "`a` does 2.5 times the work: 5,000 itself, was 2,000, and 1 callee in proportion");
}

using Positions = std::vector<uint32_t>;

/// Terms of each sum of callees that are shared.
std::vector<Positions> shared(const std::vector<WrittenTerm>& terms) {
  const OpenedFlow flow = flow_of(6, terms);
  std::vector<Positions> found;
  for (const HeadedSum& sum : find_shared_callees(flow, none(flow))) found.push_back(sum.terms);
  return found;
}

constexpr TermKind kCalls = TermKind::kCalls, kOwn = TermKind::kOwnCost;

/// Callers of function 3 that call it so many times instead of five; own cost of another function beside.
std::vector<Positions> called_more(const std::vector<int64_t>& calls, long double elsewhere) {
  std::vector<WrittenTerm> terms = {{kOwn, 5, 0, {1, 2}, elsewhere}};
  const uint32_t callers[] = {0, 1, 2, 4};
  for (size_t i = 0; i < calls.size(); ++i) terms.push_back({kCalls, callers[i], 3, {5, calls[i]}, 50});
  return shared(terms);
}

TEST(SharedCalleesTest, TwiceAsManyCallsByThreeCountWhereNothingSaysAsMuch) {
  EXPECT_EQ(called_more({10, 10, 10}, 149), (std::vector<Positions>{{1, 2, 3}}));
  EXPECT_TRUE(called_more({10, 10, 10}, 150).empty()) << "another term is as large";
  EXPECT_TRUE(called_more({10, 10, 9}, 10).empty()) << "not twice as often";
  EXPECT_TRUE(called_more({10, 10}, 10).empty()) << "two callers";
  EXPECT_EQ(called_more({10, 50, 50}, 10), (std::vector<Positions>{{2, 3}})) << "ten times as often says it";
}

TEST(DispatchedCallsTest, OneCallThatLeadsToSeveralIsNoDispatch) {
  const auto found = [](long double another, BothSides calls) {
    const OpenedFlow flow =
        flow_of(5, {{kCalls, 1, 2, {0, 100}, 50}, {kCalls, 2, 3, {0, 100}, 50}, {kCalls, 2, 4, calls, another}});
    return find_dispatched_calls(flow, none(flow)).size();
  };
  EXPECT_EQ(found(9, {5, 105}), 1u) << "less than a fifth of the call";
  EXPECT_EQ(found(10, {5, 105}), 0u);
  EXPECT_EQ(found(40, {5, 110}), 1u) << "not as many more";
}

/// Terms of the sum about function 1, which is called so often and costs itself and by two calls so much more.
std::vector<Positions> grown(long double own, long double first, long double second,
                             std::array<long double, 2> calls = {5, 5}, long double elsewhere = 0) {
  OpenedFlow flow = flow_of(5, {{kCalls, 1, 2, {5, 9}, first},
                                {kCalls, 1, 3, {5, 9}, second},
                                {kOwn, 1, 0, {100, 200}, own},
                                {kOwn, 4, 0, {1, 2}, elsewhere}});
  for (size_t side = 0; side < 2; ++side) flow.figures.sides[side].calls = {1, calls[side], 1, 1, 1};
  std::vector<Positions> found;
  for (const HeadedSum& sum : find_grown_functions(flow, none(flow))) found.push_back(sum.terms);
  return found;
}

TEST(GrownFunctionsTest, MostlyOwnCostAndItsCallsGoAlong) {
  EXPECT_EQ(grown(70, 20, 10), (std::vector<Positions>{{2, 0, 1}})) << "its own cost first";
  EXPECT_TRUE(grown(69, 20, 11).empty()) << "calls are nearly a third";
  EXPECT_EQ(grown(90, 5, 5), (std::vector<Positions>{{2, 0, 1}}));
  EXPECT_TRUE(grown(91, 4, 5).empty()) << "own cost says it";
  EXPECT_EQ(grown(-70, -20, -10), (std::vector<Positions>{{2, 0, 1}}));
  EXPECT_TRUE(grown(80, 21, -1).empty()) << "a call goes against it";
  EXPECT_TRUE(grown(70, 20, 10, {5, 6}).empty()) << "called more often";
  EXPECT_TRUE(grown(70, 20, 10, {0, 0}).empty());
  EXPECT_FALSE(grown(70, 20, 10, {1, 1}).empty()) << "called once";
  EXPECT_EQ(grown(70, 20, 10, {5, 5}, 500), (std::vector<Positions>{{2, 0, 1}}));
  EXPECT_TRUE(grown(70, 20, 10, {5, 5}, 501).empty()) << "less than a fifth of the largest term";
}

/// Terms of the sum about a cycle (1), which is called so often: own cost and three calls.
std::vector<Positions> grown_cycle(long double own, const std::array<long double, 3>& by_calls,
                                   std::array<long double, 2> calls = {5, 5}, long double elsewhere = 0) {
  OpenedFlow flow = flow_of(6, {{kOwn, 1, 0, {100, 200}, own},
                                {kCalls, 1, 2, {5, 9}, by_calls[0]},
                                {kCalls, 1, 3, {5, 9}, by_calls[1]},
                                {kCalls, 1, 4, {5, 9}, by_calls[2]},
                                {kOwn, 5, 0, {1, 2}, elsewhere}});
  flow.condensed.members[1] = {1, 6};
  for (size_t side = 0; side < 2; ++side) flow.figures.sides[side].calls = {1, calls[side], 1, 1, 1, 1};
  std::vector<Positions> found;
  for (const HeadedSum& sum : find_grown_cycles(flow, none(flow))) found.push_back(sum.terms);
  return found;
}

TEST(GrownCyclesTest, AllAboutARecursionWentOneWay) {
  EXPECT_EQ(grown_cycle(30, {40, 20, 10}), (std::vector<Positions>{{0, 1, 2, 3}}));
  EXPECT_EQ(grown_cycle(-30, {-40, -20, -10}), (std::vector<Positions>{{0, 1, 2, 3}}));
  EXPECT_TRUE(grown_cycle(20, {61, 9, 10}).empty()) << "one term says it";
  EXPECT_EQ(grown_cycle(30, {50, 20, -4}), (std::vector<Positions>{{0, 1, 2, 3}})) << "104 in magnitudes, 96 together";
  EXPECT_TRUE(grown_cycle(30, {50, 20, -5}).empty()) << "105 and 95";
  EXPECT_TRUE(grown_cycle(30, {40, 0, 0}).empty()) << "two terms";
  EXPECT_FALSE(grown_cycle(30, {40, 20, 10}, {1, 1}).empty()) << "called once";
  EXPECT_TRUE(grown_cycle(30, {40, 20, 10}, {5, 6}).empty()) << "called more often";
  EXPECT_EQ(grown_cycle(30, {40, 20, 10}, {5, 5}, 99), (std::vector<Positions>{{0, 1, 2, 3}}));
  EXPECT_TRUE(grown_cycle(30, {40, 20, 10}, {5, 5}, 100).empty()) << "another term is as large";
}

/// Functions 1 and 2 call each other; 0 calls 1. Whether they are told apart.
bool is_opened(BothSides self_of_1, BothSides self_of_2) {
  FlowGraph graph;
  graph.nodes.resize(3);
  graph.nodes[0].entries = {1, 1};
  graph.nodes[1].self = self_of_1;
  graph.nodes[2].self = self_of_2;
  graph.edges = {{0, 1, {10, 10}, {}}, {1, 2, {20, 20}, {}}, {2, 1, {10, 10}, {}}};
  index_edges(graph);
  const OpenedFlow flow = decompose_with_leading_clusters_open(graph);
  return flow.condensed.node_of[1] != flow.condensed.node_of[2];
}

TEST(ClusterOpeningTest, ACycleWhoseInsideCancelsIsClosedAgain) {
  EXPECT_TRUE(is_opened({1000, 3000}, {3000, 3000}));
  EXPECT_TRUE(is_opened({1000, 3000}, {3000, 2200})) << "2,000 and -800: magnitudes 2.3 times their sum";
  EXPECT_FALSE(is_opened({1000, 3000}, {3000, 2100})) << "2,000 and -900: 2.6 times";
  EXPECT_FALSE(is_opened({3000, 1000}, {2100, 3000})) << "the other way round";
}

/// A flow of so many functions whose edges and terms are given; nothing else of it is looked at.
struct GivenFlow {
  explicit GivenFlow(uint32_t nodes) {
    flow.condensed.graph.nodes.resize(nodes);
    for (uint32_t i = 0; i < nodes; ++i) {
      flow.condensed.node_of.push_back(i);
      flow.condensed.members.push_back({i});
    }
  }
  /// A call with its term.
  GivenFlow& call(uint32_t caller, uint32_t callee, const BothSides& calls, long double value) {
    flow.condensed.graph.edges.push_back({caller, callee, calls, {}});
    const auto edge = static_cast<uint32_t>(flow.condensed.graph.edges.size() - 1);
    flow.figures.terms.push_back({TermKind::kCalls, edge, value});
    return *this;
  }
  GivenFlow& own(uint32_t node, long double value) {
    flow.figures.terms.push_back({TermKind::kOwnCost, node, value});
    return *this;
  }
  GivenFlow& entry(uint32_t node, long double value) {
    flow.figures.terms.push_back({TermKind::kEntry, node, value});
    return *this;
  }
  std::vector<bool> none() const { return std::vector<bool>(flow.figures.terms.size(), false); }

  OpenedFlow flow;
};

using Terms = std::vector<uint32_t>;

/// The terms of the only sum; none where there is no sum.
Terms only(const std::vector<HeadedSum>& sums) {
  EXPECT_LE(sums.size(), 1u);
  return sums.empty() ? Terms{} : sums[0].terms;
}
Terms shared_of(const GivenFlow& of) { return only(find_shared_callees(of.flow, of.none())); }

TEST(LargestTermTest, WithoutItsSign) {
  EXPECT_EQ(largest_term(GivenFlow(1).own(0, 5).own(0, -7).entry(0, 6).flow), 7);
  EXPECT_EQ(least_sum(GivenFlow(1).own(0, -50).flow), 10);
  EXPECT_EQ(largest_term(GivenFlow(1).flow), 0);
}

TEST(SharedCalleesTest, TwoCallersAtLeast) {
  EXPECT_EQ(shared_of(GivenFlow(3).call(0, 2, {0, 5}, 50).call(1, 2, {0, 5}, 50)), (Terms{0, 1}));
  EXPECT_EQ(shared_of(GivenFlow(3).call(0, 2, {0, 5}, 50)), Terms{});
  EXPECT_EQ(shared_of(GivenFlow(4).call(0, 2, {0, 5}, 50).call(1, 3, {0, 5}, 50)), Terms{}) << "of one function";
  EXPECT_EQ(shared_of(GivenFlow(3).call(0, 2, {0, 5}, 50).call(1, 2, {5, 0}, 50)), Terms{}) << "on one side";
}

TEST(SharedCalleesTest, AFifthOfTheLargestTermAtLeast) {
  const auto beside = [](long double largest) {
    return shared_of(GivenFlow(3).call(0, 2, {0, 5}, 50).call(1, 2, {0, 5}, 50).own(0, largest)).size();
  };
  EXPECT_EQ(beside(500), 2u);
  EXPECT_EQ(beside(501), 0u);
  EXPECT_EQ(beside(-501), 0u);
}

/// 0 calls the dispatcher 1 more often, which calls 2.
struct Dispatched {
  BothSides of_dispatcher = {100, 200}, of_callee = {100, 200};
  long double first = 500, second = 500;
};
std::vector<DispatchedCalls> dispatched_of(const Dispatched& calls, long double largest = 0) {
  GivenFlow of = GivenFlow(3).call(0, 1, calls.of_dispatcher, calls.first).call(1, 2, calls.of_callee, calls.second);
  if (largest != 0) of.own(0, largest);
  return find_dispatched_calls(of.flow, of.none());
}

TEST(DispatchedCallsTest, OneCallToldInTwoTerms) {
  const std::vector<DispatchedCalls> found = dispatched_of({});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].by, 0u);
  EXPECT_EQ(found[0].through, 1u);
  EXPECT_EQ(found[0].terms, (Terms{0, 1}));
  EXPECT_EQ(dispatched_of({.of_dispatcher = {200, 100}, .of_callee = {200, 100}, .first = -500, .second = -500}).size(),
            1u);
}

TEST(DispatchedCallsTest, AsManyTimesMore) {
  EXPECT_EQ(dispatched_of({.of_callee = {100, 202}}).size(), 1u) << "to a fiftieth";
  EXPECT_EQ(dispatched_of({.of_callee = {100, 203}}).size(), 0u);
  EXPECT_EQ(dispatched_of({.of_callee = {100, 198}}).size(), 1u);
  EXPECT_EQ(dispatched_of({.of_callee = {100, 197}}).size(), 0u);
  EXPECT_EQ(dispatched_of({.of_callee = {200, 100}}).size(), 0u) << "fewer";
}

TEST(DispatchedCallsTest, BothTermsMatterAndGoTheSameWayAsTheCalls) {
  EXPECT_EQ(dispatched_of({.first = 950, .second = 50}).size(), 1u) << "a twentieth of both";
  EXPECT_EQ(dispatched_of({.first = 951, .second = 49}).size(), 0u);
  EXPECT_EQ(dispatched_of({.first = 49, .second = 951}).size(), 0u);
  EXPECT_EQ(dispatched_of({.first = 500, .second = -500}).size(), 0u);
  EXPECT_EQ(dispatched_of({.first = -500, .second = -500}).size(), 0u) << "more calls cost more";
}

TEST(DispatchedCallsTest, AFifthOfTheLargestTermAtLeast) {
  EXPECT_EQ(dispatched_of({}, 5000).size(), 1u);
  EXPECT_EQ(dispatched_of({}, 5001).size(), 0u);
  EXPECT_EQ(dispatched_of({.first = 98, .second = 902}, 5000).size(), 0u) << "calls below a tenth of that";
  EXPECT_EQ(dispatched_of({.first = 100, .second = 900}, 5000).size(), 1u);
}

/// Node 0 calls itself, costs more itself, and calls 1 on both sides and 2 on one.
struct Grown {
  long double own = 0, itself = 0, other = 0, one_sided = 0;
  BothSides inner = {10, 20};
};
Terms grown_of(const Grown& of, long double largest = 0, size_t members = 1) {
  GivenFlow given = GivenFlow(3)
                        .own(0, of.own)
                        .call(0, 0, of.inner, of.itself)
                        .call(0, 1, {10, 20}, of.other)
                        .call(0, 2, {0, 20}, of.one_sided);
  if (largest != 0) given.own(1, largest);
  for (uint32_t i = 1; i < members; ++i) given.flow.condensed.members[0].push_back(i);
  return only(find_grown_recursions(given.flow, given.none()));
}

TEST(GrownRecursionsTest, ItsOwnCostAndItsCallsOfItself) {
  EXPECT_EQ(grown_of({.own = 90, .itself = 10}), (Terms{0, 1})) << "a tenth each at least";
  EXPECT_EQ(grown_of({.own = 91, .itself = 9}), Terms{});
  EXPECT_EQ(grown_of({.own = -90, .itself = -10}), (Terms{0, 1}));
  EXPECT_EQ(grown_of({.own = 90, .itself = -10}), Terms{});
}

TEST(GrownRecursionsTest, WithAllThatItCallsWhereItsCallsOfItselfAreMostOfIt) {
  const Terms all = {0, 1, 2, 3};
  EXPECT_EQ(grown_of({.own = 30, .itself = 50, .other = 20}), all) << "half";
  EXPECT_EQ(grown_of({.own = 31, .itself = 49, .other = 20}), (Terms{0, 1}));
  EXPECT_EQ(grown_of({.itself = 95, .other = 5}), all) << "the rest is a twentieth";
  EXPECT_EQ(grown_of({.itself = 96, .other = 4}), Terms{});
  EXPECT_EQ(grown_of({.itself = -80, .other = -20}), all);
  EXPECT_EQ(grown_of({.itself = 125, .other = -25}), all) << "terms come to one and a half of their sum";
  EXPECT_EQ(grown_of({.itself = 126, .other = -26}), Terms{});
  EXPECT_EQ(grown_of({.itself = -60, .other = 200}), Terms{}) << "against the sum";
}

TEST(GrownRecursionsTest, ACallThatOneSideAloneMakesIsAnotherReason) {
  EXPECT_EQ(grown_of({.itself = 90, .one_sided = 10}).size(), 4u) << "a tenth";
  EXPECT_EQ(grown_of({.itself = 89, .one_sided = 11}), Terms{});
  EXPECT_EQ(grown_of({.own = 20, .itself = 69, .one_sided = 11}), (Terms{0, 1}));
  EXPECT_EQ(grown_of({.itself = 89, .other = 11}).size(), 4u);
}

TEST(GrownRecursionsTest, AFifthOfTheLargestTermAtLeast) {
  EXPECT_EQ(grown_of({.own = 50, .itself = 50}, 500).size(), 4u);
  EXPECT_EQ(grown_of({.own = 50, .itself = 50}, 501), Terms{});
  EXPECT_EQ(grown_of({.own = 60, .itself = 40}, 500).size(), 2u);
  EXPECT_EQ(grown_of({.own = 60, .itself = 40}, 501), Terms{});
}

TEST(GrownRecursionsTest, NeitherACycleNorWhatIsTaken) {
  EXPECT_EQ(grown_of({.own = 50, .itself = 50}, 0, 2), Terms{});
  const GivenFlow of = GivenFlow(1).own(0, 50).call(0, 0, {10, 20}, 50).entry(0, 70);
  EXPECT_EQ(only(find_grown_recursions(of.flow, of.none())), (Terms{0, 1})) << "entries are not its own";
  EXPECT_EQ(only(find_grown_recursions(of.flow, {false, true, false})), Terms{});
  EXPECT_EQ(only(find_grown_recursions(of.flow, {true, false, false})), Terms{});
}

/// Functions 1 and 2 call each other, both 3, and 0 the first; the terms and rates of the inner calls are given.
struct Inner {
  long double there = 100, back = 50;
  std::array<long double, 2> rate = {1, 1.1L};  ///< of the calls of 2 by 1
  BothSides calls = {10, 11};
};

OpenedFlow flow_of(const Inner& inner) {
  OpenedFlow flow;
  FlowGraph& graph = flow.condensed.graph;
  graph.nodes.resize(4);
  graph.nodes[1].self = {10, 10};
  graph.nodes[2].self = {20, 1};
  graph.edges = {{0, 1, {1, 1}, {}}, {1, 2, inner.calls, {}}, {2, 1, {9, 10}, {}}, {2, 3, {5, 9}, {}}};
  index_edges(graph);
  for (const size_t side : {0, 1})
    flow.figures.sides[side].calls_per_call = {1, inner.rate[side], side == 0 ? 0.9L : 0.95L, 1};
  flow.figures.fixed_calls.assign(4, false);
  flow.figures.terms = {{TermKind::kOwnCost, 1, 1000},
                        {TermKind::kCalls, 1, inner.there},
                        {TermKind::kCalls, 2, inner.back},
                        {TermKind::kCalls, 3, 2000}};
  return flow;
}
Terms deeper(const Inner& inner) {
  const std::vector<DeeperCluster> found = find_deeper_clusters(flow_of(inner));
  EXPECT_LE(found.size(), 1u);
  return found.empty() ? Terms{} : found[0].terms;
}

TEST(DeeperClusterTest, CallsInsideThatAllMovedALittleAreOneCause) {
  const std::vector<DeeperCluster> found = find_deeper_clusters(flow_of({}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].terms, (Terms{1, 2})) << "neither own cost nor calls that leave it";
  EXPECT_EQ(found[0].members, (std::vector<uint32_t>{2, 1})) << "the costliest first";
  EXPECT_EQ(deeper({.there = 50, .back = 100}), (Terms{2, 1})) << "the largest first";
  EXPECT_EQ(deeper({.there = -100, .back = -50}), (Terms{1, 2}));
}

TEST(DeeperClusterTest, WhatMovedByMoreThanATenthIsAChangeOfItsOwn) {
  EXPECT_EQ(deeper({.rate = {1, 1.11L}}).size(), 2u) << "0.11 of 1.11";
  EXPECT_EQ(deeper({.rate = {1, 1.12L}}).size(), 0u);
  EXPECT_EQ(deeper({.rate = {1.12L, 1}}).size(), 0u);
  EXPECT_EQ(deeper({.calls = {0, 11}}).size(), 0u) << "that one side does not make";
  EXPECT_EQ(deeper({.calls = {10, 0}}).size(), 0u);
}

TEST(DeeperClusterTest, TermsBelowATwentiethDoNotDecide) {
  EXPECT_EQ(deeper({.there = 100, .back = -4}), (Terms{1, 2}));
  EXPECT_EQ(deeper({.there = 100, .back = -6}), Terms{});
  EXPECT_EQ(deeper({.there = 4, .back = 100, .rate = {1, 2}}), Terms{2}) << "but what moved far is told by itself";
}

/// main calls a ten times; a, b and, where that is said, c call each other so often.
GraphBuilder recursive_cycle(int64_t inner, bool with_c = false) {
  GraphBuilder graph =
      GraphBuilder().function("main", 1).function("a", 50).function("b", 9).function("c", with_c ? 5 : 0);
  graph.calls("main", "a", 10).calls("a", "b", inner).calls("b", "a", inner);
  return with_c ? graph.calls("b", "c", inner).calls("c", "b", 2) : graph;
}

std::string text(int64_t base, int64_t head, bool with_c = false) {
  JoinedPair pair(recursive_cycle(base, with_c), recursive_cycle(head, with_c));
  const Components components = flow_components(pair.joined.flow);
  pair.flow.condensed = condense(pair.joined.flow, components, std::vector<bool>(components.count(), true));
  ClusterFactors factors;
  pair.flow.figures = decompose_on_average(pair.flow.condensed.graph, factors);
  pair.flow.figures.terms = {{TermKind::kCalls, pair.edge("a", "b"), 1}};
  DeeperCluster cluster{{pair.node("a"), pair.node("b")}, {0}};
  if (with_c) cluster.members.push_back(pair.node("c"));
  EXPECT_EQ(deeper_cluster_label(pair.source(), cluster), with_c ? "cycle of a and 2 more" : "cycle of a and 1 more");
  return sentence(deeper_cluster_facts(pair.source(), cluster));
}

TEST(DeeperClusterTextTest, CallsForEachFromOutside) {
  EXPECT_EQ(
      text(20, 1000),
      "`a` and `b` call each other more: 201 calls for each call from outside, was 5 (2,010 in all, was 50); mostly "
      "`a` calling `b`");
  EXPECT_EQ(
      text(1000, 20),
      "`a` and `b` call each other less: 5 calls for each call from outside, was 201 (50 in all, was 2,010); mostly "
      "`a` calling `b`");
  EXPECT_TRUE(
      text(20, 40, true)
          .starts_with("`a` and 2 other functions call each other more: 13.2 calls for each call from outside,"));
}

}  // namespace
}  // namespace icount
