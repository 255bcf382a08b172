// The sentences of single causes: calls, self cost, recursion, entries, other names, inlining, cycles.
#include "icount/explain/explain.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "icount/callgraph/allocations.h"
#include "icount/explain/claims/relations.h"
#include "icount/explain/claims/term_causes.h"
#include "icount/report/cause_sentence.h"
#include "joined_pair.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

std::string first_text(const GraphBuilder& base, const GraphBuilder& head) {
  const Explanation explanation = explain(base.graph(), head.graph());
  return explanation.causes.empty() ? "" : cause_sentence(explanation.causes[0]);
}

/// main calls f so often, f calls g so often; a call of g costs 100.
GraphBuilder chain(int64_t calls_of_f, int64_t calls_of_g) {
  GraphBuilder graph;
  graph.function("main", 10).function("f", 10 * calls_of_f).calls("main", "f", calls_of_f);
  return calls_of_g > 0 ? graph.function("g", 100 * calls_of_g).calls("f", "g", calls_of_g) : graph;
}

/// parse allocates so often in 1,000 calls, and what a call of malloc costs has its own function below it.
GraphBuilder allocating(int64_t allocations, const char* entry = "malloc") {
  GraphBuilder graph;
  graph.function("main", 10).function("parse", 10'000).calls("main", "parse", 1'000);
  if (allocations == 0) return graph;
  return graph.function(entry, 100 * allocations).calls("parse", entry, allocations);
}

TEST(CauseTextTest, CallsOfAnAllocatorAreAllocations) {
  EXPECT_EQ(first_text(allocating(0), allocating(3'000)),
            "`parse` now allocates with `malloc` 3,000 times, at 100 each");
  EXPECT_EQ(first_text(allocating(1'000), allocating(0)),
            "`parse` no longer allocates with `malloc` (1,000 calls at 100 each)");
  EXPECT_EQ(first_text(allocating(2'000), allocating(5'000)),
            "`parse` allocates with `malloc` 5,000 times, was 2,000, at 100 each");
  EXPECT_EQ(first_text(allocating(20), allocating(50)),
            "`parse` allocates with `malloc` 50 times, was 20, at 100 each");
  EXPECT_EQ(first_text(allocating(0, "free"), allocating(1'000, "free")),
            "`parse` now frees with `free` 1,000 times, at 100 each");
}

TEST(CauseTextTest, CausesOfAChangeInAllocations) {
  const auto text = [](int64_t base, int64_t head) {
    const Explanation explanation = explain(*make_allocation_graph(allocating(base).graph(), "allocations"),
                                            *make_allocation_graph(allocating(head).graph(), "allocations"));
    EXPECT_EQ(explanation.event, "allocations");
    EXPECT_EQ(explanation.delta, head - base);
    return cause_sentence(explanation.causes.at(0));
  };
  EXPECT_EQ(text(0, 3'000), "`parse` now allocates 3,000 times (1,000 calls)");
  EXPECT_EQ(text(1'000, 0), "`parse` no longer allocates (was 1,000 times)");
  EXPECT_EQ(text(2'000, 5'000), "`parse` allocates 5,000 times, was 2,000 (1,000 calls)");
}

TEST(CauseTextTest, CallsThatDoNotScale) {
  GraphBuilder base = chain(1000, 10), head = chain(10, 14);
  std::string all;
  for (const Cause& cause : explain(base.graph(), head.graph()).causes) all += cause_sentence(cause) + "\n";
  EXPECT_EQ(all, "`main` calls `f` 10 times, was 1,000, at 10 each\n`f` calls `g` 14 times, was 10, at 100 each\n");
}

TEST(CauseTextTest, EntriesFromOutside) {
  const auto text = [](const GraphBuilder& base, const GraphBuilder& head) {
    for (const Cause& cause : explain(base.graph(), head.graph()).causes)
      if (cause.kind == CauseKind::kEntry) return cause_sentence(cause);
    return std::string();
  };
  GraphBuilder called, alone;
  called.function("main", 10).function("worker", 500).calls("main", "worker", 1);
  alone.function("main", 10).function("worker", 500);
  EXPECT_EQ(text(called, alone), "`worker` is now called from outside the profile");
  EXPECT_EQ(text(alone, called), "`worker` is no longer called from outside the profile");
}

struct Counts {
  int64_t callers = 0, calls = 0;  ///< of f, and by f of g
};

/// main calls f so often, f calls g so often.
GraphBuilder calling(const Counts& counts) {
  GraphBuilder graph;
  graph.function("main", 10).function("f", 10 * counts.callers).function("g", 100);
  graph.calls("main", "f", counts.callers).calls("main", "g", 1);
  return counts.calls > 0 ? graph.calls("f", "g", counts.calls) : graph;
}

enum class Fixed { kNo, kYes };

std::string text(const Counts& base, const Counts& head, Fixed fixed = Fixed::kNo) {
  JoinedPair pair(calling(base), calling(head));
  const uint32_t edge = pair.edge("f", "g");
  pair.flow.figures.fixed_calls[edge] = fixed == Fixed::kYes;
  return sentence(calls_facts(pair.source(), edge));
}

TEST(EdgeTextTest, ARateHasThePriceThatGivesTheChange) {
  const auto priced = [](const Counts& base, const Counts& head, int64_t delta) {
    JoinedPair pair(calling(base), calling(head));
    return cause_sentence({.delta = delta, .facts = calls_facts(pair.source(), pair.edge("f", "g"))});
  };
  EXPECT_EQ(priced({100, 5}, {200, 20}, 500), "`f` calls `g` 20 times, was 5") << "a few calls need no rate";
  EXPECT_EQ(priced({200, 50}, {100, 50}, 2500),
            "`f` calls `g` about 25 more times, at 100 each (in 50 % of its calls, was 25 %)");
  EXPECT_EQ(priced({8000, 2}, {16000, 6}, 500), "`f` calls `g` 6 times, was 2")
      << "what is rare is told by the numbers";
  EXPECT_EQ(priced({20, 80}, {40, 40}, -6000),
            "`f` calls `g` about 60 fewer times, at 100 each (once per call, was 4)");
  EXPECT_EQ(priced({400, 100}, {401, 100}, -25), "`f` calls `g` in 24.938 % of its calls, was 25 % (100 calls)")
      << "not about 0 fewer times";
  EXPECT_EQ(priced({20, 80}, {40, 40}, 6000), "`f` calls `g` once per call, was 4 (40 calls, was 80)")
      << "fewer calls that cost more have no price";
}

TEST(LoopTextTest, AFewIterationsOfManyEntriesAreTold) {
  const auto text = [](const fact::Rates& per_entry) {
    return cause_sentence(
        {.facts = fact::Iterations{.loop = {"loop at a.s:7"}, .per_entry = per_entry, .entries = {2000, 4000}}});
  };
  EXPECT_EQ(text({65, 0.1L}), "the loop at a.s:7 runs 0.1 times per entry, was 65 (4,000 entries, was 2,000)");
  EXPECT_EQ(text({65, 0.0005L}), "the loop at a.s:7 runs 2 times, was 130,000 (4,000 entries, was 2,000)");
}

TEST(EdgeTextTest, OneSideAlone) {
  EXPECT_EQ(text({20, 0}, {20, 40}), "`f` now calls `g` 40 times");
  EXPECT_EQ(text({20, 40}, {20, 0}), "`f` no longer calls `g` (40 calls)");
  EXPECT_EQ(text({20, 20}, {20, 0}), "`f` no longer calls `g` (20 calls)");
  EXPECT_EQ(text({20, 0}, {30, 30}), "`f` now calls `g` 30 times") << "calls of its own side";
  EXPECT_EQ(text({20, 0}, {20, 19}), "`f` now calls `g` 19 times") << "less than once per call";
  EXPECT_EQ(text({20, 1}, {20, 0}), "`f` no longer calls `g` (1 call)");
  EXPECT_EQ(text({1, 0}, {1, 3}), "`f` now calls `g` 3 times") << "one call: no rate";
  EXPECT_EQ(text({1, 1}, {1, 0}), "`f` no longer calls `g` (1 call)");
  EXPECT_EQ(text({2, 0}, {1, 3}), "`f` now calls `g` 3 times");
}

TEST(EdgeTextTest, InPartsOfACallWhereCountsGoTheOtherWay) {
  EXPECT_EQ(text({1000, 400}, {500, 300}), "`f` calls `g` in 60 % of its calls, was 40 % (300 calls, was 400)");
  EXPECT_EQ(text({500, 300}, {1000, 400}), "`f` calls `g` in 40 % of its calls, was 60 % (400 calls, was 300)");
  EXPECT_EQ(text({4096, 2}, {1024, 1}), "`f` calls `g` in 0.098 % of its calls, was 0.049 % (1 call, was 2)")
      << "so many calls that there is one on either side";
  EXPECT_EQ(text({10, 20}, {60, 30}), "`f` calls `g` 0.5 times per call, was 2 (30 calls, was 20)")
      << "less than once on one side";
  EXPECT_EQ(text({60, 30}, {10, 20}), "`f` calls `g` twice per call, was 0.5 (20 calls, was 30)");
}

/// `term` is what the calls of g by f are told at.
std::string as_often(const Counts& base, const Counts& head, long double term) {
  JoinedPair pair(calling(base), calling(head));
  const uint32_t edge = pair.edge("f", "g");
  auto& terms = pair.flow.figures.terms;
  std::erase_if(terms, [](const Term& one) { return one.kind == TermKind::kCalls; });
  // Of another kind or another edge: not this one's.
  terms.insert(terms.begin(), {{TermKind::kOwnCost, edge, -term}, {TermKind::kCalls, edge + 1, -term}});
  if (term != 0) terms.push_back({TermKind::kCalls, edge, term});
  return sentence(calls_facts(pair.source(), edge));
}

TEST(EdgeTextTest, CallsAsOftenAsBeforeCostMoreOrLess) {
  EXPECT_EQ(as_often({10, 20}, {10, 20}, 7), "`g` costs more when `f` calls it (20 calls)");
  EXPECT_EQ(as_often({10, 20}, {10, 20}, -7), "`g` costs less when `f` calls it (20 calls)");
  EXPECT_EQ(as_often({10, 20}, {10, 20}, 0), "`g` costs less when `f` calls it (20 calls)");
  EXPECT_EQ(as_often({1, 1}, {1, 1}, 7), "`g` costs more when `f` calls it (1 call)");
  EXPECT_EQ(as_often({10, 20}, {20, 40}, 7), "`g` costs more when `f` calls it (40 calls, was 20)");
  EXPECT_EQ(as_often({20, 40}, {10, 20}, -7), "`g` costs less when `f` calls it (20 calls, was 40)")
      << "as many per call";
}

/// f is called ten times from outside, and calls itself.
GraphBuilder recursive(int64_t inner) {
  GraphBuilder graph;
  graph.function("main", 10).function("f", 100).calls("main", "f", 10);
  return inner > 0 ? graph.calls("f", "f", inner) : graph;
}

std::string recursion(int64_t base, int64_t head) {
  const JoinedPair pair(recursive(base), recursive(head));
  return sentence(calls_facts(pair.source(), pair.edge("f", "f")));
}

TEST(EdgeTextTest, Recursion) {
  EXPECT_EQ(recursion(0, 10), "`f` is now recursive: 2 calls for each call from outside (20 in all)");
  EXPECT_EQ(recursion(10, 0), "`f` is no longer recursive (was 20 calls in all for 10 from outside)");
  EXPECT_EQ(recursion(10, 40), "`f` recurses more: 5 calls for each call from outside, was 2 (50 in all, was 20)");
  EXPECT_EQ(recursion(40, 10), "`f` recurses less: 2 calls for each call from outside, was 5 (20 in all, was 50)");
}

TEST(EdgeTextTest, OfARecursionThatNobodyEntersAllCallsAreTold) {
  JoinedPair pair(recursive(10), recursive(40));
  for (const size_t side : {0, 1}) pair.flow.figures.sides[side].calls[pair.node("f")] = side == 0 ? 10 : 40;
  EXPECT_EQ(sentence(calls_facts(pair.source(), pair.edge("f", "f"))),
            "`f` recurses more: 40 calls for each call from outside, was 10 (40 in all, was 10)");
}

/// main calls a; a and b call each other, and both call x so often.
GraphBuilder calling_cycle(int64_t by_a, int64_t by_b) {
  GraphBuilder graph;
  graph.function("main", 10).function("a", 100).function("b", 50).function("x", 30);
  graph.calls("main", "a", 1).calls("a", "b", 5).calls("b", "a", 5);
  return graph.calls("a", "x", by_a).calls("b", "x", by_b);
}

/// "calls of ... by ..." of a cycle's functions.
std::string leading_members(const SentenceSource& source, uint32_t edge) {
  const std::string text = sentence(calls_facts(source, edge));
  const size_t at = text.find("; mostly");
  return at == std::string::npos ? std::string() : text.substr(at);
}

TEST(LeadingMembersTest, WhichOfACycleMakesMostOfTheCalls) {
  const auto told = [](int64_t by_a, int64_t by_b) {
    const JoinedPair pair(calling_cycle(10, 10), calling_cycle(by_a, by_b));
    return leading_members(pair.source(), pair.edge("a", "x"));
  };
  EXPECT_EQ(told(20, 15), "; mostly by `a`");
  EXPECT_EQ(told(15, 20), "; mostly by `b`");
  EXPECT_EQ(told(20, 10), "") << "all of it is by one: the cause has its name";
}

TEST(LeadingMembersTest, IntoACycleItIsWhatIsCalled) {
  const auto graph = [](int64_t calls) {
    return GraphBuilder()
        .function("main", 1)
        .function("a", 5)
        .function("b", 5)
        .calls("main", "a", calls)
        .calls("a", "b", 3)
        .calls("b", "a", 3);
  };
  JoinedPair pair(graph(10), graph(30));
  EXPECT_EQ(leading_members(pair.source(), pair.edge("main", "a")), "") << "all calls that enter it";
  SentenceSource source = pair.source();
  source.leading_calls[pair.edge("main", "a")].is_all = false;
  EXPECT_EQ(leading_members(source, pair.edge("main", "a")), "; mostly calls of `a`");
}

/// main calls f so often, which costs so much in all.
GraphBuilder working(int64_t calls, int64_t self) {
  return GraphBuilder().function("main", 10).function("f", self).calls("main", "f", calls);
}

/// `delta` is what the sentence stands beside.
std::string self_cost(const GraphBuilder& base, const GraphBuilder& head, int64_t delta,
                      const std::function<void(Decomposition&, uint32_t)>& change = {}) {
  JoinedPair pair(base, head);
  const uint32_t node = pair.node("f");
  pair.flow.figures.fixed_self[node] = false;
  if (change) change(pair.flow.figures, node);
  return sentence(self_cost_facts(pair.source(), node, delta));
}

TEST(SelfCostTextTest, FiguresThatDoNotGiveTheChangeAreLeftOut) {
  EXPECT_EQ(self_cost(working(10, 60), working(20, 280), 170),
            "`f` itself costs 14 per call, was 6 (20 calls, was 10)");
  EXPECT_EQ(self_cost(working(10, 60), working(20, 280), 8000), "`f` itself costs more (20 calls, was 10)");
  EXPECT_EQ(self_cost(working(10, 140), working(20, 120), -8000), "`f` itself costs less (20 calls, was 10)");
}

TEST(CausePlaceTest, IsInTheUsersFiles) {
  EXPECT_EQ(place_beside({.file = "src/lexer.cc", .line = 12}, "text"), "lexer.cc:12");
  EXPECT_EQ(place_beside({.file = "src/lexer.cc", .line = 12}, "on line lexer.cc:12"), "");
  EXPECT_EQ(place_beside({.file = "icount-generated", .line = 2}, "text"), "");
  EXPECT_EQ(place_beside({.line = 2}, "text"), "");
}

TEST(SelfCostTextTest, WhereTheAverageMovesAnotherWay) {
  EXPECT_EQ(self_cost(working(10, 60), working(10, 140), -80), "`f` itself costs 14 per call, was 6 (10 calls)");
  EXPECT_EQ(self_cost(working(10, 140), working(10, 60), 80), "`f` itself costs 6 per call, was 14 (10 calls)");
  EXPECT_EQ(self_cost(working(10, 140), working(10, 60), -80), "`f` itself costs 6 per call, was 14 (10 calls)");
  EXPECT_EQ(self_cost(working(10, 140), working(10, 140), 80), "`f` itself costs 14 per call (10 calls)");
  EXPECT_EQ(self_cost(working(10, 140), working(10, 60), 0), "`f` itself costs 6 per call, was 14 (10 calls)")
      << "nothing to stand beside";
  EXPECT_EQ(self_cost(working(1, 140), working(1, 60), 80), "`f` itself costs 60, was 140");
}

TEST(SelfCostTextTest, BesideCallsThatOneSideMakes) {
  const auto others = [](Decomposition& figures, uint32_t node) {
    figures.other_calls[node] = {.are_told = true, .calls = {10, 20}, .own_cost = {5, 7}};
  };
  EXPECT_EQ(self_cost(working(10, 60), working(30, 140), 30, others),
            "`f` itself costs 7 per call, was 5 (20 calls common to both)");
  EXPECT_EQ(
      self_cost(working(10, 60), working(30, 140), -80, others),
      "`f` itself costs 7 per call on average, was 5 (20 calls, was 10): the remainder of what other rows say of its "
      "calls");
}

TEST(SelfCostTextTest, NoPriceContradictsWhatIsRecorded) {
  const auto text = [](int64_t calls, int64_t inclusive) {
    GraphBuilder base, head;
    base.function("main", 10).function("f", 60).calls("main", "f", 10, 60);
    head.function("main", 10).function("f", 6 * calls).calls("main", "f", calls, inclusive);
    return self_cost(base, head, 40, [](Decomposition& figures, uint32_t node) {
      figures.other_calls[node] = {.are_told = true, .calls = {8, 8}, .own_cost = {5, 10}};
    });
  };
  EXPECT_EQ(text(20, 120), "`f` is called 20 times, was 10 (6 of its own on average)");
  EXPECT_EQ(text(10, 60),
            "`f` itself costs 6 per call on average (10 calls): the remainder of what other rows say of its calls");
  EXPECT_EQ(text(10, 61), "`f` itself costs 10 per call, was 5 (8 calls common to both)")
      << "it costs its callers more";
}

/// main calls a so often; a and b call each other.
GraphBuilder cycle(int64_t a, int64_t b, int64_t calls = 10) {
  return GraphBuilder()
      .function("main", 10)
      .function("a", a)
      .function("b", b)
      .calls("main", "a", calls)
      .calls("a", "b", 30)
      .calls("b", "a", 30);
}

TEST(CycleTextTest, ACycleIsTakenPerCallIntoIt) {
  JoinedPair pair(cycle(60, 40), cycle(140, 60));
  const uint32_t node = pair.node("a");
  EXPECT_EQ(sentence(self_cost_facts(pair.source(), node, 100)),
            "`a` (a recursion of 2 functions) itself costs 20 per call from outside, was 10 (10 calls)");
  EXPECT_EQ(node_label(pair.source(), node), "cycle of a and 1 more");
  EXPECT_EQ(node_label(pair.source(), pair.node("main")), "main");
}

TEST(CycleTextTest, AMemberPerCallIntoTheCycleOrInTotal) {
  const auto told = [](int64_t base_calls, int64_t head_calls, bool fixed, int64_t delta = 0) {
    JoinedPair pair(cycle(60, 40, 10), cycle(140, 60, 10));
    const uint32_t node = pair.node("b");
    pair.flow.figures.fixed_self[node] = fixed;
    pair.flow.figures.sides[0].calls[node] = static_cast<long double>(base_calls);
    pair.flow.figures.sides[1].calls[node] = static_cast<long double>(head_calls);
    return sentence(member_facts(pair.source(), node, pair.function("b"), delta));
  };
  EXPECT_EQ(told(10, 20, false), "`b` itself costs 3 per call from outside, was 4");
  EXPECT_EQ(told(10, 20, false, -15), "`b` itself costs 3 per call from outside, was 4") << "ten to twenty calls";
  EXPECT_EQ(told(10, 20, false, 15), "`b` itself") << "an average that goes the other way says nothing";
  EXPECT_EQ(told(10, 20, true, 12), "`b` itself");
  EXPECT_EQ(told(10, 20, true), "`b` itself costs 60 in total, was 40");
  EXPECT_EQ(told(0, 20, false), "`b` itself costs 60 in total, was 40");
  EXPECT_EQ(told(10, 0, false), "`b` itself costs 60 in total, was 40");
}

TEST(CycleTextTest, NearlyAllIsNineTenths) {
  const auto graph = [](int64_t by_a, int64_t by_b) {
    return cycle(60, 40).function("x", 5).calls("a", "x", by_a).calls("b", "x", by_b);
  };
  const auto leading = [&](int64_t by_a, int64_t by_b) {
    const JoinedPair pair(graph(10, 10), graph(by_a, by_b));
    const LeadingCall found = find_leading_calls(pair.joined, pair.flow.condensed)[pair.edge("a", "x")];
    EXPECT_NE(found.edge, LeadingCall::kNoEdge);
    const FlowEdge& edge = pair.joined.flow.edges[found.edge];
    return std::tuple(pair.joined.functions[edge.caller].name == "a", static_cast<double>(found.all), found.is_all);
  };
  EXPECT_EQ(leading(28, 12), std::tuple(true, 20, true));
  EXPECT_EQ(leading(27, 13), std::tuple(true, 20, false));
  EXPECT_EQ(leading(2, 30), std::tuple(false, 28, false)) << "fewer calls are a change, too";
  EXPECT_EQ(std::get<2>(leading(10, 10)), false) << "nothing changed";
}

TEST(CycleTextTest, CallsBesideCyclesHaveNoLeadingOne) {
  const JoinedPair pair(cycle(60, 40).function("x", 5).calls("main", "x", 1),
                        cycle(60, 40).function("x", 5).calls("main", "x", 9));
  EXPECT_EQ(find_leading_calls(pair.joined, pair.flow.condensed)[pair.edge("main", "x")].edge, LeadingCall::kNoEdge);
  EXPECT_NE(find_leading_calls(pair.joined, pair.flow.condensed)[pair.edge("main", "a")].edge, LeadingCall::kNoEdge);
}

std::string joined_price(int64_t base_calls, int64_t head_calls, long double base, long double head) {
  JoinedPair pair(working(base_calls, 100), working(head_calls, 100));
  const uint32_t edge = pair.edge("main", "f");
  pair.flow.figures.joined_prices[edge] = {base, head};
  return sentence(calls_facts(pair.source(), edge));
}

TEST(CallsTextTest, CallsThatAreToldWithTheirPrice) {
  EXPECT_EQ(joined_price(10, 10, 6, 14), "`f`, called by `main`, costs 14 per call, was 6 (10 calls)");
  EXPECT_EQ(joined_price(10, 20, 6, 14), "`main` calls `f` 20 times, was 10; each costs 14, was 6");
  EXPECT_EQ(joined_price(10, 20, 0, 0), "`main` calls `f` 20 times, was 10");
  EXPECT_EQ(joined_price(10, 20, 0, 14), "`main` calls `f` 20 times, was 10; each costs 14, nothing before");
  EXPECT_EQ(joined_price(10, 20, 6, 0), "`main` calls `f` 20 times, was 10; each costs nothing, was 6");
}

TEST(DispatchedTextTest, CallsThatOneSideAloneMakesAreNew) {
  const auto text = [](fact::Counts calls) {
    const fact::Calls through{.caller = "`f`", .callee = "`g`", .calls = calls};
    return cause_sentence({.delta = 10 * (calls[1] - calls[0]), .facts = fact::CallsOnBehalf{through, "`h`"}});
  };
  EXPECT_EQ(text({5, 9}), "`f` calls `g` 9 times, was 5, at 10 each, for `h`");
  EXPECT_EQ(text({0, 9}), "`f` now calls `g` 9 times, at 10 each, for `h`");
  EXPECT_EQ(text({9, 0}), "`f` no longer calls `g` (9 calls at 10 each), for `h`");
}

TEST(BranchTextTest, TheLoopAroundAStatementIsTheEndOfItsRun) {
  EXPECT_EQ(cause_sentence({.facts = fact::Branch{.place = "a.c:7",
                                                  .function = "`f`",
                                                  .target = {.place = "icount-generated:2"},
                                                  .rate = {0.5L, 0.25L},
                                                  .times = {20, 20}}}),
            "the branch at a.c:7 in `f` goes to the end of the run 25 % of the time, was 50 % (20 times)");
}

TEST(BranchTextTest, AlwaysAndNeverAreNoPercentages) {
  const auto text = [](fact::Rates rate, bool stays = false) {
    return cause_sentence({.facts = fact::Branch{.place = "a.c:7",
                                                 .function = "`f`",
                                                 .target = {.line = 9},
                                                 .stays_on_line = stays,
                                                 .rate = rate,
                                                 .times = {20, 20}}});
  };
  EXPECT_EQ(text({0.5L, 0.25L}), "the branch at a.c:7 in `f` goes to line 9 25 % of the time, was 50 % (20 times)");
  EXPECT_EQ(text({0.5L, 0}), "the branch at a.c:7 in `f` never goes to line 9, was 50 % of the time (20 times)");
  EXPECT_EQ(text({0, 1}), "the branch at a.c:7 in `f` always goes to line 9, was 0 % of the time (20 times)");
  EXPECT_EQ(text({0.5L, 1}, true), "the branch at a.c:7 in `f` is always taken, was 50 % of the time (20 times)");
}

struct Moved {
  bool into_caller = true, callee_is_known = true;
  std::vector<std::string> callees = {"f"};
  BothSides calls = {6, 0};
};

std::string inlined(const Moved& moved, int64_t own, int64_t calls) {
  GraphBuilder graph = GraphBuilder().function("main", 10).function("f", 1).function("g", 1).function("h", 1);
  graph.calls("main", "f", 1).calls("main", "g", 1).calls("main", "h", 1);
  JoinedPair pair(graph, graph);
  InliningMove move;
  move.caller = pair.node("main");
  move.into_caller = moved.into_caller;
  move.callee_is_known = moved.callee_is_known;
  for (const std::string& callee : moved.callees) move.lost_edges.push_back(pair.edge("main", callee));
  pair.flow.condensed.graph.edges[move.lost_edges.front()].calls = moved.calls;
  return sentence(inlined_facts(pair.source(), move, own, calls));
}

TEST(InlinedTextTest, IntoTheCallerOrOutOfIt) {
  EXPECT_EQ(inlined({}, 24'000, -35'220), "`f` is now inlined into `main` (6 calls, -1,870 each)");
  EXPECT_EQ(inlined({.into_caller = false, .calls = {0, 6}}, -24'000, 35'220),
            "`f` is no longer inlined into `main` (6 calls, +1,870 each)");
  EXPECT_EQ(inlined({.calls = {1, 0}}, 24, -30), "`f` is now inlined into `main` (1 call)");
  EXPECT_EQ(inlined({.into_caller = false, .calls = {1, 2}}, 0, 30), "`f` is no longer inlined into `main` (1 call)");
}

TEST(InlinedTextTest, WithoutProofItIsWorkThatMoved) {
  EXPECT_EQ(inlined({.callee_is_known = false}, 24, -30),
            "`main` now does the work of `f` itself, inlined or merged (6 calls, -1 each)");
  EXPECT_EQ(inlined({.into_caller = false, .callee_is_known = false, .calls = {0, 6}}, -24, 30),
            "`main` now calls `f` for work that it did itself (6 calls, +1 each)");
}

TEST(InlinedTextTest, WhatTheDiffSaysTheCalleesOwnLinesDoLeads) {
  EXPECT_EQ(sentence(fact::Inlined{.caller = "`main`",
                                   .callee = "`f`",
                                   .into_caller = false,
                                   .other_work = fact::OtherWork::kOfChangedLines,
                                   .own = -200,
                                   .calls = 800,
                                   .count = 6}),
            "`f` costs 100 more per call (6 calls), and is no longer inlined into `main`");
}

TEST(SumTextTest, CallsThatOneSideAloneMakesAreNew) {
  Cause sum{.kind = CauseKind::kSum, .delta = 1000, .facts = fact::Said{"own"}};
  sum.remarks.push_back({.kind = Remark::Kind::kWithCalls, .delta = 800, .other_delta = 200});
  const auto said = [&](fact::Counts calls) {
    sum.inside = {{.kind = CauseKind::kCalls,
                   .callee = "push",
                   .delta = 200,
                   .facts = fact::InsideCalls{.callee = "`push`", .rate = {1, 1}, .calls = calls}}};
    return cause_sentence(sum, {}, 0);
  };
  EXPECT_EQ(said({0, 6}), "own, and calls of `push` are new");
  EXPECT_EQ(said({6, 0}), "own, and calls of `push` are gone");
  EXPECT_EQ(said({6, 6}), "own, and calls of `push` cost more");
}

TEST(InlinedTextTest, WhatMovedMayDoMoreOrLess) {
  const auto starts = [](const Moved& moved, int64_t own, int64_t calls) {
    const std::string text = inlined(moved, own, calls);
    return text.substr(0, text.find(':'));
  };
  const Moved into{}, out{.into_caller = false, .calls = {0, 6}};
  EXPECT_EQ(starts(into, 126, -100), "`main` costs 4.33 more per call (6 calls); `f` is now inlined into it");
  EXPECT_EQ(starts(into, 125, -100), "`f` is now inlined into `main` (6 calls, +4.17 each)");
  EXPECT_EQ(starts({.callees = {"f", "g"}}, 151, -100),
            "`main` costs 8.5 more per call (6 calls); `f` and one other function are now inlined into it");
  EXPECT_EQ(starts(out, -151, 100), "`main` costs 8.5 less per call (6 calls); `f` is no longer inlined into it");
  EXPECT_EQ(starts(out, -200, 801), "`main` costs 100 more per call (6 calls); `f` is no longer inlined into it");
  EXPECT_EQ(starts(out, -200, 800), "`f` is no longer inlined into `main` (6 calls, +100 each)");
  EXPECT_EQ(starts(out, -60, 360), "`f` is no longer inlined into `main` (6 calls, +50 each)")
      << "a small function: 60 a call";
  EXPECT_EQ(starts(out, -60, 361), "`main` costs 50 more per call (6 calls); `f` is no longer inlined into it");
  EXPECT_EQ(starts(into, 200, -1001), "`main` costs 133 less per call (6 calls); `f` is now inlined into it");
  EXPECT_EQ(starts(into, -200, -1001), "`f` is now inlined into `main` (6 calls, -200 each)") << "both save";
  EXPECT_EQ(starts({.callee_is_known = false}, 151, -100),
            "`main` costs 8.5 more per call (6 calls); it no longer calls `f`");
  EXPECT_EQ(starts({.into_caller = false, .callee_is_known = false, .calls = {0, 6}}, -151, 100),
            "`main` costs 8.5 less per call (6 calls); it now calls `f`");
}

TEST(RenamedByTextTest, HowItWasFound) {
  GraphBuilder base, head;
  base.in("a.c", "/lib/libold.so").function("f", 60).in("a.c", "prog").function("main", 1).calls("main", "f", 10);
  head.in("a.c", "/lib/libold.so").function("f", 140).in("a.c", "prog").function("main", 1).calls("main", "f", 10);
  JoinedPair pair(base, head);
  const uint32_t f = pair.function("f"), node = pair.node("f");
  JoinedFunction& function = pair.joined.functions[f];
  function.base_name = "__memcpy_sse2";
  function.head_name = "__memcpy_avx";
  const auto text = [&](MatchedBy by, uint32_t of_node) {
    function.by = by;
    function.evidence = "same callers";
    return sentence(renamed_facts(pair.source(), f, of_node, 80));
  };
  EXPECT_EQ(text(MatchedBy::kDispatch, node),
            "`__memcpy_avx` itself costs 14 per call, was 6 (10 calls); it runs in place of `__memcpy_sse2`, as the "
            "processor's features are others");
  EXPECT_EQ(text(MatchedBy::kEvidence, SentenceSource::kNoNode), "`__memcpy_avx` was `__memcpy_sse2` (same callers)");
  EXPECT_EQ(text(MatchedBy::kObject, SentenceSource::kNoNode), "`memcpy` comes from `libold.so`, was `libold.so`");
  pair.flow.figures.sides[1].own_cost[node] = 6;
  EXPECT_EQ(text(MatchedBy::kEvidence, node), "`__memcpy_avx` was `__memcpy_sse2` (same callers)") << "costs the same";
  EXPECT_EQ(sentence(total_cost_facts(pair.joined, function, {1000, 2000})),
            "`f` (was `memcpy`) itself costs 2,000 in total, was 1,000");
  function.by = MatchedBy::kName;
  EXPECT_EQ(sentence(total_cost_facts(pair.joined, function, {1000, 2000})),
            "`f` itself costs 2,000 in total, was 1,000");
}

}  // namespace
}  // namespace icount
