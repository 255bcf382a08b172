#include "icount/explain/compared_tables.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

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

TEST(ComparedTablesTest, RecursionCostsItsCallerOnce) {
  GraphBuilder graph;
  graph.function("main", 1).function("f", 10).function("g", 20);
  graph.calls("main", "f", 1, 30).calls("f", "g", 3, 29).calls("g", "f", 2, 25);
  const ComparedTables tables = make_compared_tables(graph.graph(), graph.graph(), "Ir", false);
  EXPECT_EQ(function(tables, "f").inclusive, (BothSides{30, 30}));
  EXPECT_EQ(function(tables, "g").inclusive, (BothSides{30, 30}));
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

TEST(ComparedTablesTest, CallsOfOneSide) {
  const ComparedTables tables = make_compared_tables(base_graph().graph(), head_graph().graph(), "Ir", false);
  for (const ComparedEdge& edge : tables.edges) {
    const std::string& callee = tables.functions[edge.callee].name;
    if (callee != "old" && callee != "check") continue;
    EXPECT_EQ(edge.calls, callee == "old" ? (BothSides{1, 0}) : (BothSides{0, 7}));
    EXPECT_EQ(edge.inclusive, callee == "old" ? (BothSides{50, 0}) : (BothSides{0, 70}));
  }
  EXPECT_TRUE(function(tables, "check").in_head);
  EXPECT_TRUE(function(tables, "main").in_base && function(tables, "main").in_head);
}

}  // namespace
}  // namespace icount
