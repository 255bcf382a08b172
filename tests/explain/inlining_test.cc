// Which calls that are gone were inlined, by figures alone, and what moved with them or was saved.
#include "icount/explain/claims/relations.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "icount/callgraph/function_code.h"
#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"
#include "joined_pair.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

/// main calls f a hundred times, which calls g five times each; in head f costs so much more itself, and g is gone.
struct Inlined {
  int64_t body = 100;  ///< of a call of g
  int64_t gain = 0;    ///< of all calls of f
  int64_t fresh = 0;   ///< what a call of f costs in a function that it calls in head
};

GraphBuilder before(const Inlined& of) {
  GraphBuilder graph;
  graph.function("main", 50).function("f", 100'000).function("g", 500 * of.body);
  return graph.calls("main", "f", 100).calls("f", "g", 500);
}
GraphBuilder after(const Inlined& of) {
  GraphBuilder graph;
  graph.function("main", 50).function("f", 100'000 + of.gain).calls("main", "f", 100);
  return of.fresh > 0 ? graph.function("fresh", 100 * of.fresh).calls("f", "fresh", 100) : graph;
}

bool is_inlined(const Inlined& of) {
  const JoinedPair there(before(of), after(of)), back(after(of), before(of));
  const std::vector<InliningMove> moves = find_inlining_moves(there.joined, there.flow),
                                  turned = find_inlining_moves(back.joined, back.flow);
  EXPECT_EQ(moves.size(), turned.size()) << "whichever is base";
  return !moves.empty();
}

TEST(InliningTest, OfASmallBodyAllMayVanishButForABareCall) {
  EXPECT_TRUE(is_inlined({.body = 10, .gain = -750})) << "one and a half for each call";
  EXPECT_FALSE(is_inlined({.body = 10, .gain = -751}));
  EXPECT_TRUE(is_inlined({.body = 10, .gain = 1}));
  EXPECT_FALSE(is_inlined({.body = 10, .gain = 0})) << "nothing shows";
  EXPECT_TRUE(is_inlined({.body = 10, .gain = 6'250}));
  EXPECT_FALSE(is_inlined({.body = 10, .gain = 6'251}));
}

TEST(InliningTest, OfABodyThatCostsMoreThanACallAPartMustShow) {
  EXPECT_TRUE(is_inlined({.body = 60, .gain = 3'000})) << "three tenths of 300, less 60 for the calls";
  EXPECT_FALSE(is_inlined({.body = 60, .gain = 2'999}));
  EXPECT_FALSE(is_inlined({.body = 61, .gain = 4'000})) << "no small body";
  EXPECT_TRUE(is_inlined({.body = 61, .gain = 9'150}));
  EXPECT_FALSE(is_inlined({.body = 61, .gain = 9'149}));
}

TEST(InliningTest, ACallerThatCallsSomethingElseInsteadWasRewritten) {
  EXPECT_FALSE(is_inlined({.gain = 40'000, .fresh = 2}));
  EXPECT_TRUE(is_inlined({.gain = 40'000, .fresh = 1})) << "next to nothing";
}

/// main calls f a hundred times, which calls g five times each; that calls `deep` twice each, as main does seven times.
/// In head g is gone, and f calls `deep` itself.
struct TakenOver {
  int64_t body = 100;     ///< of a call of g
  int64_t gain = 0;       ///< of a call of f
  int64_t deep = 1000;    ///< what a call of it costs
  int64_t calls = 1000;   ///< of it by f in head
  int64_t own_calls = 0;  ///< of it by f on both sides beside
};

GraphBuilder calls_before(const TakenOver& of) {
  GraphBuilder graph;
  graph.function("main", 50).function("f", 100'000).function("deep", (1007 + of.own_calls) * of.deep);
  graph.calls("main", "f", 100).calls("main", "deep", 7);
  if (of.own_calls > 0) graph.calls("f", "deep", of.own_calls);
  return graph.function("g", 500 * of.body).calls("f", "g", 500).calls("g", "deep", 1000);
}
GraphBuilder calls_after(const TakenOver& of) {
  const int64_t calls = of.calls + of.own_calls;
  GraphBuilder graph;
  graph.function("main", 50).function("f", 100'000 + 100 * of.gain).function("deep", (7 + calls) * of.deep);
  return graph.calls("main", "f", 100).calls("main", "deep", 7).calls("f", "deep", calls);
}

std::vector<InliningMove> moves_of(const JoinedPair& pair) { return find_inlining_moves(pair.joined, pair.flow); }

bool moves_along(const TakenOver& of) {
  const JoinedPair there(calls_before(of), calls_after(of)), back(calls_after(of), calls_before(of));
  const size_t found = moves_of(there).size();
  EXPECT_EQ(moves_of(back).size(), found) << "whichever is base";
  return found > 0;
}

TEST(InliningMovesTest, ATenthMoreOrFewerCallsAreTheSame) {
  EXPECT_TRUE(moves_along({.calls = 901}));
  EXPECT_FALSE(moves_along({.calls = 899}));
  EXPECT_TRUE(moves_along({.calls = 1099}));
  EXPECT_FALSE(moves_along({.calls = 1101}));
  EXPECT_TRUE(moves_along({.calls = 901, .own_calls = 400})) << "beside those it made before";
  EXPECT_FALSE(moves_along({.calls = 899, .own_calls = 400}));
}

TEST(InliningMovesTest, TheyAreWorthHalfOfTheLostCalls) {
  EXPECT_TRUE(moves_along({.gain = -60, .deep = 51})) << "510 of 1,010";
  EXPECT_FALSE(moves_along({.gain = -60, .deep = 50}));
  EXPECT_TRUE(moves_along({.gain = 300, .deep = 50})) << "the body shows";
}

TEST(InliningMovesTest, ASmallBodyMayVanishUnlessTheCallerLostMore) {
  EXPECT_TRUE(moves_along({.body = 10, .gain = -45, .deep = 6})) << "three tenths of 50, less 60 for the calls";
  EXPECT_FALSE(moves_along({.body = 10, .gain = -46, .deep = 6}));
}

TEST(InliningMovesTest, ACallerThatGainedMuchMoreDoesSomethingElse) {
  EXPECT_TRUE(moves_along({.body = 60, .gain = 4333, .deep = 100})) << "three tenths of it are no more than 1,300";
  EXPECT_FALSE(moves_along({.body = 60, .gain = 4334, .deep = 100}));
  EXPECT_FALSE(moves_along({.body = 61, .gain = 4333, .deep = 100})) << "no small body";
}

/// main calls f a hundred times; in base that calls functions that cost so much a call and call the next one.
bool chain_is_inlined(size_t length, int64_t of_last, int64_t gain) {
  GraphBuilder base, head;
  base.function("main", 50).function("f", 100'000).calls("main", "f", 100);
  std::string caller = "f";
  for (size_t i = 0; i < length; ++i) {
    const std::string callee = fmt::format("g{}", i);
    base.function(callee, i + 1 == length ? 100 * of_last : 0).calls(caller, callee, 100);
    caller = callee;
  }
  head.function("main", 50).function("f", 100'000 + 100 * gain).calls("main", "f", 100);
  return !moves_of(JoinedPair(base, head)).empty();
}

TEST(InliningMovesTest, FunctionsAreInlinedIntoEachOther) {
  EXPECT_TRUE(chain_is_inlined(1, 1000, 301));
  EXPECT_FALSE(chain_is_inlined(1, 1000, 299));
  EXPECT_TRUE(chain_is_inlined(3, 1000, 301));
  EXPECT_FALSE(chain_is_inlined(3, 1000, 299));
  EXPECT_TRUE(chain_is_inlined(7, 1000, 1250)) << "six deep";
  EXPECT_FALSE(chain_is_inlined(7, 1000, 1251));
  EXPECT_FALSE(chain_is_inlined(8, 1000, 1000)) << "what lies deeper is not looked at";
}

/// main calls f ten times. In base that calls g as often, which costs so much a call; in head it does not. Of f's own
/// cost so much a call is g's code.
struct NamedInside {
  std::array<int64_t, 2> inside = {0, 0};
  bool has_names = true;
  const char* name = "g";
  std::array<bool, 2> has_code = {true, true};
};

CostGraph graph_of(const NamedInside& of, size_t side) {
  GraphBuilder built;
  built.function("main", 10).function("f", 5000).calls("main", "f", 10);
  if (side == 0) built.function("g", 1000).calls("f", "g", 10);
  CostGraph graph = built.graph();
  if (!of.has_code[side]) return graph;
  auto code = std::make_shared<ProfileCode>();
  code->events = 1;
  code->files = {"main.cc"};
  code->objects = {{.name = "prog", .has_names = of.has_names}};
  code->inlined = {{of.name, 0, 3, 20, 0}, {"other", 0, 7, 30, 0}};
  FunctionCode& f = code->functions.emplace_back();
  f.function = 1;
  f.rows = {{0x10, 0, 5, 10, 0}, {0x20, 0, 3, 10, 1}};
  f.self = {5000 - 10 * of.inside[side], 10 * of.inside[side]};
  graph.code = std::move(code);
  return graph;
}

Trace trace(const NamedInside& of) {
  const JoinedPair pair(graph_of(of, 0), graph_of(of, 1));
  InliningTrace there(pair.joined, pair.flow);
  const Trace found = there.look_for(pair.node("f"), pair.node("g"), 0, 1);
  const JoinedPair turned(graph_of(of, 1), graph_of(of, 0));
  InliningTrace back(turned.joined, turned.flow);
  EXPECT_EQ(back.look_for(turned.node("f"), turned.node("g"), 1, 1), found) << "whichever is base";
  return found;
}

TEST(InliningNamesTest, AFiftiethOfTheBodyInsideIsSeen) {
  EXPECT_EQ(trace({.inside = {0, 3}}), Trace::kSeen);
  EXPECT_EQ(trace({.inside = {0, 1}}), Trace::kElsewhere);
  EXPECT_EQ(trace({.inside = {5, 8}}), Trace::kSeen) << "three more than before";
  EXPECT_EQ(trace({.inside = {5, 6}}), Trace::kElsewhere);
  EXPECT_EQ(trace({.inside = {0, 0}}), Trace::kElsewhere) << "debug information would have it";
}

TEST(InliningNamesTest, TheGainOfWhatDoesNotScaleIsOfAllCalls) {
  JoinedPair pair(graph_of({}, 0), graph_of({}, 1));
  const uint32_t f = pair.node("f");
  pair.flow.condensed.graph.nodes[f].self = {5000, 6200};
  pair.flow.figures.sides[0].calls[f] = 10;
  pair.flow.figures.sides[1].calls[f] = 30;
  pair.flow.figures.sides[0].own_cost[f] = 500;
  pair.flow.figures.sides[1].own_cost[f] = 207;
  const InliningTrace trace(pair.joined, pair.flow);
  EXPECT_EQ(trace.own_gain(f, 0), -293);
  EXPECT_EQ(trace.own_gain(f, 1), 293);
  pair.flow.figures.fixed_self[f] = true;
  EXPECT_EQ(trace.own_gain(f, 0), 60) << "1,200 over the mean of 10 and 30";
  EXPECT_EQ(trace.own_gain(f, 1), -60);
}

/// `callers` call `get` ten times each in base, which costs 100 there; in head each has lines of it that cost `inside`.
struct SharedBy {
  std::vector<std::string> callers = {"map", "put", "drop"};
  std::vector<int64_t> inside = {600, 700, 800};
};

GraphBuilder with_calls(const SharedBy& of) {
  GraphBuilder graph;
  graph.line("main", "main.cc", 1, 100);
  for (const std::string& caller : of.callers)
    graph.line(caller, "main.cc", 100, 5000).calls("main", caller, 1, 6000).calls(caller, "get", 10, 1000);
  return graph.line("get", "get.cc", 20, 1000 * static_cast<int64_t>(of.callers.size()));
}

GraphBuilder without_calls(const SharedBy& of) {
  GraphBuilder graph;
  graph.line("main", "main.cc", 1, 100);
  for (size_t i = 0; i < of.callers.size(); ++i)
    graph.line(of.callers[i], "main.cc", 100, 5000)
        .line(of.callers[i], "get.cc", 20, of.inside[i])
        .calls("main", of.callers[i], 1, 5000 + of.inside[i]);
  return graph;
}

TEST(SharedInliningTest, TheOtherWayRoundSignsChange) {
  const Explanation out = explain(without_calls({}).graph(), with_calls({}).graph());
  ASSERT_EQ(out.causes.size(), 1u);
  EXPECT_EQ(out.causes[0].delta, 900);
  EXPECT_EQ(cause_sentence(out.causes[0]),
            "`get` is no longer inlined into `map`, `put` and one other function (30 calls, +30 each)");
}

TEST(SharedInliningTest, WhatCallsCannotCostIsOfTheFunctionItself) {
  const auto sentence = [](int64_t inside) {
    const SharedBy of{.inside = {inside, inside, inside}};
    return cause_sentence(explain(without_calls(of).graph(), with_calls(of).graph()).causes.at(0));
  };
  EXPECT_EQ(sentence(400), "`get` is no longer inlined into `map`, `put` and one other function (30 calls, +60 each)");
  EXPECT_EQ(
      sentence(390),
      "`get` costs 61 more per call (30 calls); it is no longer inlined into `map`, `put` and one other function");
}

TEST(SharedInliningTest, TwoCallersAreNamed) {
  const SharedBy two{.callers = {"map", "put"}, .inside = {600, 700}};
  const Explanation into = explain(with_calls(two).graph(), without_calls(two).graph());
  ASSERT_EQ(into.causes.size(), 1u);
  EXPECT_EQ(cause_sentence(into.causes[0]), "`get` is now inlined into `map` and `put` (20 calls, -35 each)");
}

TEST(SharedInliningTest, ACallerWithNearlyAllOfItIsToldByItself) {
  const auto callers_told = [](int64_t second) {
    const SharedBy of{.callers = {"map", "put"}, .inside = {400, second}};
    const Explanation into = explain(with_calls(of).graph(), without_calls(of).graph());
    return std::count_if(into.causes.begin(), into.causes.end(),
                         [](const Cause& cause) { return cause.kind == CauseKind::kInlined; });
  };
  EXPECT_EQ(callers_told(932), 0) << "600 of 668";
  EXPECT_EQ(callers_told(934), 2) << "600 of 666";
  EXPECT_EQ(callers_told(1200), 2) << "what cancels is two causes";
}

/// main calls f a hundred times, which calls trim five times each; in head trim's code is in f. Each call of trim
/// called length once, which main calls as well.
struct Trimmed {
  int64_t length = 80;  ///< cost of a call of length
  int64_t kept = 0;     ///< calls of length that f makes in head
  bool nested = false;  ///< trim calls it by way of a function that is inlined with it
};

GraphBuilder before_saving(const Trimmed& of) {
  GraphBuilder graph;
  graph.function("main", 50).function("f", 100'000).function("trim", 50'000);
  const int64_t steps = of.nested ? 5000 : 0, lengths = 500 * of.length, trims = 50'000 + steps + lengths;
  graph.calls("main", "f", 100, 100'000 + trims).calls("f", "trim", 500, trims);
  if (of.nested) graph.function("step", steps).calls("trim", "step", 1000, steps + lengths);
  graph.in("length.c", "libc").function("length", 507 * of.length).calls("main", "length", 7, 7 * of.length);
  return graph.calls(of.nested ? "step" : "trim", "length", 500, lengths);
}
GraphBuilder after_saving(const Trimmed& of) {
  GraphBuilder graph;
  graph.function("main", 50).function("f", 140'000).calls("main", "f", 100);
  graph.in("length.c", "libc").function("length", (7 + of.kept) * of.length).calls("main", "length", 7);
  return of.kept > 0 ? graph.calls("f", "length", of.kept) : graph;
}

struct Found {
  std::vector<SavedCalls> saved;
  uint32_t edge = 0;  ///< the call of length
};

Found find(const GraphBuilder& base, const GraphBuilder& head, const Trimmed& of) {
  const JoinedPair pair(base, head);
  std::vector<int64_t> values;
  for (const Term& term : pair.flow.figures.terms) values.push_back(std::llround(term.value));
  Found found;
  found.edge = pair.edge(of.nested ? "step" : "trim", "length");
  std::vector<InliningMove> moves = find_inlining_moves(pair.joined, pair.flow);
  EXPECT_EQ(moves.size(), 1u);
  if (moves.empty()) return found;
  moves[0].callee_is_known = true;
  found.saved = find_saved_calls(pair.joined, pair.flow, moves[0], values);
  return found;
}

/// What is told apart, in instructions; 0 where nothing is. The same the other way round, with the other sign.
int64_t told_apart(const Trimmed& of) {
  const Found there = find(before_saving(of), after_saving(of), of),
              back = find(after_saving(of), before_saving(of), of);
  EXPECT_EQ(there.saved.size(), back.saved.size());
  if (there.saved.empty() || back.saved.empty()) return 0;
  EXPECT_EQ(there.saved.size(), 1u);
  EXPECT_EQ(there.saved[0].edge, there.edge);
  EXPECT_EQ(back.saved[0].edge, back.edge);
  EXPECT_EQ(there.saved[0].calls, 500);
  EXPECT_EQ(back.saved[0].calls, 500);
  EXPECT_EQ(there.saved[0].value, -back.saved[0].value);
  return there.saved[0].value;
}

TEST(SavedCallsTest, TheyComeToWhatWasRecordedForThem) {
  EXPECT_EQ(told_apart({}), -40'000);
  EXPECT_EQ(told_apart({.nested = true}), -40'000) << "whatever was inlined with it";
}

TEST(SavedCallsTest, WhatTheCallerCallsInsteadIsNotSaved) { EXPECT_EQ(told_apart({.kept = 500}), 0); }

TEST(SavedCallsTest, AQuarterOfTheWholeChangeIsWorthTelling) {
  // Without length's the move comes to -10,000: 500 x length of -10,000 - 500 x length.
  EXPECT_EQ(told_apart({.length = 7}), -3500);
  EXPECT_EQ(told_apart({.length = 6}), 0);
}

}  // namespace
}  // namespace icount
