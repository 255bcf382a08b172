// Causes of single terms: their fields and places, that they come to the change, their groups of noise, their order.
#include "icount/explain/claims/claims.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "icount/explain/claims/noise_fold.h"
#include "icount/explain/claims/term_causes.h"
#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"
#include "joined_pair.h"

namespace icount {
namespace {

/// A GroupedCause that outlives its graphs.
struct Told {
  Cause cause;
  std::array<std::string, 2> objects;
  uint32_t node = GroupedCause::kNoNode;
};

std::vector<Told> told(const std::vector<GroupedCause>& causes) {
  std::vector<Told> all;
  for (const GroupedCause& one : causes)
    all.push_back({one.cause, {std::string(one.objects[0]), std::string(one.objects[1])}, one.node});
  return all;
}

/// The only one of a kind.
Told only(const std::vector<Told>& causes, CauseKind kind) {
  Told found;
  int count = 0;
  for (const Told& one : causes)
    if (one.cause.kind == kind) found = one, ++count;
  EXPECT_EQ(count, 1);
  return found;
}

/// main in its own file and object calls f so often, which costs so much in all; a program around it costs `other`.
GraphBuilder program(int64_t calls, int64_t self, int64_t other = 10) {
  GraphBuilder graph;
  graph.in("src/main.c", "prog").line("main", "src/main.c", 3, other);
  graph.in("src/f.c", "lib.so").line("f", "src/f.c", 20, self / 2).line("f", "src/f.c", 21, self - self / 2);
  return graph.calls("main", "f", calls);
}

TEST(CauseListTest, WhatSaturatedCountsLeaveIsTheRest) {
  const JoinedPair pair(program(10, 60), program(10, 140));
  const std::vector<Told> causes = told(make_causes(pair.joined, pair.flow, 100'080));
  const Cause rest = only(causes, CauseKind::kRest).cause;
  EXPECT_EQ(rest.delta, 100'000);
  EXPECT_EQ(cause_sentence(rest), "call counts exceed 64 bits: what the other causes leave unexplained");
}

TEST(TotalCostCausesTest, EveryFunctionThatChanged) {
  JoinedPair pair(program(10, 60), program(10, 140));
  const std::vector<GroupedCause> causes = make_total_cost_causes(pair.joined);
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].cause.kind, CauseKind::kOwnCost);
  EXPECT_EQ(causes[0].cause.function, "f");
  EXPECT_EQ(causes[0].cause.delta, 80);
  EXPECT_EQ(causes[0].cause.object, "lib.so");
  EXPECT_EQ(cause_sentence(causes[0].cause), "`f` itself costs 140 in total, was 60");
  EXPECT_EQ(causes[0].group, "");
}

TEST(TotalCostCausesTest, OtherNamesAreToldEvenUnchanged) {
  JoinedPair pair(program(10, 60), program(10, 60));
  JoinedFunction& function = pair.joined.functions[pair.function("f")];
  function.by = MatchedBy::kEvidence;
  function.base_name = "g";
  const std::vector<GroupedCause> causes = make_total_cost_causes(pair.joined);
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].cause.kind, CauseKind::kRenamed);
  EXPECT_EQ(causes[0].cause.delta, 0);
  function.by = MatchedBy::kPlace;
  EXPECT_TRUE(make_total_cost_causes(pair.joined).empty()) << "the same without a symbol";
}

class TermCausesTest : public testing::Test {
 protected:
  /// The number of a term of these sides, whose causes are asked for.
  uint32_t term(const GraphBuilder& base, const GraphBuilder& head, TermKind kind, const char* name,
                const char* callee = nullptr) {
    pair_.emplace(base, head);
    const CostGraph there = base.graph(), back = head.graph();
    change_ = back.totals[0] - there.totals[0];
    const uint32_t index = callee ? pair_->edge(name, callee) : pair_->node(name);
    const auto& terms = pair_->flow.figures.terms;
    for (uint32_t i = 0; i < terms.size(); ++i)
      if (terms[i].kind == kind && terms[i].index == index) return i;
    throw std::runtime_error("no such term");
  }
  TermCauses causes() const { return TermCauses(pair_->joined, pair_->flow, change_); }
  Cause cause(uint32_t term) const { return causes().cause_of(term); }

  std::optional<JoinedPair> pair_;
  int64_t change_ = 0;
};

/// main calls run ten times, which costs so much on its lines.
GraphBuilder lines(int64_t of_12, const char* file = "src/run.c") {
  GraphBuilder graph;
  graph.in("src/main.c", "/bin/prog").line("main", "src/main.c", 3, 100).in("src/run.c", "/opt/librun.so");
  graph.line("run", "src/run.c", 10, 500).line("run", file, 11, 10).line("run", file, 12, of_12);
  return graph.calls("main", "run", 10);
}

TEST_F(TermCausesTest, OwnCostPerCallAndTheLineThatCarriesIt) {
  const uint32_t own = term(lines(210), lines(1210), TermKind::kOwnCost, "run");
  const Cause found = cause(own);
  EXPECT_EQ(found.kind, CauseKind::kOwnCost);
  EXPECT_EQ(found.function, "run");
  EXPECT_EQ(found.delta, 1000);
  EXPECT_EQ(cause_sentence(found), "`run` itself costs 172 per call, was 72 (10 calls)");
  EXPECT_EQ(found.change_per_call, 100);
  EXPECT_EQ(found.file, "src/run.c");
  EXPECT_EQ(found.line, 12u);
  EXPECT_EQ(found.object, "/opt/librun.so");
  EXPECT_EQ(found.cycle, "");
  EXPECT_EQ(causes().node_of(own), pair_->node("run"));
  EXPECT_TRUE(causes().tells_something(own));
}

TEST_F(TermCausesTest, ALineOfAnotherFileIsThatFiles) {
  const Cause found = cause(term(lines(210, "inc/run.h"), lines(1210, "inc/run.h"), TermKind::kOwnCost, "run"));
  EXPECT_EQ(found.file, "inc/run.h");
  EXPECT_EQ(found.line, 12u);
}

TEST_F(TermCausesTest, LinesAreLookedAtFromAHundredthOfTheChangeOn) {
  const uint32_t own = term(lines(210), lines(1210), TermKind::kOwnCost, "run");
  for (const int64_t change : {100'000, -100'000}) {
    change_ = change;
    EXPECT_EQ(cause(own).line, 12u);
    change_ = change < 0 ? change - 1 : change + 1;
    EXPECT_EQ(cause(own).line, 10u) << "where it begins";
  }
}

TEST_F(TermCausesTest, AnEntryIsOfNoFunction) {
  GraphBuilder base, head;
  base.in("a.c").line("main", "a.c", 1, 100).line("start", "a.c", 8, 70).calls("main", "start", 1);
  head.in("a.c").line("main", "a.c", 1, 100).line("start", "a.c", 8, 70);
  const uint32_t entry = term(base, head, TermKind::kEntry, "start");
  const Cause found = cause(entry);
  EXPECT_EQ(found.kind, CauseKind::kEntry);
  EXPECT_EQ(found.function, "start");
  EXPECT_EQ(found.delta, 70);
  EXPECT_EQ(found.line, 8u);
  EXPECT_EQ(causes().node_of(entry), TermCauses::kNoNode);
}

TEST_F(TermCausesTest, ObjectsAreOfTheSidesThatHaveTheFunction) {
  GraphBuilder base = lines(210), head = lines(210);
  base.in("a.c", "/lib/libold.so").line("gone", "a.c", 1, 70).calls("main", "gone", 7);
  head.in("a.c", "/lib/libnew.so").line("fresh", "a.c", 1, 70).calls("main", "fresh", 7);
  term(base, head, TermKind::kCalls, "main", "gone");
  using Objects = std::array<std::string_view, 2>;
  EXPECT_EQ(causes().objects_of(pair_->node("gone")), (Objects{"/lib/libold.so", ""}));
  EXPECT_EQ(causes().objects_of(pair_->node("fresh")), (Objects{"", "/lib/libnew.so"}));
  EXPECT_EQ(causes().objects_of(pair_->node("run")), (Objects{"/opt/librun.so", "/opt/librun.so"}));
  Cause gone;
  causes().set_place(gone, pair_->node("gone"));
  EXPECT_EQ(gone.object, "/lib/libold.so") << "base's, where head has none";
}

/// main calls a ten times; a and b call each other.
GraphBuilder cycle(int64_t a, int64_t b, int64_t calls = 10) {
  GraphBuilder graph;
  graph.in("a.c").line("main", "a.c", 1, 100).line("a", "a.c", 20, a).line("b", "a.c", 30, b);
  return graph.calls("main", "a", calls).calls("a", "b", 30).calls("b", "a", 20);
}

TEST_F(TermCausesTest, ACycleIsToldByItsMembers) {
  const uint32_t own = term(cycle(1000, 500), cycle(3000, 400), TermKind::kOwnCost, "a");
  const Cause found = cause(own);
  EXPECT_EQ(found.kind, CauseKind::kCluster);
  EXPECT_EQ(found.delta, 1900);
  EXPECT_FALSE(found.change_per_call);
  EXPECT_TRUE(cause_sentence(found).starts_with("`a` (a recursion of 2 functions) ")) << cause_sentence(found);
  EXPECT_EQ(found.function, found.cycle);
  EXPECT_EQ(found.line, 20u) << "where its most expensive function begins";
  ASSERT_EQ(found.inside.size(), 2u);
  EXPECT_EQ(found.inside[0].function, "a");
  EXPECT_EQ(found.inside[0].kind, CauseKind::kOwnCost);
  EXPECT_EQ(found.inside[0].delta, 2000);
  EXPECT_EQ(cause_sentence(found.inside[0]), "`a` itself costs 300 per call from outside, was 100");
  EXPECT_EQ(found.inside[1].function, "b");
  EXPECT_EQ(found.inside[1].delta, -100);
}

TEST_F(TermCausesTest, CallsIntoACycleAreNamedByTheFunctionTheyEnter) {
  const uint32_t calls = term(cycle(1000, 500), cycle(2000, 1000, 20), TermKind::kCalls, "main", "a");
  const Cause found = cause(calls);
  EXPECT_EQ(found.caller, "main");
  EXPECT_EQ(found.callee, "a");
  EXPECT_EQ(found.delta, 1500);
  EXPECT_TRUE(cause_sentence(found).starts_with("`main` calls `a`")) << cause_sentence(found);
  TermCauses one = causes();
  const std::vector<std::string> names = one.source().names;
  one.cause_of(calls);
  EXPECT_EQ(one.source().names, names) << "as they were";
}

Cause cause(const char* function, int64_t delta, CauseKind kind = CauseKind::kOwnCost) {
  Cause made;
  made.kind = kind;
  made.function = function;
  made.facts = fact::Said{function};
  made.delta = delta;
  return made;
}

GroupedCause in_group(Cause of, const char* group) {
  GroupedCause made;
  made.cause = std::move(of);
  made.group = group;
  return made;
}

TEST(FoldNoiseTest, AGroupIsOneLineWithItsSumAndItsMembers) {
  std::vector<Cause> found =
      fold_noise({in_group(cause("free", -20), "allocator"), in_group(cause("f", 7), ""),
                  in_group(cause("malloc", 50), "allocator"), in_group(cause("realloc", 3), "allocator")},
                 1000);
  sort_causes(found);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].kind, CauseKind::kGroup);
  EXPECT_EQ(found[0].function, "allocator");
  EXPECT_EQ(found[0].delta, 33);
  EXPECT_EQ(found[0].inside.size(), 3u);
  EXPECT_EQ(cause_sentence(found[0]), "inside the allocator: `malloc` (+50), `free` (-20) and `realloc` (+3)");
  EXPECT_EQ(cause_sentence(found[1]), "f");
}

TEST(FoldNoiseTest, WhatMakesMostOfTheChangeIsNoNoise) {
  const auto rows = [](int64_t delta) {
    return fold_noise({in_group(cause("strncpy", 90), "libc strings"), in_group(cause("strcpy", 8), "libc strings"),
                       in_group(cause("strlen", 1), "libc strings")},
                      delta)
        .size();
  };
  EXPECT_EQ(rows(100), 2u) << "strncpy, and the group";
  EXPECT_EQ(rows(-100), 1u);
  EXPECT_EQ(rows(200), 1u);
  EXPECT_EQ(rows(20), 1u) << "what others take back";
}

TEST(FoldNoiseTest, AGroupDoesNotLeadWhereACauseIsHalfAsLarge) {
  const auto program = [](int64_t malloc, int64_t free, int64_t run) {
    GraphBuilder graph;
    graph.function("main", 10).function("run", run).function("malloc", malloc).function("free", free);
    return graph.calls("main", "run", 1).calls("run", "malloc", 10).calls("run", "free", 10).graph();
  };
  const auto first = [&](int64_t run) {
    return explain(program(1'000, 1'000, 1'000), program(2'000, 2'000, run)).causes.at(0).function;
  };
  EXPECT_EQ(first(2'000), "run");
  EXPECT_EQ(first(1'999), "allocator");
}

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

TEST_F(TermGroupsTest, ACallMostOfWhoseWorthLiesOutsideIsACause) {
  call("main", "pthread_once", 1, 10);
  call("pthread_once", "malloc", 10, 500);
  call("malloc", "parse", 10, 500);
  EXPECT_EQ(of_calls("pthread_once", "malloc"), "locks") << "half of it";
  call("malloc", "parse", 0, 2);
  EXPECT_EQ(of_calls("pthread_once", "malloc"), "");
  EXPECT_EQ(of_calls("malloc", "parse"), "");
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

}  // namespace
}  // namespace icount
