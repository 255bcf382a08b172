// The sentences of whole causes, made from figures that are given: self cost, entries, other names, inlining, cycles.
#include <gtest/gtest.h>

#include <functional>

#include "icount/explain/claims/relations.h"
#include "icount/explain/claims/term_causes.h"
#include "joined_pair.h"

namespace icount {
namespace {

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

TEST(SelfCostTextTest, PerCallInTotalOrOfOneCall) {
  EXPECT_EQ(self_cost(working(10, 60), working(10, 140), 80), "`f` itself costs 14 per call, was 6 (10 calls)");
  EXPECT_EQ(self_cost(working(10, 60), working(20, 280), 80), "`f` itself costs 14 per call, was 6 (20 calls, was 10)");
  EXPECT_EQ(self_cost(working(1, 60), working(1, 140), 80), "`f` itself costs 140, was 60");
  EXPECT_EQ(self_cost(working(1, 60), working(2, 280), 80), "`f` itself costs 140 per call, was 60 (2 calls, was 1)");
  EXPECT_EQ(self_cost(working(2, 60), working(1, 140), 110), "`f` itself costs 140 per call, was 30 (1 call, was 2)");
  const auto fixed = [](Decomposition& figures, uint32_t node) { figures.fixed_self[node] = true; };
  EXPECT_EQ(self_cost(working(1000, 6000), working(10, 6100), 100, fixed),
            "`f` itself costs 6,100 in total, was 6,000 (10 calls, was 1,000)");
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
            "`f` itself costs 7 per call, was 5 (20 calls that both make)");
  EXPECT_EQ(self_cost(working(10, 60), working(30, 140), -80, others),
            "`f` is called 20 times, was 10 (7 of its own on average, was 5)");
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
            "the recursion of `a` and one other function itself costs 20 per call from outside, was 10 (10 calls)");
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

std::string entries(int64_t base, int64_t head) {
  JoinedPair pair(working(10, 60), working(10, 60));
  const uint32_t node = pair.node("main");
  pair.flow.condensed.graph.nodes[node].entries = {base, head};
  return sentence(entry_facts(pair.source(), node));
}

TEST(EntryTextTest, HowOftenTheProfileIsEntered) {
  EXPECT_EQ(entries(0, 3), "`main` is now called from outside the profile");
  EXPECT_EQ(entries(3, 0), "`main` is no longer called from outside the profile");
  EXPECT_EQ(entries(1, 2000), "`main` is called from outside the profile 2,000 times, was 1");
  EXPECT_EQ(entries(2, 1), "`main` is called from outside the profile once, was 2");
}

struct OtherName {
  std::string_view base, head;
  MatchedBy by = MatchedBy::kEvidence;
  std::string evidence = "same callers";
};

std::string renamed(const OtherName& name, int64_t head_self = 60, bool with_node = true) {
  JoinedPair pair(working(10, 60).in("f.c", "/lib/old.so").function("g", 1),
                  working(10, head_self).in("f.c", "/lib/new.so").function("g", 1));
  JoinedFunction& function = pair.joined.functions[pair.function("f")];
  function.base_name = name.base;
  function.head_name = name.head;
  function.by = name.by;
  function.evidence = name.evidence;
  return sentence(renamed_facts(pair.source(), pair.function("f"), with_node ? pair.node("f") : SentenceSource::kNoNode,
                                head_self - 60));
}

TEST(DispatchedTextTest, CallsThatOneSideAloneMakesAreNew) {
  const auto text = [](fact::Counts calls) {
    const fact::Calls through{.caller = "`f`", .callee = "`g`", .calls = calls};
    return cause_sentence({.delta = 10 * (calls[1] - calls[0]), .facts = fact::CallsOnBehalf{through, "`h`"}});
  };
  EXPECT_EQ(text({5, 9}), "`f` calls `g` 9 times, was 5, at 10 each, on behalf of `h`");
  EXPECT_EQ(text({0, 9}), "`f` now calls `g` 9 times, at 10 each, on behalf of `h`");
  EXPECT_EQ(text({9, 0}), "`f` no longer calls `g` (9 calls at 10 each), on behalf of `h`");
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

TEST(RenamedTextTest, NamesAreShortButDiffer) {
  EXPECT_EQ(renamed({"a::f", "b::f"}), "`b::f` was `a::f` (same callers)");
  EXPECT_EQ(renamed({"walk", "run"}), "`run` was `walk` (same callers)");
  EXPECT_EQ(renamed({"0x401000", "run"}), "`run` was `0x401000` (same callers)");
  EXPECT_EQ(renamed({"walk", "0x401000"}), "`0x401000` was `walk` (same callers)");
  EXPECT_EQ(renamed({"walk(int)", "run(long)"}), "`run(long)` was `walk(int)` (same callers)");
}

TEST(RenamedTextTest, WithItsSelfCostWhereThatChanged) {
  EXPECT_EQ(renamed({"walk", "run"}, 140),
            "`run` itself costs 14 per call, was 6 (10 calls); it was `walk` (same callers)");
  EXPECT_EQ(renamed({"walk", "run"}, 140, false), "`run` was `walk` (same callers)");
}

TEST(RenamedTextTest, DispatchAndOtherObjects) {
  EXPECT_EQ(renamed({"__memcpy_sse2", "__memcpy_avx", MatchedBy::kDispatch}),
            "`__memcpy_avx` runs in place of `__memcpy_sse2`, as the processor's features are others");
  JoinedPair pair(GraphBuilder().in("m.c", "/usr/lib/libc.so.6").function("malloc", 5),
                  GraphBuilder().in("m.c", "/opt/libjemalloc.so").function("malloc", 9));
  const auto join = [&](JoinedFunction& of) {
    of.by = MatchedBy::kObject;
    of.base_name = of.head_name = "malloc";
    of.folded = {0, 0};
  };
  join(pair.joined.functions[0]);
  EXPECT_EQ(sentence(renamed_facts(pair.source(), 0, SentenceSource::kNoNode, 0)),
            "`malloc` comes from `libjemalloc.so`, was `libc.so.6`");
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

TEST(InlinedTextTest, SeveralCallees) {
  EXPECT_EQ(inlined({.callees = {"f", "g"}}, 24, -30),
            "`f` and one other function are now inlined into `main` (6 calls, -1 each)");
  EXPECT_EQ(inlined({.into_caller = false, .callees = {"g", "f", "h"}, .calls = {0, 9}}, -24, 30),
            "`g` and 2 other functions are no longer inlined into `main` (9 calls, +0.67 each)");
}

TEST(InlinedTextTest, WithoutProofItIsWorkThatMoved) {
  EXPECT_EQ(inlined({.callee_is_known = false}, 24, -30),
            "`main` now does the work of `f` itself, inlined or merged (6 calls, -1 each)");
  EXPECT_EQ(inlined({.into_caller = false, .callee_is_known = false, .calls = {0, 6}}, -24, 30),
            "`main` now calls `f` for work that it did itself (6 calls, +1 each)");
}

TEST(InlinedTextTest, WhatMovedMayDoMoreOrLess) {
  const auto starts = [](const Moved& moved, int64_t own, int64_t calls) {
    const std::string text = inlined(moved, own, calls);
    return text.substr(0, text.find(':'));
  };
  const Moved into{}, out{.into_caller = false, .calls = {0, 6}};
  EXPECT_EQ(starts(into, 126, -100), "`main` with `f`, now inlined, costs 4.33 more per call (6 calls)");
  EXPECT_EQ(starts(into, 125, -100), "`f` is now inlined into `main` (6 calls, +4.17 each)");
  EXPECT_EQ(starts({.callees = {"f", "g"}}, 151, -100),
            "`main` with `f` and one other function, now inlined, costs 8.5 more per call (6 calls)");
  EXPECT_EQ(starts(out, -151, 100), "`main` with `f`, no longer inlined, costs 8.5 less per call (6 calls)");
  EXPECT_EQ(starts(out, -200, 801), "`main` with `f`, no longer inlined, costs 100 more per call (6 calls)");
  EXPECT_EQ(starts(out, -200, 800), "`f` is no longer inlined into `main` (6 calls, +100 each)");
  EXPECT_EQ(starts(out, -60, 360), "`f` is no longer inlined into `main` (6 calls, +50 each)")
      << "a small function: 60 a call";
  EXPECT_EQ(starts(out, -60, 361), "`main` with `f`, no longer inlined, costs 50 more per call (6 calls)");
  EXPECT_EQ(starts(into, 200, -1001), "`main` with `f`, now inlined, costs 133 less per call (6 calls)");
  EXPECT_EQ(starts(into, -200, -1001), "`f` is now inlined into `main` (6 calls, -200 each)") << "both save";
  EXPECT_EQ(starts({.callee_is_known = false}, 151, -100),
            "`main` with `f`, no longer called, costs 8.5 more per call (6 calls)");
  EXPECT_EQ(starts({.into_caller = false, .callee_is_known = false, .calls = {0, 6}}, -151, 100),
            "`main` with `f`, newly called, costs 8.5 less per call (6 calls)");
}

TEST(TotalCostTextTest, InTotalUnderEitherName) {
  JoinedPair pair(working(10, 60), working(10, 140));
  JoinedFunction function = pair.joined.functions[pair.function("f")];
  EXPECT_EQ(sentence(total_cost_facts(pair.joined, function, {60, 140'000})),
            "`f` itself costs 140,000 in total, was 60");
  function.base_name = "g";
  for (const MatchedBy by : {MatchedBy::kEvidence, MatchedBy::kDispatch}) {
    function.by = by;
    EXPECT_EQ(sentence(total_cost_facts(pair.joined, function, {60, 140})),
              "`f` (was `g`) itself costs 140 in total, was 60");
  }
  function.by = MatchedBy::kPlace;
  EXPECT_EQ(sentence(total_cost_facts(pair.joined, function, {60, 140})), "`f` itself costs 140 in total, was 60");
}

}  // namespace
}  // namespace icount
