// Code of a callee inside its caller, as debug information has it: how much of it is a proof that it was inlined.
#include <gtest/gtest.h>

#include <memory>

#include "icount/callgraph/function_code.h"
#include "icount/explain/claims/relations.h"
#include "joined_pair.h"

namespace icount {
namespace {

/// main calls f ten times. In base that calls g as often, which costs so much a call; in head it does not. Of f's own
/// cost so much a call is g's code.
struct Inlined {
  int64_t price = 100;
  std::array<int64_t, 2> inside = {0, 0};
  bool has_names = true;
  size_t events = 1;
  const char* name = "g";
  std::array<bool, 2> has_code = {true, true};
  bool is_inner = false;  ///< in a function that was inlined into f first
};

CostGraph graph_of(const Inlined& of, size_t side) {
  GraphBuilder built;
  built.function("main", 10).function("f", 5000).calls("main", "f", 10);
  if (side == 0) built.function("g", 10 * of.price).calls("f", "g", 10);
  CostGraph graph = built.graph();
  if (!of.has_code[side]) return graph;
  auto code = std::make_shared<ProfileCode>();
  code->events = of.events;
  code->files = {"main.cc"};
  code->objects = {{.name = "prog", .has_names = of.has_names}};
  code->inlined = {{of.name, 0, 3, 20, of.is_inner ? 2u : 0u}, {"other", 0, 7, 30, 0}};
  if (of.is_inner) std::swap(code->inlined[0], code->inlined[1]);
  const uint32_t number = of.is_inner ? 2 : 1;
  code->inlined[number - 1].outer = of.is_inner ? 1 : 0;
  FunctionCode& f = code->functions.emplace_back();
  f.function = 1;
  f.rows = {{0x10, 0, 5, 10, 0}, {0x20, 0, 3, 10, number}};
  f.self = {5000 - 10 * of.inside[side], 10 * of.inside[side]};
  graph.code = std::move(code);
  return graph;
}

Trace trace(const Inlined& of) {
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

TEST(InliningNamesTest, OfASmallBodyNothingMayBeLeft) {
  EXPECT_EQ(trace({.price = 13}), Trace::kElsewhere);
  EXPECT_EQ(trace({.price = 12}), Trace::kUnknown) << "lines and files of one file say nothing";
}

TEST(InliningNamesTest, WhatIsInlinedWithItIsInside) {
  EXPECT_EQ(trace({.inside = {0, 3}, .is_inner = true}), Trace::kSeen);
  EXPECT_EQ(trace({.inside = {0, 3}, .name = "another"}), Trace::kElsewhere) << "code of another function";
}

TEST(InliningNamesTest, WhereItIsNotKnownOfEitherSideNothingIsSaid) {
  EXPECT_EQ(trace({.inside = {0, 3}, .has_names = false}), Trace::kUnknown);
  EXPECT_EQ(trace({.inside = {0, 3}, .events = 2}), Trace::kUnknown);
  EXPECT_EQ(trace({.inside = {0, 3}, .has_code = {true, false}}), Trace::kUnknown);
  EXPECT_EQ(trace({.inside = {0, 3}, .has_code = {false, true}}), Trace::kUnknown);
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

TEST(InliningNamesTest, TheObjectOfASide) {
  const JoinedPair pair(graph_of({}, 0), graph_of({}, 1));
  const InliningTrace trace(pair.joined, pair.flow);
  EXPECT_EQ(trace.object_of(pair.node("g"), 0), "prog");
  EXPECT_EQ(trace.object_of(pair.node("g"), 1), "") << "head has none";
}

}  // namespace
}  // namespace icount
