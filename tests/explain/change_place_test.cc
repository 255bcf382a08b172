// What happens in one place in several ways is told as one: explain/claims/change_place.h.
#include "icount/explain/claims/relations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

/// main calls `run` once, which calls each of the functions once; `rest` is what main costs beside.
struct Program {
  std::vector<int64_t> costs;
  int64_t rest = 100'000;
  std::string run = "run";
  int64_t runs = 1;
  std::string main = "main";
};

CostGraph graph_of(const Program& program) {
  GraphBuilder graph;
  int64_t all = 10;
  for (const int64_t cost : program.costs) all += cost;
  graph.function(program.main, program.rest)
      .function(program.run, 10)
      .calls(program.main, program.run, program.runs, all);
  for (size_t i = 0; i < program.costs.size(); ++i) {
    const std::string name = "step_" + std::to_string(i);
    graph.function(name, program.costs[i]).calls(program.run, name, 1, program.costs[i]);
  }
  return graph.graph();
}

Cause first_of(const Program& base, const Program& head) {
  const Explanation found = explain(graph_of(base), graph_of(head));
  return found.causes.empty() ? Cause{} : found.causes[0];
}

bool tells_place(const Program& base, const Program& head) { return first_of(base, head).kind == CauseKind::kPlace; }

TEST(ScatteredChangeTest, IsToldByTheFunctionThatHasItWithAllBelow) {
  const Explanation found = explain(graph_of({{1000, 2000, 3000}}), graph_of({{1350, 2340, 3330}}));
  ASSERT_EQ(found.causes.size(), 1u);
  const Cause& place = found.causes[0];
  EXPECT_EQ(place.kind, CauseKind::kPlace);
  EXPECT_EQ(place.delta, 1020);
  EXPECT_EQ(place.function, "run");
  EXPECT_EQ(place.callee, "run");
  EXPECT_EQ(place.caller, "main");
  EXPECT_EQ(cause_sentence(place), "`run` with its callees costs 7,030, was 6,010");
  ASSERT_EQ(place.inside.size(), 3u);
  EXPECT_EQ(place.inside[2].delta, 330);
}

TEST(ScatteredChangeTest, ACauseOfTwoFifthsLeads) {
  EXPECT_TRUE(tells_place({{1000, 1000, 1000}}, {{1399, 1301, 1300}}));
  EXPECT_FALSE(tells_place({{1000, 1000, 1000}}, {{1400, 1300, 1300}}));
  EXPECT_TRUE(tells_place({{1399, 1301, 1300}}, {{1000, 1000, 1000}})) << "less, too";
  EXPECT_FALSE(tells_place({{1400, 1300, 1300}}, {{1000, 1000, 1000}}));
}

/// Where the functions that `run` calls stay what they are, and it calls the first ones so many times.
bool tells_calls(const std::vector<int64_t>& calls, int64_t own = 10, int64_t rest = 100'000) {
  const auto of = [&](const std::vector<int64_t>& times, int64_t self) {
    GraphBuilder graph;
    int64_t all = self;
    for (const int64_t one : times) all += 100 * one;
    graph.function("main", rest).function("run", self).calls("main", "run", 1, all);
    for (size_t i = 0; i < times.size(); ++i) {
      const std::string name = "step_" + std::to_string(i);
      graph.function(name, 100 * times[i]).calls("run", name, times[i], 100 * times[i]);
    }
    return graph.graph();
  };
  const Explanation found = explain(of(std::vector<int64_t>(calls.size(), 10), 10), of(calls, own));
  return found.causes.at(0).kind == CauseKind::kPlace;
}

TEST(ScatteredChangeTest, OwnCostAndCallsOfOneFunctionAreLedByThreeFifths) {
  EXPECT_TRUE(tells_calls({69, 40, 20}));  // 5,900 of 9,900
  EXPECT_FALSE(tells_calls({70, 40, 20})) << "6,000 of 10,000";
  EXPECT_TRUE(tells_calls({60, 40}, 1010)) << "its own cost is one of them";
  EXPECT_FALSE(tells_calls({60, 40}));
  EXPECT_FALSE(tells_calls({60, 40, 20}, 10, 0)) << "nearly all of the program";
}

TEST(ScatteredChangeTest, AProgramThatHasMoreToDoInEveryPartIsToldAsAWhole) {
  const auto first = [](std::vector<int64_t> head, int64_t parts = 600) {
    return first_of({{1000, 500, 2000, 400, parts}, 100, "main", 1, "(below main)"},
                    {std::move(head), 100, "main", 1, "(below main)"});
  };
  const Cause more = first({1350, 760, 2240, 655, 600});
  EXPECT_EQ(more.kind, CauseKind::kPlace);
  EXPECT_EQ(more.delta, 1105);
  EXPECT_EQ(cause_sentence(more), "`main` costs more in every part: 5,615 with its callees, was 4,510");
  EXPECT_EQ(cause_sentence(first({650, 240, 1760, 145, 600})).substr(0, 35), "`main` costs less in every part: 3,");
  EXPECT_NE(first({1350, 800, 2300, 400, 600}).kind, CauseKind::kPlace) << "three parts";
  EXPECT_NE(first({1390, 890, 2390, 445, 600}).kind, CauseKind::kPlace) << "and one that is small";
  EXPECT_NE(first({1350, 840, 2350, 755, 560}).kind, CauseKind::kPlace) << "another goes against them";
  EXPECT_NE(first({1350, 760, 2240, 655, 1000}, 1000).kind, CauseKind::kPlace) << "more than a fifth stays what it was";
  EXPECT_NE(first({1350, 760, 2240, 655, 1040}, 1000).kind, CauseKind::kPlace) << "or grows by less than a tenth";
}

TEST(ScatteredChangeTest, ItHasNearlyAllOfTheChangeAndIsCalledAsOften) {
  EXPECT_TRUE(tells_place({{1000, 2000, 3000}}, {{1350, 2340, 3330}, 100'100}));
  EXPECT_FALSE(tells_place({{1000, 2000, 3000}}, {{1350, 2340, 3330}, 100'120})) << "a tenth happens elsewhere";
  EXPECT_FALSE(tells_place({{1000, 2000, 3000}, 100'000, "run", 1}, {{1350, 2340, 3330}, 100'000, "run", 2}));
}

TEST(ScatteredChangeTest, ACycleIsNamedByWhereItIsEntered) {
  // `step` and `visit` call each other; `run` calls `step`, and main once `visit`, which costs the most.
  const auto graph = [](int64_t more) {
    GraphBuilder built;
    const int64_t below = 3 * (2000 + more);
    built.function("main", 100'000).function("run", 10).function("step", 1000).function("visit", 4000);
    built.calls("main", "run", 1, 4810 + below).calls("run", "step", 1, 4800 + below).calls("main", "visit", 1, 200);
    built.calls("step", "visit", 4, 3800).calls("visit", "step", 4, 500);
    for (const char* leaf : {"a", "b", "c"}) built.function(leaf, 2000 + more).calls("step", leaf, 1, 2000 + more);
    return built.graph();
  };
  const Explanation found = explain(graph(0), graph(300));
  ASSERT_FALSE(found.causes.empty());
  EXPECT_EQ(found.causes[0].kind, CauseKind::kPlace);
  EXPECT_EQ(found.causes[0].caller, "run");
  EXPECT_EQ(found.causes[0].callee, "step");
}

TEST(ScatteredChangeTest, AllOfItsCostIsSaidThoughGroupsHaveAPart) {
  // `run` allocates, too, and the allocator's own cost is a group of its own.
  const auto graph = [](int64_t more) {
    GraphBuilder built;
    built.function("main", 100'000).function("run", 10).calls("main", "run", 1, 8510 + 3 * more + 2 * (more / 4));
    for (const auto& [leaf, cost] : {std::pair("a", int64_t{500}), {"b", 2000}, {"c", 4000}})
      built.function(leaf, cost + more).calls("run", leaf, 1, cost + more);
    built.in("malloc.c", "/lib/libc.so.6").function("malloc", 1000 + more / 4).function("_int_malloc", 1000 + more / 4);
    built.calls("run", "malloc", 1, 2000 + 2 * (more / 4)).calls("malloc", "_int_malloc", 1, 1000 + more / 4);
    return built.graph();
  };
  const Explanation found = explain(graph(0), graph(400));
  ASSERT_EQ(found.causes.size(), 2u);
  EXPECT_EQ(found.causes[0].kind, CauseKind::kPlace);
  EXPECT_EQ(found.causes[0].delta, 1200);
  EXPECT_NE(cause_sentence(found.causes[0]).find("with its callees costs 9,910, was 8,510"), std::string::npos)
      << cause_sentence(found.causes[0]);
  EXPECT_EQ(found.causes[1].delta, 200);
}

TEST(ScatteredChangeTest, NearlyAllOfMainIsNearlyAllOnEitherSide) {
  const auto graph = [](int64_t more, int64_t rest) {
    const int64_t below = 6010 + 3 * more;
    GraphBuilder built;
    built.function("(below main)", 100'000).function("main", rest).function("run", 10);
    built.calls("(below main)", "main", 1, rest + below).calls("main", "run", 1, below);
    for (const char* leaf : {"a", "b", "c"}) built.function(leaf, 2000 + more).calls("run", leaf, 1, 2000 + more);
    return built.graph();
  };
  const auto is_told = [](const CostGraph& base, const CostGraph& head) {
    const Explanation found = explain(base, head);
    return std::any_of(found.causes.begin(), found.causes.end(),
                       [](const Cause& cause) { return cause.kind == CauseKind::kPlace; });
  };
  EXPECT_TRUE(is_told(graph(0, 800), graph(300, 800))) << "6,910 of 7,710";
  EXPECT_FALSE(is_told(graph(0, 760), graph(300, 760))) << "6,910 of 7,670 in head";
  EXPECT_FALSE(is_told(graph(300, 760), graph(0, 760))) << "and in base";
}

TEST(ScatteredChangeTest, OfSeveralCallersTheOneWhoseCallsChangedIsNamed) {
  const auto graph = [](int64_t more) {
    GraphBuilder built;
    built.function("main", 100'000).function("other", 100).function("run", 20);
    built.calls("main", "other", 1, 6110).calls("other", "run", 1, 6010).calls("main", "run", 1, 6010 + 3 * more);
    for (const char* leaf : {"a", "b", "c"}) built.function(leaf, 4000 + more).calls("run", leaf, 2, 4000 + more);
    return built.graph();
  };
  const Explanation found = explain(graph(0), graph(300));
  ASSERT_FALSE(found.causes.empty());
  EXPECT_EQ(found.causes[0].kind, CauseKind::kPlace);
  EXPECT_EQ(found.causes[0].caller, "main");
  EXPECT_EQ(found.causes[0].callee, "run");
}

/// main calls `advance`, which costs so much itself and calls `step` so often, each time at 10.
CostGraph advancing(int64_t self, int64_t steps) {
  GraphBuilder graph;
  graph.function("main", 100'000).function("advance", self).function("step", 10 * steps);
  return graph.calls("main", "advance", 50, self + 10 * steps).calls("advance", "step", steps, 10 * steps).graph();
}

TEST(CounterCauseTest, AChangeIsNotHeadedByHalfOfIt) {
  const Explanation found = explain(advancing(20'000, 10), advancing(5'000, 1'000));
  ASSERT_EQ(found.causes.size(), 1u);
  EXPECT_EQ(found.causes[0].kind, CauseKind::kPlace);
  EXPECT_EQ(found.causes[0].function, "advance");
  EXPECT_EQ(found.causes[0].delta, -5'100);
  ASSERT_EQ(found.causes[0].inside.size(), 2u);
  EXPECT_EQ(found.causes[0].inside[0].delta, -15'000);
  const Explanation back = explain(advancing(5'000, 1'000), advancing(20'000, 10));
  ASSERT_EQ(back.causes.size(), 1u);
  EXPECT_EQ(back.causes[0].delta, 5'100);
}

TEST(CounterCauseTest, SaysWhatIsCalledInPlaceOfWhat) {
  const auto calling = [](std::string_view callee, int64_t cost, int64_t others) {
    GraphBuilder graph;
    graph.function("main", 100'000).function("join", 500).calls("main", "join", 50, 500 + cost + others);
    graph.function(callee, cost).calls("join", callee, callee == "concat" ? 40 : 50, cost);
    graph.function("copy", others).calls("join", "copy", 50, others);
    return graph.graph();
  };
  const Explanation found = explain(calling("create", 30'000, 8'000), calling("concat", 34'000, 1'000));
  ASSERT_EQ(found.causes.size(), 1u);
  EXPECT_EQ(found.causes[0].delta, -3'000);
  EXPECT_EQ(cause_sentence(found.causes[0]),
            "`join` with its callees costs 710 per call, was 770 (50 calls); it calls `concat` in place of `create`");
}

/// main calls `place` and `other`; `place` has own cost and calls of step_0, step_1, ..., `other` own cost.
struct Steps {
  std::vector<int64_t> calls;
  int64_t other = 100'000;
  std::string place = "place";
  int64_t recursion = 0;
};

constexpr int64_t kCost = 100;  // of a call of a step

CostGraph graph_of_steps(const Steps& program) {
  GraphBuilder graph;
  int64_t all = 100;
  for (const int64_t calls : program.calls) all += kCost * calls;
  graph.function("main", 50).function("other", program.other).function(program.place, 100);
  graph.calls("main", "other", 1, program.other).calls("main", program.place, 10, all);
  if (program.recursion > 0) graph.calls(program.place, program.place, program.recursion, 10);
  for (size_t i = 0; i < program.calls.size(); ++i) {
    const std::string name = "step_" + std::to_string(i);
    graph.function(name, kCost * program.calls[i])
        .calls(program.place, name, program.calls[i], kCost * program.calls[i]);
  }
  return graph.graph();
}

/// `other` grows by 6,000 beside, so that no function has nearly all of the change.
Cause first_of_steps(const std::vector<int64_t>& calls, Steps head = {}) {
  const Steps base{.calls = std::vector<int64_t>(calls.size(), 10), .place = head.place, .recursion = head.recursion};
  head.calls = calls;
  if (head.other == base.other) head.other += 6000;
  return explain(graph_of_steps(base), graph_of_steps(head)).causes.at(0);
}

bool tells_function(const std::vector<int64_t>& calls, const Steps& head = {}) {
  return first_of_steps(calls, head).kind == CauseKind::kPlace;
}

TEST(FunctionChangeTest, NothingWhereACauseTellsMost) {
  EXPECT_FALSE(tells_function({50, 40})) << "two are few";
  EXPECT_FALSE(tells_function({75, 40, 20})) << "6,500 of 10,500 are one call's";
  EXPECT_FALSE(tells_function({50, 40, 20}, {.other = 108'001})) << "another cause is larger";
  EXPECT_TRUE(tells_function({50, 40, 20}, {.other = 107'999}));
}

TEST(FunctionChangeTest, NothingWhereItsCausesGoBothWays) {
  EXPECT_TRUE(tells_function({60, 60, 60, 1}));
  EXPECT_FALSE(tells_function({60, 60, 60, 0, 0, 0}));
}

TEST(FunctionChangeTest, NothingWhereTheFunctionSaysNothing) {
  EXPECT_FALSE(tells_function({50, 40, 20}, {.place = "prog::main"}));
  EXPECT_FALSE(tells_function({50, 40, 20}, {.place = "0x0000000000001234"}));
  EXPECT_FALSE(tells_function({50, 40, 20}, {.recursion = 5})) << "told by how often it calls itself";
}

}  // namespace
}  // namespace icount
