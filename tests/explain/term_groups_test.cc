// In which group of noise a term happens, and what is told of a routine by its caller instead.
#include "icount/explain/claims/noise_fold.h"

#include <gtest/gtest.h>

#include <string>

#include "joined_pair.h"

namespace icount {
namespace {

/// One pair of two equal sides, whose terms are asked for.
class TermGroupsTest : public testing::Test {
 protected:
  TermGroupsTest() { built_.function("main", 10); }

  /// So many calls of a function by another one, which cost so much in all.
  void call(const char* caller, const char* callee, int64_t calls, int64_t self) {
    built_.function(callee, self).calls(caller, callee, calls, self);
  }
  std::string of_own_cost(const char* function, MatchedBy by = MatchedBy::kName) const {
    JoinedPair pair(built_, built_);
    pair.joined.functions[pair.function(function)].by = by;
    return group(pair, {TermKind::kOwnCost, pair.node(function), 1});
  }
  std::string of_entry(const char* function) const {
    const JoinedPair pair(built_, built_);
    return group(pair, {TermKind::kEntry, pair.node(function), 1});
  }
  std::string of_calls(const char* caller, const char* callee) const {
    const JoinedPair pair(built_, built_);
    return group(pair, {TermKind::kCalls, pair.edge(caller, callee), 1});
  }
  static std::string group(const JoinedPair& pair, const Term& term) {
    return std::string(TermGroups(pair.joined, pair.flow).of_term(term));
  }

  GraphBuilder built_;
};

TEST_F(TermGroupsTest, OwnCostIsOfTheFunctionsGroup) {
  call("main", "malloc", 5, 500);
  EXPECT_EQ(of_own_cost("malloc"), "allocator");
  EXPECT_EQ(of_own_cost("main"), "");
  EXPECT_EQ(of_entry("malloc"), "allocator");
  EXPECT_EQ(of_entry("main"), "");
}

TEST_F(TermGroupsTest, ARoutineThatWasExchangedIsACause) {
  call("main", "malloc", 5, 500);
  for (const MatchedBy by : {MatchedBy::kNothing, MatchedBy::kName, MatchedBy::kPlace}) {
    EXPECT_TRUE(matched_silently(by));
    EXPECT_EQ(of_own_cost("malloc", by), "allocator");
  }
  for (const MatchedBy by : {MatchedBy::kObject, MatchedBy::kDispatch, MatchedBy::kEvidence}) {
    EXPECT_FALSE(matched_silently(by));
    EXPECT_EQ(of_own_cost("malloc", by), "");
  }
}

TEST_F(TermGroupsTest, CallsAreOfTheirCallersGroup) {
  call("main", "malloc", 5, 500);
  call("malloc", "_int_malloc", 5, 700);
  EXPECT_EQ(of_calls("malloc", "_int_malloc"), "allocator");
  EXPECT_EQ(of_calls("main", "malloc"), "");
}

TEST_F(TermGroupsTest, ACallMostOfWhoseWorthLiesOutsideIsACause) {
  call("main", "pthread_once", 1, 10);
  call("pthread_once", "malloc", 10, 500);
  call("malloc", "parse", 10, 500);
  EXPECT_EQ(of_calls("pthread_once", "malloc"), "locks") << "half of it";
  call("malloc", "parse", 0, 2);
  EXPECT_EQ(of_calls("pthread_once", "malloc"), "");
  EXPECT_EQ(of_calls("malloc", "parse"), "");
}

TEST_F(TermGroupsTest, AFunctionWithoutANameIsOfTheGroupOfItsLibrarysCallers) {
  const char* const nameless = "0x00000000000a8160";
  call("main", "__gxx_personality_v0", 5, 500);
  call("__gxx_personality_v0", nameless, 9, 700);
  EXPECT_EQ(of_own_cost(nameless), "unwinding of exceptions");
  EXPECT_EQ(of_calls("__gxx_personality_v0", nameless), "unwinding of exceptions");
  call(nameless, "0x00000000000a8260", 9, 700);
  EXPECT_EQ(of_own_cost("0x00000000000a8260"), "unwinding of exceptions");
  call("main", nameless, 1, 10);
  EXPECT_EQ(of_own_cost(nameless), "");
  call("main", "pthread_once", 1, 10);
  built_.in("user.cc", "user.so");
  call("pthread_once", "0x0000000000001234", 1, 700);
  EXPECT_EQ(of_own_cost("0x0000000000001234"), "") << "what another library has done once";
}

TEST_F(TermGroupsTest, WhatTheLoaderCallsIsItsOwn) {
  call("main", "_dl_init", 1, 10);
  call("_dl_init", "parse", 1, 5000);
  EXPECT_EQ(of_calls("_dl_init", "parse"), "dynamic loader");
}

TEST_F(TermGroupsTest, ARecursionIsCountedOnce) {
  call("main", "pthread_once", 1, 10);
  call("pthread_once", "malloc", 10, 400);
  call("malloc", "parse", 10, 500);
  built_.calls("malloc", "malloc", 5);
  EXPECT_EQ(of_calls("pthread_once", "malloc"), "");
}

TEST_F(TermGroupsTest, WhatMostOfACallIsInIsFoundHoweverDeep) {
  call("main", "mi_page_0", 1, 10);
  const char* const chain[] = {"mi_page_0", "mi_page_1", "mi_page_2", "mi_page_3",
                               "mi_page_4", "mi_page_5", "mi_page_6", "mi_page_7"};
  for (size_t i = 0; i < 6; ++i) call(chain[i], chain[i + 1], 1, i == 5 ? 1000 : 10);
  EXPECT_EQ(of_calls("mi_page_0", "mi_page_1"), "allocator");
  call("mi_page_6", "mi_page_7", 1, 5000);
  EXPECT_EQ(of_calls("mi_page_0", "mi_page_1"), "allocator");
  call("mi_page_7", "parse", 1, 7000);
  EXPECT_EQ(of_calls("mi_page_0", "mi_page_1"), "");
}

TEST_F(TermGroupsTest, WhoBindsASymbolMeansNothing) {
  call("main", "_dl_runtime_resolve_xsavec", 3, 900);
  EXPECT_EQ(of_calls("main", "_dl_runtime_resolve_xsavec"), "dynamic loader");
  call("main", "_dl_fixup", 3, 900);
  EXPECT_EQ(of_calls("main", "_dl_fixup"), "");
}

TEST_F(TermGroupsTest, TheResolverIsOnBothSidesOrOnlyOnOne) {
  call("main", "_dl_runtime_resolve", 3, 900);
  const auto with = [&](std::string_view base, std::string_view head) {
    JoinedPair pair(built_, built_);
    JoinedFunction& resolver = pair.joined.functions[pair.function("_dl_runtime_resolve")];
    const uint32_t edge = pair.edge("main", "_dl_runtime_resolve");
    resolver.base_name = base;
    resolver.head_name = head;
    return group(pair, {TermKind::kCalls, edge, 1});
  };
  EXPECT_EQ(with("_dl_runtime_resolve_xsave", "_dl_runtime_resolve_fxsave"), "dynamic loader");
  EXPECT_EQ(with("", "_dl_runtime_resolve_fxsave"), "dynamic loader");
  EXPECT_EQ(with("_dl_runtime_resolve_fxsave", ""), "dynamic loader");
  EXPECT_EQ(with("parse", "_dl_runtime_resolve_fxsave"), "");
  EXPECT_EQ(with("_dl_runtime_resolve_fxsave", "parse"), "");
}

TEST_F(TermGroupsTest, ACycleIsOfTheGroupThatAllOfItAreIn) {
  call("main", "malloc", 5, 500);
  call("malloc", "_int_malloc", 5, 700);
  call("_int_malloc", "malloc", 2, 0);
  EXPECT_EQ(of_own_cost("malloc"), "allocator");
  const JoinedPair pair(built_, built_);
  EXPECT_EQ(matched_by(pair.joined, pair.flow, pair.node("malloc")), MatchedBy::kName);
  call("_int_malloc", "parse", 2, 10);
  call("parse", "malloc", 2, 0);
  EXPECT_EQ(of_own_cost("malloc"), "") << "parse is in none";
}

TEST_F(TermGroupsTest, HowACycleWasMatchedIsNotAsked) {
  call("main", "malloc", 5, 500);
  call("malloc", "_int_malloc", 5, 700);
  JoinedPair pair(built_, built_);
  for (JoinedFunction& function : pair.joined.functions) function.by = MatchedBy::kEvidence;
  EXPECT_EQ(matched_by(pair.joined, pair.flow, pair.node("malloc")), MatchedBy::kEvidence);
  call("_int_malloc", "malloc", 2, 0);
  JoinedPair cycle(built_, built_);
  for (JoinedFunction& function : cycle.joined.functions) function.by = MatchedBy::kEvidence;
  EXPECT_EQ(matched_by(cycle.joined, cycle.flow, cycle.node("malloc")), MatchedBy::kName);
}

/// copy calls memcpy; its calls' share of the routine's own cost is told with the calls, or not.
class TellByCallerTest : public testing::Test {
 protected:
  TellByCallerTest() { callee("memcpy"); }
  void callee(const char* name) {
    name_ = name;
    built_ = GraphBuilder();
    built_.function("main", 10).function("copy", 10).function(name, 1000);
    built_.calls("main", "copy", 1, 1010).calls("copy", name, 10, 1000);
  }
  /// What is told of the routine itself, and with the calls; the whole changed by 10,000.
  std::array<long double, 2> told(long double before, long double after, long double value = 300,
                                  bool has_terms = true) {
    JoinedPair pair(built_, built_);
    const uint32_t edge = pair.edge("copy", name_), node = pair.node(name_);
    if (has_terms)
      pair.flow.figures.terms = {
          {TermKind::kCalls, node, 5}, {TermKind::kOwnCost, node, 400}, {TermKind::kCalls, edge, 7}};
    pair.flow.figures.joined_prices.assign(pair.flow.condensed.graph.edges.size(), {0, 0});
    pair.flow.figures.caller_shares = {{edge, 10, {before, after}, value}};
    tell_by_caller(pair.joined, pair.flow, -10'000);
    std::array<long double, 2> sums{};
    for (const Term& term : pair.flow.figures.terms) {
      if (term.kind == TermKind::kOwnCost && term.index == node) sums[0] += term.value;
      if (term.kind == TermKind::kCalls && term.index == edge) sums[1] += term.value;
    }
    priced_ = pair.flow.figures.joined_prices[edge];
    return sums;
  }
  using Two = std::array<long double, 2>;

  GraphBuilder built_;
  const char* name_ = "";
  Two priced_{};
};

TEST_F(TellByCallerTest, WhatARoutineCostsIsUpToItsCaller) {
  EXPECT_EQ(told(100, 130), (Two{100, 307}));
  EXPECT_EQ(priced_, (Two{100, 130}));
  EXPECT_EQ(told(130, 100, -300), (Two{700, -293}));
  EXPECT_EQ(told(100, 130, 300, false), (Two{-300, 300})) << "terms come into being";
}

TEST_F(TellByCallerTest, AHundredthOfTheChangeIsEnough) {
  EXPECT_EQ(told(100, 130, 100), (Two{300, 107}));
  EXPECT_EQ(told(100, 130, 99), (Two{400, 7}));
  EXPECT_EQ(priced_, (Two{0, 0}));
  EXPECT_EQ(told(130, 100, -99), (Two{400, 7}));
}

TEST_F(TellByCallerTest, CallsThatCostATwentiethMoreOrLess) {
  EXPECT_EQ(told(100, 106), (Two{100, 307}));
  EXPECT_EQ(told(100, 105), (Two{400, 7})) << "105 is less than a twentieth from 100";
  EXPECT_EQ(told(106, 100), (Two{100, 307}));
  EXPECT_EQ(told(105, 100), (Two{400, 7}));
}

TEST_F(TellByCallerTest, OnlyARoutineOfALibraryThatCallsNothing) {
  callee("parse");
  EXPECT_EQ(told(100, 130), (Two{400, 7}));
  callee("memcpy");
  built_.function("leaf", 5).calls("memcpy", "leaf", 1, 5);
  EXPECT_EQ(told(100, 130), (Two{400, 7}));
}

}  // namespace
}  // namespace icount
