// Inlined callees that called others: whose calls the caller took over, what moved with them, several at once.
#include "icount/explain/claims/relations.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "joined_pair.h"

namespace icount {
namespace {

/// main calls f a hundred times, which calls g five times each; that calls `deep` twice each, as main does seven times.
/// In head g is gone, and f calls `deep` itself.
struct TakenOver {
  int64_t body = 100;           ///< of a call of g
  int64_t gain = 0;             ///< of a call of f
  int64_t deep = 1000;          ///< what a call of it costs
  int64_t deep_in_head = -1;    ///< -1: as much
  int64_t calls = 1000;         ///< of it by f in head
  int64_t own_calls = 0;        ///< of it by f on both sides beside
  const char* object = "prog";  ///< of g
};

GraphBuilder before(const TakenOver& of) {
  GraphBuilder graph;
  graph.function("main", 50).function("f", 100'000).function("deep", (1007 + of.own_calls) * of.deep);
  graph.calls("main", "f", 100).calls("main", "deep", 7);
  if (of.own_calls > 0) graph.calls("f", "deep", of.own_calls);
  graph.in("main.cc", of.object).function("g", 500 * of.body);
  return graph.calls("f", "g", 500).calls("g", "deep", 1000);
}
GraphBuilder after(const TakenOver& of) {
  const int64_t price = of.deep_in_head < 0 ? of.deep : of.deep_in_head, calls = of.calls + of.own_calls;
  GraphBuilder graph;
  graph.function("main", 50).function("f", 100'000 + 100 * of.gain).function("deep", (7 + calls) * price);
  return graph.calls("main", "f", 100).calls("main", "deep", 7).calls("f", "deep", calls);
}

std::vector<InliningMove> moves_of(const JoinedPair& pair) { return find_inlining_moves(pair.joined, pair.flow); }

bool is_inlined(const TakenOver& of) {
  const JoinedPair there(before(of), after(of)), back(after(of), before(of));
  const size_t found = moves_of(there).size();
  EXPECT_EQ(moves_of(back).size(), found) << "whichever is base";
  return found > 0;
}

TEST(InliningMovesTest, CallsThatTheCallerMakesItselfMoveAlong) {
  const TakenOver of{.gain = 300};
  const JoinedPair pair(before(of), after(of));
  const std::vector<InliningMove> moves = moves_of(pair);
  ASSERT_EQ(moves.size(), 1u);
  EXPECT_EQ(moves[0].lost_edges, std::vector<uint32_t>{pair.edge("f", "g")});
  std::vector<std::string> own;
  for (const uint32_t i : moves[0].own_terms) {
    const Term& term = pair.flow.figures.terms[i];
    own.push_back(fmt::format("{} {}", term.kind == TermKind::kOwnCost ? "own" : "calls", std::llround(term.value)));
    EXPECT_EQ(term.index, term.kind == TermKind::kOwnCost ? pair.node("f") : pair.edge("f", "deep"));
  }
  EXPECT_EQ(own, (std::vector<std::string>{"own 30000", "calls 1000000"}));
}

TEST(InliningMovesTest, TheOverheadOfACallMayGo) {
  EXPECT_TRUE(is_inlined({.gain = -60})) << "twelve for each of five";
  EXPECT_FALSE(is_inlined({.gain = -61}));
}

TEST(InliningMovesTest, ATenthMoreOrFewerCallsAreTheSame) {
  EXPECT_TRUE(is_inlined({.calls = 901}));
  EXPECT_FALSE(is_inlined({.calls = 899}));
  EXPECT_TRUE(is_inlined({.calls = 1099}));
  EXPECT_FALSE(is_inlined({.calls = 1101}));
  EXPECT_TRUE(is_inlined({.calls = 901, .own_calls = 400})) << "beside those it made before";
  EXPECT_FALSE(is_inlined({.calls = 899, .own_calls = 400}));
}

TEST(InliningMovesTest, TheyAreWorthHalfOfTheLostCalls) {
  EXPECT_TRUE(is_inlined({.gain = -60, .deep = 51})) << "510 of 1,010";
  EXPECT_FALSE(is_inlined({.gain = -60, .deep = 50}));
  EXPECT_TRUE(is_inlined({.gain = 300, .deep = 50})) << "the body shows";
}

TEST(InliningMovesTest, FromAnotherLibraryNothingIsInlined) {
  EXPECT_FALSE(is_inlined({.gain = 300, .object = "lib.so"}));
}

TEST(InliningMovesTest, ASmallBodyMayVanishUnlessTheCallerLostMore) {
  EXPECT_TRUE(is_inlined({.body = 10, .gain = -45, .deep = 6})) << "three tenths of 50, less 60 for the calls";
  EXPECT_FALSE(is_inlined({.body = 10, .gain = -46, .deep = 6}));
}

TEST(InliningMovesTest, ACallerThatGainedMuchMoreDoesSomethingElse) {
  EXPECT_TRUE(is_inlined({.body = 60, .gain = 4333, .deep = 100})) << "three tenths of it are no more than 1,300";
  EXPECT_FALSE(is_inlined({.body = 60, .gain = 4334, .deep = 100}));
  EXPECT_FALSE(is_inlined({.body = 61, .gain = 4333, .deep = 100})) << "no small body";
}

TEST(InliningMovesTest, WhereWhatTheyCallGrewTheBodiesAreCompared) {
  const auto with = [](int64_t gain) { return is_inlined({.gain = gain, .deep = 60, .deep_in_head = 1200}); };
  EXPECT_TRUE(with(150)) << "three tenths of 500";
  EXPECT_FALSE(with(149));
  EXPECT_TRUE(with(625)) << "five quarters";
  EXPECT_FALSE(with(626));
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

/// f, which costs so much itself, calls these functions, each at so much; main calls it a hundred times.
GraphBuilder calling(const std::vector<std::pair<const char*, int64_t>>& callees, int64_t self) {
  GraphBuilder graph;
  graph.function("main", 50).function("f", 100 * self).calls("main", "f", 100);
  for (const auto& [callee, cost] : callees) graph.function(callee, 100 * cost).calls("f", callee, 100);
  return graph;
}

TEST(InliningMovesTest, SeveralMoveTogetherTheWeightiestFirst) {
  const JoinedPair pair(calling({{"a", 100}, {"b", 300}, {"c", 200}}, 1000), calling({}, 1500));
  const std::vector<InliningMove> moves = moves_of(pair);
  ASSERT_EQ(moves.size(), 1u);
  EXPECT_EQ(moves[0].lost_edges,
            (std::vector<uint32_t>{pair.edge("f", "b"), pair.edge("f", "c"), pair.edge("f", "a")}));
  ASSERT_EQ(moves[0].call_terms.size(), 3u);
  for (size_t i = 0; i < 3; ++i)
    EXPECT_EQ(pair.flow.figures.terms[moves[0].call_terms[i]].index, moves[0].lost_edges[i]);
  EXPECT_EQ(moves[0].own_terms.size(), 1u);
}

TEST(InliningMovesTest, TogetherTheyFitWhatTheCallerGained) {
  const auto is_inlined_into = [](int64_t gained) {
    return !moves_of(JoinedPair(calling({{"a", 100}, {"b", 300}}, 1000), calling({}, 1000 + gained))).empty();
  };
  EXPECT_TRUE(is_inlined_into(121));
  EXPECT_FALSE(is_inlined_into(119));
  EXPECT_TRUE(is_inlined_into(500));
  EXPECT_FALSE(is_inlined_into(501));
}

}  // namespace
}  // namespace icount
