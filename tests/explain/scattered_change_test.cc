// A change that no cause leads is told by where it happens: explain/claims/change_place.h.
#include "icount/explain/claims/relations.h"

#include <gtest/gtest.h>

#include <algorithm>
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

TEST(ScatteredChangeTest, APlaceThatIsNearlyAllOfTheProgramTellsNothing) {
  EXPECT_TRUE(tells_place({{1000, 2000, 3000}, 800}, {{1350, 2340, 3330}, 800}));
  EXPECT_FALSE(tells_place({{1000, 2000, 3000}, 700}, {{1350, 2340, 3330}, 700})) << "nine tenths of head";
  EXPECT_FALSE(tells_place({{1350, 2340, 3330}, 700}, {{1000, 2000, 3000}, 700})) << "nine tenths of base";
  EXPECT_FALSE(tells_place({{1000, 2000, 3000}, 100'000, "main", 1, "(below main)"},
                           {{1350, 2340, 3330}, 100'000, "main", 1, "(below main)"}))
      << "where the program begins";
  EXPECT_FALSE(tells_place({{1000, 2000, 3000}, 100'000, "count::main", 1, "lang_start"},
                           {{1350, 2340, 3330}, 100'000, "count::main", 1, "lang_start"}));
}

TEST(ScatteredChangeTest, AFunctionWithoutANameTellsNothing) {
  EXPECT_FALSE(tells_place({{1000, 2000, 3000}, 100'000, "0x0000000000001234"},
                           {{1350, 2340, 3330}, 100'000, "0x0000000000001234"}));
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

TEST(ScatteredChangeTest, CausesElsewhereStayOutside) {
  const Explanation found = explain(graph_of({{1000, 2000, 3000}}), graph_of({{1350, 2340, 3330}, 99'950}));
  ASSERT_EQ(found.causes.size(), 2u);
  EXPECT_EQ(found.causes[0].kind, CauseKind::kPlace);
  EXPECT_EQ(found.causes[1].function, "main");
  EXPECT_EQ(found.causes[1].delta, -50);
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

/// `book`, `serve` and `list` call `compare` ten times each, at `cost`, and it calls three others; main calls them.
CostGraph comparing(int64_t cost, int64_t calls_of_list = 10) {
  GraphBuilder built;
  const int64_t each = 3 * cost;
  built.function("main", 50'000);
  for (const auto& [caller, calls] : {std::pair("book", int64_t{10}), {"serve", 10}, {"list", calls_of_list}}) {
    built.function(caller, 20'000).calls("main", caller, 1, 20'000 + calls * each);
    built.calls(caller, "compare", calls, calls * each);
  }
  const int64_t all = 20 + calls_of_list;
  for (const char* leaf : {"lower", "copy", "match"})
    built.function(leaf, all * cost).calls("compare", leaf, all, all * cost);
  return built.graph();
}

TEST(ScatteredChangeTest, AFunctionOfManyCallersIsAPlace) {
  const Explanation found = explain(comparing(10), comparing(110));
  ASSERT_FALSE(found.causes.empty());
  const Cause& place = found.causes[0];
  EXPECT_EQ(place.kind, CauseKind::kPlace);
  EXPECT_EQ(place.function, "compare");
  EXPECT_EQ(place.caller, "") << "there are three";
  EXPECT_TRUE(cause_sentence(place).starts_with("`compare` with its callees costs 330 per call, was 30 (30 calls)"))
      << cause_sentence(place);
  const Explanation more_calls = explain(comparing(10), comparing(110, 11));
  ASSERT_FALSE(more_calls.causes.empty());
  EXPECT_NE(more_calls.causes[0].function, "compare") << "not called as often";
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

TEST(ScatteredChangeTest, SwappingTheSidesChangesSigns) {
  const Cause there = first_of({{1000, 2000, 3000}}, {{1350, 2340, 3330}}),
              back = first_of({{1350, 2340, 3330}}, {{1000, 2000, 3000}});
  EXPECT_EQ(back.delta, -there.delta);
  EXPECT_EQ(back.function, there.function);
  EXPECT_NE(cause_sentence(back).find("with its callees costs 6,010, was 7,030"), std::string::npos)
      << cause_sentence(back);
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

TEST(CounterCauseTest, WhatIsNotMuchMoreThanTheChangeLeadsIt) {
  EXPECT_EQ(explain(advancing(20'000, 10), advancing(5'000, 572)).causes[0].kind, CauseKind::kOwnCost)
      << "1.6 times it";
  EXPECT_EQ(explain(advancing(20'000, 10), advancing(5'000, 580)).causes[0].kind, CauseKind::kPlace);
  EXPECT_EQ(explain(advancing(20'000, 10), advancing(20'000, 580)).causes[0].kind, CauseKind::kCalls);
}

TEST(CounterCauseTest, NoiseBelowAPlaceIsAPartOfIt) {
  const auto allocating = [](int64_t self, int64_t steps, int64_t cost) {
    GraphBuilder graph;
    graph.function("main", 100'000).function("advance", self).function("step", 10 * steps);
    graph.calls("main", "advance", 50, self + (10 + cost) * steps);
    graph.calls("advance", "step", steps, (10 + cost) * steps).in("malloc.c", "/lib/libc.so.6");
    return graph.function("malloc", cost * steps).calls("step", "malloc", steps, cost * steps).graph();
  };
  const Explanation found = explain(allocating(20'000, 100, 40), allocating(5'000, 1'000, 8));
  ASSERT_EQ(found.causes.size(), 1u);
  EXPECT_EQ(found.causes[0].function, "advance");
  EXPECT_EQ(found.causes[0].delta, -2'000);
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

}  // namespace
}  // namespace icount
