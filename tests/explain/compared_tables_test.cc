// Functions of both sides as a table, who allocates more or less, and the change in a sentence.
#include "icount/explain/compared_tables.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <tuple>

#include "icount/report/allocation_text.h"
#include "joined_pair.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

const ComparedFunction& function(const ComparedTables& tables, std::string_view name) {
  for (const ComparedFunction& one : tables.functions)
    if (one.name == name) return one;
  ADD_FAILURE() << "no function " << name;
  return tables.functions.front();
}

/// main calls lex 20 times, lex calls hash; in head also check, and no longer old.
GraphBuilder base_graph() {
  GraphBuilder graph;
  graph.function("main", 100).function("lex", 2000).function("hash", 600).function("old", 50);
  graph.calls("main", "lex", 20, 2650).calls("lex", "hash", 300, 600).calls("lex", "old", 1, 50);
  return graph;
}

GraphBuilder head_graph() {
  GraphBuilder graph;
  graph.function("main", 100).function("lex", 2000).function("hash", 1200).function("check", 70);
  graph.calls("main", "lex", 20, 3270).calls("lex", "hash", 600, 1200).calls("lex", "check", 7, 70);
  return graph;
}

TEST(ComparedTablesTest, BothSidesOfEveryFunctionAddUpToTheTotals) {
  const ComparedTables tables = make_compared_tables(base_graph().graph(), head_graph().graph(), "Ir", false);
  EXPECT_EQ(tables.totals, (BothSides{2750, 3370}));
  BothSides sum{};
  for (const ComparedFunction& one : tables.functions)
    for (size_t side = 0; side < 2; ++side) sum[side] += one.self[side];
  EXPECT_EQ(sum, tables.totals);
  EXPECT_EQ(function(tables, "lex").self, (BothSides{2000, 2000}));
  EXPECT_EQ(function(tables, "lex").inclusive, (BothSides{2650, 3270}));
  EXPECT_EQ(function(tables, "main").inclusive, tables.totals);
  EXPECT_EQ(function(tables, "hash").calls, (BothSides{300, 600}));
  EXPECT_EQ(function(tables, "main").calls, (BothSides{1, 1}));
}

TEST(ComparedTablesTest, NewAndVanishedFunctionsKnowTheirSide) {
  const ComparedTables tables = make_compared_tables(base_graph().graph(), head_graph().graph(), "Ir", false);
  EXPECT_TRUE(function(tables, "old").in_base);
  EXPECT_FALSE(function(tables, "old").in_head);
  EXPECT_EQ(function(tables, "check").inclusive, (BothSides{0, 70}));
  EXPECT_FALSE(function(tables, "check").in_base);
}

TEST(ComparedTablesTest, TheBiggestChangesComeFirst) {
  const ComparedTables tables = make_compared_tables(base_graph().graph(), head_graph().graph(), "Ir", false);
  EXPECT_EQ(tables.functions[0].name, "hash");
  EXPECT_EQ(tables.functions[1].name, "check");
  ASSERT_EQ(tables.edges.size(), 4u);
  EXPECT_EQ(tables.functions[tables.edges[0].callee].name, "lex");
  EXPECT_EQ(tables.edges[0].inclusive, (BothSides{2650, 3270}));
  EXPECT_EQ(tables.functions[tables.edges[1].callee].name, "hash");
  EXPECT_EQ(tables.edges[1].calls, (BothSides{300, 600}));
}

TEST(ComparedTablesTest, OneSideAloneIsATable) {
  const ComparedTables tables = make_compared_tables(make_empty_graph("Ir"), head_graph().graph(), "Ir", false);
  EXPECT_EQ(tables.totals, (BothSides{0, 3370}));
  EXPECT_EQ(tables.functions.size(), 4u);
  EXPECT_EQ(function(tables, "lex").self, (BothSides{0, 2000}));
}

TEST(ComparedTablesTest, NamesOfBothSidesAndWhereTheyLie) {
  GraphBuilder base, head;
  base.in("old/a.cc", "/bin/prog").function("main", 1).function("f::{lambda(int)#1}::operator()(int) const", 10);
  head.in("new/a.cc", "/opt/prog").function("main", 1).function("f::{lambda(int)#2}::operator()(int) const", 25);
  base.calls("main", "f::{lambda(int)#1}::operator()(int) const", 2, 10);
  head.calls("main", "f::{lambda(int)#2}::operator()(int) const", 2, 25);
  const ComparedTables tables = make_compared_tables(base.graph(), head.graph(), "Ir", false);
  ASSERT_EQ(tables.functions.size(), 2u);
  const ComparedFunction& lambda = tables.functions[0];
  EXPECT_EQ(lambda.name, "f::{lambda(int)#2}::operator()(int) const");
  EXPECT_EQ(lambda.base_name, "f::{lambda(int)#1}::operator()(int) const");
  EXPECT_EQ(lambda.file, "new/a.cc");
  EXPECT_EQ(lambda.object, "/opt/prog");
  EXPECT_TRUE(lambda.in_base && lambda.in_head);
  EXPECT_EQ(function(tables, "main").base_name, "") << "as before";
}

TEST(ComparedTablesTest, OfEqualChangesTheLargerFirstThenByName) {
  GraphBuilder base, head;
  for (const auto& [name, before, after] :
       {std::tuple("b", 10, 20), {"d", 30, 20}, {"a", 10, 20}, {"c", 110, 100}, {"e", 7, 7}, {"f", 9, 9}}) {
    base.function(name, before).calls("main", name, 1, before);
    head.function(name, after).calls("main", name, 2, after);
  }
  const ComparedTables tables = make_compared_tables(base.graph(), head.graph(), "Ir", false);
  std::string names, callees;
  for (const ComparedFunction& one : tables.functions) names += one.name.substr(0, 1);
  for (const ComparedEdge& edge : tables.edges) {
    callees += tables.functions[edge.callee].name;
    EXPECT_EQ(tables.functions[edge.caller].name, "main");
    EXPECT_EQ(edge.calls, (BothSides{1, 2}));
  }
  EXPECT_EQ(names, "cdabfem");
  EXPECT_EQ(callees, "cdabfe");
}

GraphBuilder program(int64_t calls) { return GraphBuilder().calls("main", "parse", calls); }

std::string text_of(const CostGraph& base, const CostGraph& head, int64_t runs = 1, size_t most = 3) {
  const auto change = find_allocation_change(base, head);
  return change ? allocation_change_text(*change, runs, most) : std::string();
}

/// What is said of a program in which parse is called so often and allocates so often on either side.
std::string told(std::array<int64_t, 2> calls, std::array<int64_t, 2> allocations) {
  const auto graph = [&](size_t side) {
    GraphBuilder built = program(calls[side]);
    if (allocations[side] > 0) built.calls("parse", "malloc", allocations[side]);
    return built.calls("other", "calloc", 1).graph();
  };
  const std::string text = text_of(graph(0), graph(1));
  return text.empty() ? text : text.substr(text.find("; ") + 2);
}

TEST(AllocationChangesTest, WhatNobodyCallsIsCounted) {
  EXPECT_EQ(told({0, 0}, {20, 25}), "`parse` allocates 25 times, was 20");
  EXPECT_EQ(told({0, 0}, {0, 25}), "`parse` now allocates 25 times");
  EXPECT_EQ(told({0, 10}, {0, 25}), "`parse` now allocates 25 times");
  EXPECT_EQ(told({10, 10}, {5, 0}), "`parse` no longer allocates (was 5 times)");
}

TEST(AllocationChangesTest, TotalsPerRun) {
  const CostGraph base = program(1).calls("parse", "malloc", 10).calls("parse", "free", 4).graph();
  const auto first = [&](int64_t allocations, int64_t frees, int64_t runs) {
    const std::string text =
        text_of(base, program(1).calls("parse", "malloc", allocations).calls("parse", "free", frees).graph(), runs);
    return text.substr(0, text.find("; "));
  };
  EXPECT_EQ(first(13, 4, 1), "allocations 10 -> 13, frees unchanged");
  EXPECT_EQ(first(13, 4, 2), "allocations 5 -> 6.5 per run, frees unchanged");
  EXPECT_EQ(first(13, 4, 3), "allocations 3.333 -> 4.333 per run, frees unchanged");
  EXPECT_EQ(first(13, 7, 1), "allocations 10 -> 13") << "as many more are given back";
  EXPECT_EQ(first(13, 8, 2), "allocations 5 -> 6.5 per run, frees 2 -> 4 per run");
}

TEST(AllocationChangesTest, SoManyCallersAreTold) {
  const auto graph = [](int64_t more) {
    GraphBuilder built;
    for (const char* name : {"d", "b", "c", "a"}) built.calls("main", name, 1).calls(name, "malloc", 5 + more);
    return built.calls("a", "malloc", 3 * more).graph();
  };
  const auto told = [&](size_t most) {
    const std::string text = text_of(graph(0), graph(2), 1, most);
    return text.substr(text.find("; ") + 2);
  };
  EXPECT_EQ(told(2), "`a` allocates 13 times, was 5; `b` allocates 7 times, was 5") << "equal ones by name";
  EXPECT_TRUE(told(3).ends_with("; `c` allocates 7 times, was 5")) << told(3);
}

TEST(AllocationChangesTest, TheFirstFunctionOfAProfileMayAllocate) {
  const auto graph = [](int64_t calls) { return GraphBuilder().calls("start", "malloc", calls).graph(); };
  EXPECT_EQ(text_of(graph(5), graph(7)), "allocations 5 -> 7, frees unchanged; `start` allocates 7 times, was 5");
}

TEST(AllocationChangesTest, WhatALibraryAllocatesForEachCallIsItsCallers) {
  const auto with = [](int64_t calls, int64_t allocations, const char* object) {
    return program(10).in("grow.cc", object).calls("parse", "grow", calls).calls("grow", "malloc", allocations).graph();
  };
  const CostGraph base = program(10).graph();
  EXPECT_NE(text_of(base, with(30, 30, "/usr/lib/libstdc++.so.6")).find("`parse` now allocates 30"), std::string::npos);
  EXPECT_NE(text_of(base, with(30, 28, "/usr/lib/libstdc++.so.6")).find("`grow` now allocates 28"), std::string::npos);
  EXPECT_NE(text_of(base, with(30, 30, "prog")).find("`grow` now allocates 30"), std::string::npos);
}

}  // namespace
}  // namespace icount
