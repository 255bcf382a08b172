// From which figures on a call that is gone is taken for inlined, where no lines tell.
#include "icount/explain/claims/relations.h"

#include <gtest/gtest.h>

#include "joined_pair.h"

namespace icount {
namespace {

/// main calls f a hundred times, which calls g five times each; in head f costs so much more itself, and g is gone.
struct Inlined {
  int64_t body = 100;           ///< of a call of g
  int64_t gain = 0;             ///< of all calls of f
  int64_t below = 0;            ///< what a call of g costs below it, in a function that others call, too
  int64_t others = 0;           ///< calls of g by main, on both sides
  int64_t fresh = 0;            ///< what a call of f costs in a function that it calls in head
  const char* object = "prog";  ///< of g
};

GraphBuilder before(const Inlined& of) {
  GraphBuilder graph;
  graph.function("main", 50).function("f", 100'000).function("deep", 507 * of.below);
  graph.calls("main", "f", 100).calls("main", "deep", 7);
  graph.in("main.cc", of.object).function("g", (500 + of.others) * of.body).in("main.cc").calls("f", "g", 500);
  if (of.others > 0) graph.calls("main", "g", of.others);
  return of.below > 0 ? graph.calls("g", "deep", 500) : graph;
}
GraphBuilder after(const Inlined& of) {
  GraphBuilder graph;
  graph.function("main", 50).function("f", 100'000 + of.gain).function("deep", 7 * of.below);
  graph.calls("main", "f", 100).calls("main", "deep", 7);
  if (of.others > 0) graph.in("main.cc", of.object).function("g", of.others * of.body).calls("main", "g", of.others);
  if (of.fresh > 0) graph.in("main.cc").function("fresh", 100 * of.fresh).calls("f", "fresh", 100);
  return graph;
}

bool is_inlined(const Inlined& of) {
  const JoinedPair there(before(of), after(of)), back(after(of), before(of));
  const std::vector<InliningMove> moves = find_inlining_moves(there.joined, there.flow),
                                  turned = find_inlining_moves(back.joined, back.flow);
  EXPECT_EQ(moves.size(), turned.size()) << "whichever is base";
  return !moves.empty();
}

TEST(InliningTest, WhatMoves) {
  const JoinedPair pair(before({.gain = 40'000}), after({.gain = 40'000}));
  const std::vector<InliningMove> moves = find_inlining_moves(pair.joined, pair.flow);
  ASSERT_EQ(moves.size(), 1u);
  const auto& terms = pair.flow.figures.terms;
  EXPECT_EQ(moves[0].caller, pair.node("f"));
  EXPECT_TRUE(moves[0].into_caller);
  EXPECT_FALSE(moves[0].callee_is_known) << "it is gone, and no line tells";
  EXPECT_EQ(moves[0].lost_edges, std::vector<uint32_t>{pair.edge("f", "g")});
  ASSERT_EQ(moves[0].own_terms.size(), 1u);
  EXPECT_EQ(terms[moves[0].own_terms[0]].value, 40'000);
  ASSERT_EQ(moves[0].call_terms.size(), 1u);
  EXPECT_EQ(terms[moves[0].call_terms[0]].value, -50'000);
}

TEST(InliningTest, TheOtherWayRoundItIsSplitOff) {
  const JoinedPair pair(after({.gain = 40'000}), before({.gain = 40'000}));
  const std::vector<InliningMove> moves = find_inlining_moves(pair.joined, pair.flow);
  ASSERT_EQ(moves.size(), 1u);
  EXPECT_FALSE(moves[0].into_caller);
}

TEST(InliningTest, TheCallerGainsFromThreeTenthsToFiveQuartersOfTheBody) {
  EXPECT_TRUE(is_inlined({.gain = 15'001}));
  EXPECT_FALSE(is_inlined({.gain = 14'999}));
  EXPECT_TRUE(is_inlined({.gain = 62'500}));
  EXPECT_FALSE(is_inlined({.gain = 62'501}));
  EXPECT_FALSE(is_inlined({.gain = 0}));
  EXPECT_FALSE(is_inlined({.gain = -30'000}));
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

TEST(InliningTest, WhatIsWorthMoreThanTwoSmallBodiesIsNotSmall) {
  EXPECT_TRUE(is_inlined({.body = 10, .gain = -500, .below = 110}));
  EXPECT_FALSE(is_inlined({.body = 10, .gain = -500, .below = 111}));
}

TEST(InliningTest, OnlyOfTheCallersObjectAndOnlyWhereItIsGone) {
  EXPECT_FALSE(is_inlined({.gain = 40'000, .object = "lib.so"}));
  EXPECT_FALSE(is_inlined({.gain = 40'000, .others = 5})) << "others still call it";
}

TEST(InliningTest, ACallerThatCallsSomethingElseInsteadWasRewritten) {
  EXPECT_FALSE(is_inlined({.gain = 40'000, .fresh = 2}));
  EXPECT_TRUE(is_inlined({.gain = 40'000, .fresh = 1})) << "next to nothing";
}

}  // namespace
}  // namespace icount
