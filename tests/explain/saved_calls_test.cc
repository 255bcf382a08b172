// What a function that was inlined no longer calls is told apart from the inlining.
#include "icount/explain/claims/relations.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "joined_pair.h"

namespace icount {
namespace {

/// main calls f a hundred times, which calls trim five times each; in head trim's code is in f. Each call of trim
/// called length once, which main calls as well.
struct Trimmed {
  int64_t length = 80;          ///< cost of a call of length
  int64_t body = 100;           ///< of a call of trim, of itself
  int64_t gain = 40'000;        ///< of all calls of f
  int64_t kept = 0;             ///< calls of length that f makes in head
  const char* object = "libc";  ///< of length
  bool nested = false;          ///< trim calls it by way of a function that is inlined with it
};

GraphBuilder before(const Trimmed& of) {
  GraphBuilder graph;
  graph.function("main", 50).function("f", 100'000).function("trim", 500 * of.body);
  const int64_t steps = of.nested ? 5000 : 0, lengths = 500 * of.length, trims = 500 * of.body + steps + lengths;
  graph.calls("main", "f", 100, 100'000 + trims).calls("f", "trim", 500, trims);
  if (of.nested) graph.function("step", steps).calls("trim", "step", 1000, steps + lengths);
  graph.in("length.c", of.object).function("length", 507 * of.length).calls("main", "length", 7, 7 * of.length);
  return graph.calls(of.nested ? "step" : "trim", "length", 500, lengths);
}
GraphBuilder after(const Trimmed& of) {
  GraphBuilder graph;
  graph.function("main", 50).function("f", 100'000 + of.gain).calls("main", "f", 100);
  graph.in("length.c", of.object).function("length", (7 + of.kept) * of.length).calls("main", "length", 7);
  return of.kept > 0 ? graph.calls("f", "length", of.kept) : graph;
}

struct Found {
  std::vector<SavedCalls> saved;
  uint32_t edge = 0;  ///< the call of length
};

Found find(const GraphBuilder& base, const GraphBuilder& head, const Trimmed& of, bool is_known = true) {
  const JoinedPair pair(base, head);
  std::vector<int64_t> values;
  for (const Term& term : pair.flow.figures.terms) values.push_back(std::llround(term.value));
  Found found;
  found.edge = pair.edge(of.nested ? "step" : "trim", "length");
  std::vector<InliningMove> moves = find_inlining_moves(pair.joined, pair.flow);
  EXPECT_EQ(moves.size(), 1u);
  if (moves.empty()) return found;
  moves[0].callee_is_known = is_known;
  found.saved = find_saved_calls(pair.joined, pair.flow, moves[0], values);
  return found;
}

/// What is told apart, in instructions; 0 where nothing is. The same the other way round, with the other sign.
int64_t told_apart(const Trimmed& of, bool is_known = true) {
  const Found there = find(before(of), after(of), of, is_known), back = find(after(of), before(of), of, is_known);
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

TEST(SavedCallsTest, OnlyWhereTheCalleeIsKnownToBeInlined) { EXPECT_EQ(told_apart({}, false), 0); }

TEST(SavedCallsTest, WhatTheCallerCallsInsteadIsNotSaved) { EXPECT_EQ(told_apart({.kept = 500}), 0); }

TEST(SavedCallsTest, AFunctionOfTheSameLibraryMayBeInlinedItself) { EXPECT_EQ(told_apart({.object = "prog"}), 0); }

TEST(SavedCallsTest, AQuarterOfTheWholeChangeIsWorthTelling) {
  // Without length's the move comes to -10,000: 500 x length of -10,000 - 500 x length.
  EXPECT_EQ(told_apart({.length = 7}), -3500);
  EXPECT_EQ(told_apart({.length = 6}), 0);
}

TEST(SavedCallsTest, WhatComesInTheirPlaceIsAPartOfTheInlining) {
  EXPECT_EQ(told_apart({.length = 10, .gain = 60'000}), 0) << "f grew by more than the calls cost";
}

}  // namespace
}  // namespace icount
