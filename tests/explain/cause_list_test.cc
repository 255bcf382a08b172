// Causes before anything is folded: their fields, whom they are about, and that they come to the change.
#include "icount/explain/claims/claims.h"

#include <gtest/gtest.h>

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

std::vector<Told> causes_of(const GraphBuilder& base, const GraphBuilder& head) {
  const JoinedPair pair(base, head);
  const int64_t delta = head.graph().totals[0] - base.graph().totals[0];
  std::vector<Told> causes = told(make_causes(pair.joined, pair.flow, delta));
  int64_t sum = 0;
  for (const Told& one : causes) sum += one.cause.delta;
  EXPECT_EQ(sum, delta);
  return causes;
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

TEST(CauseListTest, FieldsOfOwnCost) {
  const Told found = only(causes_of(program(10, 60), program(10, 140)), CauseKind::kOwnCost);
  EXPECT_EQ(found.cause.function, "f");
  EXPECT_EQ(found.cause.delta, 80);
  EXPECT_EQ(found.cause.change_per_call, 8.0);
  EXPECT_EQ(found.cause.file, "src/f.c");
  EXPECT_EQ(found.cause.line, 20u);
  EXPECT_EQ(found.cause.object, "lib.so");
  EXPECT_EQ(found.cause.cycle, "");
  EXPECT_EQ(found.objects, (std::array<std::string, 2>{"lib.so", "lib.so"}));
}

TEST(CauseListTest, FieldsOfCallsAreTheCallers) {
  const Told found = only(causes_of(program(10, 60), program(25, 150)), CauseKind::kCalls);
  EXPECT_EQ(found.cause.caller, "main");
  EXPECT_EQ(found.cause.callee, "f");
  EXPECT_EQ(found.cause.delta, 90);
  EXPECT_EQ(found.cause.change_per_call, 15.0);
  EXPECT_EQ(found.cause.file, "src/main.c");
  EXPECT_EQ(found.cause.line, 3u);
  EXPECT_EQ(found.cause.object, "prog");
  EXPECT_EQ(found.objects, (std::array<std::string, 2>{"prog", "prog"}));
}

TEST(CauseListTest, FieldsOfAnEntry) {
  const GraphBuilder called = GraphBuilder().function("main", 10).function("f", 50).calls("main", "f", 1),
                     entered = GraphBuilder().function("main", 10).function("f", 50);
  const std::vector<Told> causes = causes_of(called, entered);
  const Told found = only(causes, CauseKind::kEntry);
  EXPECT_EQ(found.cause.function, "f");
  EXPECT_EQ(found.cause.delta, 50);
  EXPECT_EQ(found.node, GroupedCause::kNoNode);
  EXPECT_FALSE(found.cause.change_per_call);
  const Told calls = only(causes, CauseKind::kCalls);
  EXPECT_NE(calls.node, GroupedCause::kNoNode);
}

TEST(CauseListTest, OfAFunctionThatHeadLacksTheObjectIsBases) {
  GraphBuilder base = GraphBuilder().in("m.c", "old").function("main", 10).in("g.c", "lib").function("g", 50);
  const Told found = only(causes_of(base.calls("main", "g", 1), GraphBuilder().in("m.c", "new").function("main", 10)),
                          CauseKind::kCalls);
  EXPECT_EQ(found.cause.object, "new");
  EXPECT_EQ(found.objects, (std::array<std::string, 2>{"old", "new"}));
  const auto renamed =
      causes_of(GraphBuilder().in("m.c", "old").function("gone", 50), GraphBuilder().function("new", 9));
  EXPECT_EQ(renamed.size(), 2u);
  for (const Told& one : renamed)
    if (one.cause.function == "gone") {
      EXPECT_EQ(one.cause.object, "old");
      EXPECT_EQ(one.objects, (std::array<std::string, 2>{"old", ""}));
    }
}

TEST(CauseListTest, LinesAreToldFromAHundredthOfTheChangeOn) {
  const auto text = [](int64_t others) {
    GraphBuilder base = program(10, 60), head = program(10, 60, 10 + others);
    head.line("f", "src/f.c", 21, 10);
    for (const Told& one : causes_of(base, head))
      if (one.cause.function == "f") return cause_sentence(one.cause);
    return std::string();
  };
  EXPECT_EQ(text(990), "`f` itself costs 7 per call, was 6 (10 calls)");
  EXPECT_EQ(text(991), "`f` itself costs 7 per call, was 6 (10 calls)");
}

/// main calls a; a and b call each other.
GraphBuilder cycle(int64_t a, int64_t b) {
  GraphBuilder graph =
      GraphBuilder().in("m.c").function("main", 10).in("a.c").function("a", a).in("b.c").function("b", b);
  return graph.calls("main", "a", 10).calls("a", "b", 30).calls("b", "a", 30);
}

TEST(CauseListTest, ACycleHasItsMembersInside) {
  const Cause found = only(causes_of(cycle(100, 40), cycle(150, 20)), CauseKind::kCluster).cause;
  EXPECT_EQ(found.function, "cycle of a and 1 more");
  EXPECT_EQ(found.cycle, "cycle of a and 1 more");
  EXPECT_EQ(found.file, "a.c") << "of the most expensive one";
  EXPECT_EQ(found.delta, 30);
  EXPECT_FALSE(found.change_per_call);
  EXPECT_TRUE(cause_sentence(found).ends_with("; mostly in `a`")) << cause_sentence(found);
  ASSERT_EQ(found.inside.size(), 2u);
  EXPECT_EQ(found.inside[0].function, "a");
  EXPECT_EQ(found.inside[0].delta, 50);
  EXPECT_EQ(found.inside[0].kind, CauseKind::kOwnCost);
  EXPECT_EQ(cause_sentence(found.inside[0]), "`a` itself costs 15 per call from outside, was 10");
  EXPECT_EQ(found.inside[1].delta, -20);
}

TEST(CauseListTest, CallsFromACycleAreToldByTheTwoFunctionsThatMakeThemAll) {
  const auto calling = [](int64_t by_b) {
    return cycle(100, 40).in("x.c").function("x", 10 * by_b).calls("b", "x", by_b);
  };
  const Cause found = only(causes_of(calling(10), calling(40)), CauseKind::kCalls).cause;
  EXPECT_EQ(found.caller, "b");
  EXPECT_EQ(found.callee, "x");
  EXPECT_EQ(found.cycle, "cycle of a and 1 more");
  EXPECT_EQ(cause_sentence(found), "`b` calls `x` 40 times, was 10, at 10 each");
}

TEST(CauseListTest, WhatSaturatedCountsLeaveIsTheRest) {
  const JoinedPair pair(program(10, 60), program(10, 140));
  const std::vector<Told> causes = told(make_causes(pair.joined, pair.flow, 100'080));
  const Cause rest = only(causes, CauseKind::kRest).cause;
  EXPECT_EQ(rest.delta, 100'000);
  EXPECT_EQ(cause_sentence(rest), "call counts exceed 64 bits: what the other causes leave unexplained");
}

TEST(CauseListTest, TheOpenerSeesTheCausesAndMayExchangeThem) {
  const JoinedPair pair(program(10, 60), program(10, 140));
  const std::vector<GroupedCause> causes = make_causes(
      pair.joined, pair.flow, 80, [&](const OpenedFlow& flow, const SentenceSource&, std::vector<GroupedCause>& seen) {
        EXPECT_EQ(flow.condensed.graph.nodes.size(), 2u);
        ASSERT_EQ(seen.size(), 1u);
        EXPECT_EQ(seen[0].node, pair.node("f"));
        seen[0].cause.function = "another";
      });
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].cause.function, "another");
}

TEST(CauseListTest, AFunctionUnderAnotherNameIsToldOnceEvenUnchanged) {
  for (const int64_t more : {0, 80}) {
    JoinedPair pair(program(10, 60), program(10, 60 + more));
    JoinedFunction& function = pair.joined.functions[pair.function("f")];
    function.by = MatchedBy::kEvidence;
    function.base_name = "g";
    function.evidence = "same callers";
    const std::vector<Told> causes = told(make_causes(pair.joined, pair.flow, more));
    const Cause found = only(causes, CauseKind::kRenamed).cause;
    EXPECT_EQ(found.function, "f");
    EXPECT_EQ(found.delta, more);
    EXPECT_NE(cause_sentence(found).find(more == 0 ? "`f` was `g` (same callers)" : "; it was `g` (same callers)"),
              std::string::npos)
        << cause_sentence(found);
    EXPECT_EQ(causes.size(), 1u);
  }
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

TEST(TotalCostCausesTest, NoiseHasItsGroupUnlessItIsRenamed) {
  const auto graph = [](int64_t self) {
    return GraphBuilder()
        .function("main", 5)
        .in("malloc.c", "/lib/x86_64-linux-gnu/libc.so.6")
        .function("_int_malloc", self);
  };
  JoinedPair pair(graph(10), graph(30));
  EXPECT_NE(make_total_cost_causes(pair.joined).at(0).group, "");
  pair.joined.functions[pair.function("_int_malloc")].by = MatchedBy::kEvidence;
  EXPECT_EQ(make_total_cost_causes(pair.joined).at(0).group, "");
}

}  // namespace
}  // namespace icount
