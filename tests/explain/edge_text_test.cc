// The sentence of one call that changed: how often per call, in total, or in parts of a call.
#include "icount/explain/claims/term_causes.h"

#include <gtest/gtest.h>

#include "joined_pair.h"

namespace icount {
namespace {

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

TEST(EdgeTextTest, PerCallOfTheCaller) {
  EXPECT_EQ(text({20, 80}, {20, 40}), "`f` calls `g` 40 times, was 80");
  EXPECT_EQ(text({20, 40}, {20, 80}), "`f` calls `g` 80 times, was 40");
  EXPECT_EQ(text({20, 80}, {40, 40}), "`f` calls `g` once per call, was 4 (40 calls, was 80)");
  EXPECT_EQ(text({20, 80}, {40, 80}), "`f` calls `g` twice per call, was 4 (80 calls)");
  EXPECT_EQ(text({2, 2}, {2, 2000}), "`f` calls `g` 2,000 times, was 2");
  EXPECT_EQ(text({2, 4}, {1, 3}), "`f` calls `g` 3 times per call, was 2 (3 calls, was 4)");
}

TEST(EdgeTextTest, ARateHasThePriceThatGivesTheChange) {
  const auto priced = [](const Counts& base, const Counts& head, int64_t delta) {
    JoinedPair pair(calling(base), calling(head));
    return cause_sentence({.delta = delta, .facts = calls_facts(pair.source(), pair.edge("f", "g"))});
  };
  EXPECT_EQ(priced({100, 5}, {200, 20}, 500), "`f` calls `g` in 10 % of its calls, was 5 % (20 calls, was 5)")
      << "a few calls need no price";
  EXPECT_EQ(priced({200, 50}, {100, 50}, 2500),
            "`f` calls `g` in 50 % of its calls, was 25 %: about 25 more, at 100 each");
  EXPECT_EQ(priced({8000, 2}, {16000, 6}, 500), "`f` calls `g` 6 times, was 2")
      << "what is rare is told by the numbers";
  EXPECT_EQ(priced({20, 80}, {40, 40}, -6000), "`f` calls `g` once per call, was 4: about 60 fewer, at 100 each");
  EXPECT_EQ(priced({20, 80}, {40, 40}, 6000), "`f` calls `g` once per call, was 4 (40 calls, was 80)")
      << "fewer calls that cost more have no price";
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

TEST(EdgeTextTest, InTotalWhereThereIsNoWholeRate) {
  EXPECT_EQ(text({10, 15}, {10, 8}), "`f` calls `g` 8 times, was 15");
  EXPECT_EQ(text({10, 15}, {10, 20}), "`f` calls `g` 20 times, was 15") << "base's is no whole";
  EXPECT_EQ(text({10, 20}, {10, 15}), "`f` calls `g` 15 times, was 20") << "head's is no whole";
  EXPECT_EQ(text({1, 3}, {1, 5}), "`f` calls `g` 5 times, was 3") << "one call of the caller needs no mention";
  EXPECT_EQ(text({100, 5}, {200, 20}), "`f` calls `g` in 10 % of its calls, was 5 % (20 calls, was 5)")
      << "rare, and counts and rates both go up";
  EXPECT_EQ(text({200, 20}, {100, 5}), "`f` calls `g` in 5 % of its calls, was 10 % (5 calls, was 20)");
}

TEST(EdgeTextTest, InTotalWhereItDoesNotScale) {
  EXPECT_EQ(text({1000, 10}, {10, 14}, Fixed::kYes), "`f` calls `g` 14 times, was 10");
  EXPECT_EQ(text({20, 80}, {20, 40}, Fixed::kYes), "`f` calls `g` 40 times, was 80");
  EXPECT_EQ(text({1, 80}, {1, 40}, Fixed::kYes), "`f` calls `g` 40 times, was 80");
  EXPECT_EQ(text({2, 80}, {1, 1}, Fixed::kYes), "`f` calls `g` once, was 80");
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

TEST(EdgeTextTest, EqualCountsOfOtherCallersAreARate) {
  EXPECT_EQ(text({200, 50}, {100, 50}), "`f` calls `g` in 50 % of its calls, was 25 % (50 calls)");
  EXPECT_EQ(text({100, 50}, {200, 50}), "`f` calls `g` in 25 % of its calls, was 50 % (50 calls)");
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
GraphBuilder cycle(int64_t by_a, int64_t by_b) {
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
    const JoinedPair pair(cycle(10, 10), cycle(by_a, by_b));
    return leading_members(pair.source(), pair.edge("a", "x"));
  };
  EXPECT_EQ(told(20, 15), "; mostly by `a`");
  EXPECT_EQ(told(15, 20), "; mostly by `b`");
  EXPECT_EQ(told(20, 10), "") << "all of it is by one: the cause has its name";
}

TEST(LeadingMembersTest, OutsideCyclesThereIsNothingToTell) {
  const JoinedPair pair(cycle(10, 10), cycle(20, 15));
  EXPECT_EQ(leading_members(pair.source(), pair.edge("main", "a")), "") << "one call enters the cycle, as before";
  const JoinedPair plain(calling({10, 20}), calling({10, 30}));
  EXPECT_EQ(leading_members(plain.source(), plain.edge("f", "g")), "");
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

TEST(LeadingMembersTest, FromOneCycleToAnother) {
  const auto graph = [](int64_t by_a, int64_t by_b) {
    return cycle(10, 10)
        .function("y", 5)
        .calls("x", "y", 3)
        .calls("y", "x", 3)
        .calls("a", "x", by_a)
        .calls("b", "x", by_b);
  };
  const JoinedPair pair(graph(0, 0), graph(10, 5));
  EXPECT_EQ(leading_members(pair.source(), pair.edge("a", "x")), "; mostly calls of `x` by `a`");
}

}  // namespace
}  // namespace icount
