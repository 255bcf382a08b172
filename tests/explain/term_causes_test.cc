// One term as a cause: its fields, where it lies, and what a cycle's members contribute.
#include "icount/explain/claims/term_causes.h"
#include "icount/report/cause_sentence.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "joined_pair.h"

namespace icount {
namespace {

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

TEST_F(TermCausesTest, CallsLieWhereTheirCallerBegins) {
  GraphBuilder base = lines(210), head = lines(1130);  // 72 a call
  head.in("src/run.c", "/opt/librun.so").line("run", "src/run.c", 13, 160).calls("main", "run", 15);
  const uint32_t calls = term(base, head, TermKind::kCalls, "main", "run");
  const Cause found = cause(calls);
  EXPECT_EQ(found.kind, CauseKind::kCalls);
  EXPECT_EQ(found.caller, "main");
  EXPECT_EQ(found.callee, "run");
  EXPECT_EQ(found.delta, 1080);
  EXPECT_EQ(cause_sentence(found), "`main` calls `run` 25 times, was 10, at 72 each");
  EXPECT_EQ(found.change_per_call, 15);
  EXPECT_EQ(found.file, "src/main.c");
  EXPECT_EQ(found.line, 3u);
  EXPECT_EQ(found.object, "/bin/prog");
  EXPECT_EQ(causes().node_of(calls), pair_->node("main"));
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

TEST_F(TermCausesTest, ARenamedFunctionIsToldOnce) {
  const uint32_t own = term(lines(210), lines(1210), TermKind::kOwnCost, "run");
  JoinedFunction& function = pair_->joined.functions[pair_->function("run")];
  function.by = MatchedBy::kEvidence;
  function.base_name = "walk";
  function.evidence = "same callers";
  TermCauses causes(pair_->joined, pair_->flow, change_);
  EXPECT_FALSE(causes.has_told_name(pair_->function("run")));
  const Cause found = causes.cause_of(own);
  EXPECT_EQ(found.kind, CauseKind::kRenamed);
  EXPECT_TRUE(cause_sentence(found).starts_with(
      "`run` itself costs 172 per call, was 72 (10 calls); it was `walk` (same callers)"))
      << cause_sentence(found);
  EXPECT_EQ(found.change_per_call, 100);
  EXPECT_TRUE(causes.has_told_name(pair_->function("run")));
  EXPECT_FALSE(causes.has_told_name(pair_->function("main")));
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
  EXPECT_TRUE(cause_sentence(found).ends_with("; mostly in `a`")) << cause_sentence(found);
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

TEST_F(TermCausesTest, ATermThatRoundsToNothingTellsNothing) {
  const uint32_t own = term(lines(210), lines(1210), TermKind::kOwnCost, "run");
  pair_->flow.figures.terms.push_back({TermKind::kOwnCost, pair_->node("main"), 0.1L});
  TermCauses causes(pair_->joined, pair_->flow, change_);
  EXPECT_TRUE(causes.tells_something(own));
  EXPECT_FALSE(causes.tells_something(static_cast<uint32_t>(pair_->flow.figures.terms.size() - 1)));
  EXPECT_EQ(causes.whole().whole[own], 1000);
}

}  // namespace
}  // namespace icount
