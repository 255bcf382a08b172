#include "icount/callgraph/python_calls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/graph_builder.h"

namespace icount {
namespace {

constexpr const char* kEval = "_PyEval_EvalFrameDefault";
const std::vector<PythonFunction> kFunctions = {
    {0x5001, "stmt", "stmt", 1}, {0x500c, "middle", "app.py", 4}, {0x5017, "leaf", "app.py", 1}};

/// As Callgrind spells contexts: "F'_PyEval_EvalFrameDefault'0x0000000000005001".
std::string trampoline(uint64_t address) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text(16, '0');
  for (size_t i = 16; i-- > 0; address >>= 4) text[i] = kDigits[address & 15];
  return "0x" + text;
}
std::string in(uint64_t address, const std::string& function = "") {
  return (function.empty() ? "" : function + "'") + kEval + "'" + trampoline(address);
}

int64_t self_of(const CostGraph& graph, std::string_view name) {
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    if (graph.name(f) == name) return graph.self_of(f, 0);
  return -1;
}

/// "caller>callee" -> (calls, inclusive).
std::map<std::string, std::pair<int64_t, int64_t>> edges_of(const CostGraph& graph) {
  std::map<std::string, std::pair<int64_t, int64_t>> edges;
  for (size_t e = 0; e < graph.edges.size(); ++e)
    edges[std::string(graph.name(graph.edges[e].caller)) + ">" + std::string(graph.name(graph.edges[e].callee))] = {
        graph.edges[e].calls, graph.inclusive_of(e, 0)};
  return edges;
}

/// stmt runs middle once, middle runs leaf ten times and sorted(), which runs leaf twice.
CostGraph contexts() {
  const std::string stmt = in(0x5001), middle = in(0x500c), leaf = in(0x5017);
  const std::string call_middle = in(0x5001, "PyObject_Vectorcall"), call_leaf = in(0x500c, "PyObject_Vectorcall");
  const std::string sorting = in(0x500c, "builtin_sorted");
  const std::string enters_middle = trampoline(0x500c) + "'PyObject_Vectorcall'" + stmt;
  const std::string enters_leaf = trampoline(0x5017) + "'PyObject_Vectorcall'" + middle;
  const std::string sorts_leaf = trampoline(0x5017) + "'builtin_sorted'" + middle;
  return GraphBuilder()
      .in("", "???")
      .function(enters_middle, 4)
      .function(enters_leaf, 40)
      .function(sorts_leaf, 8)
      .in("ceval.c", "libpython")
      .function(stmt, 10)
      .function(middle, 300)
      .function(leaf, 120)
      .in("call.c", "libpython")
      .function(call_middle, 400)
      .function(call_leaf, 4000)
      .in("bltinmodule.c", "libpython")
      .function(sorting, 250)
      .function("malloc'PyMem_Malloc'deep'deep", 30)  // too deep to name a trampoline
      .calls("(below main)", stmt, 0, 5162)
      .calls(stmt, call_middle, 1, 5152)
      .calls(call_middle, enters_middle, 1, 4752)
      .calls(enters_middle, middle, 1, 4748)
      .calls(middle, call_leaf, 10, 4140)
      .calls(call_leaf, enters_leaf, 10, 140)
      .calls(enters_leaf, leaf, 10, 100)
      .calls(middle, sorting, 1, 308)
      .calls(sorting, sorts_leaf, 2, 28)
      .calls(sorts_leaf, leaf, 2, 20)
      .calls(sorting, "malloc'PyMem_Malloc'deep'deep", 3, 30)
      .graph();
}

TEST(PythonCallsTest, CodeBelongsToTheNearestPythonFunctionAboveIt) {
  const CostGraph calls = make_python_calls(contexts(), kFunctions);
  check_cost_graph(calls);
  EXPECT_EQ(calls.totals[0], 5162);
  EXPECT_EQ(self_of(calls, "stmt"), 410);     // with what the evaluator spends on calling Python
  EXPECT_EQ(self_of(calls, "middle"), 4304);  // 300 + 4,000 + its trampoline's 4
  EXPECT_EQ(self_of(calls, "leaf"), 168);
  EXPECT_EQ(self_of(calls, "builtin_sorted'middle"), 280);
  using Edges = std::map<std::string, std::pair<int64_t, int64_t>>;
  EXPECT_EQ(edges_of(calls), (Edges{{"stmt>middle", {1, 4752}},
                                    {"middle>leaf", {10, 140}},
                                    {"middle>builtin_sorted'middle", {1, 308}},
                                    {"builtin_sorted'middle>leaf", {2, 28}}}));
  for (const LineRow& line : calls.lines)
    if (calls.name(line.function) == "middle") {
      EXPECT_EQ(line.line, 4u);
      EXPECT_EQ(calls.strings.view(line.file), "app.py");
    }
}

TEST(PythonCallsTest, FunctionsOfOneNameStayApart) {
  const std::vector<PythonFunction> functions = {
      {0x5001, "stmt", "stmt", 1}, {0x5017, "<lambda>", "app.py", 9}, {0x500c, "<lambda>", "app.py", 2}};
  const CostGraph calls = make_python_calls(contexts(), functions);
  EXPECT_EQ(self_of(calls, "<lambda>"), 4304);  // that of line 2
  EXPECT_EQ(self_of(calls, "<lambda> (2)"), 168);
}

TEST(PythonCallsTest, WhatNoPythonFunctionCalledStaysInTheSum) {
  const CostGraph alone = GraphBuilder().function("start_thread", 7).function(in(0x5001), 3).graph();
  const CostGraph calls = make_python_calls(alone, kFunctions);
  check_cost_graph(calls);
  EXPECT_EQ(self_of(calls, kOutsideOfPython), 7);
  EXPECT_EQ(self_of(calls, "stmt"), 3);
}

TEST(PythonCallsTest, AProcessMayBeginInTheMiddleOfTheStatement) {
  const std::string enters = trampoline(0x5017) + "'PyObject_Vectorcall'" + kEval,
                    sorting = std::string("sorted'") + kEval;
  const CostGraph calls = make_python_calls(GraphBuilder()
                                                .function(kEval, 13)
                                                .function(std::string(kEval) + "'cfunction_vectorcall", 7)
                                                .function(sorting, 5)
                                                .function(enters, 4)
                                                .function(in(0x5017), 6)
                                                .calls(kEval, sorting, 2, 5)
                                                .calls(kEval, enters, 2, 10)
                                                .calls(enters, in(0x5017), 2, 6)
                                                .graph(),
                                            kFunctions);
  EXPECT_EQ(self_of(calls, "stmt"), 20);
  EXPECT_EQ(self_of(calls, "sorted'stmt"), 5);
  EXPECT_EQ(edges_of(calls).at("stmt>leaf").first, 2);
  EXPECT_EQ(edges_of(calls).at("stmt>sorted'stmt").first, 2);
}

TEST(PythonViewTest, TheTotalIsTheOneCountedWithoutRecording) {
  const CostGraph calls = make_python_calls(contexts(), kFunctions);
  constexpr int64_t kCounted = 762;  // 11 calls by Python functions and 2 by C: 4,400 for 11.3 calls
  const double cost = recording_cost(calls, kCounted);
  EXPECT_NEAR(cost, 4400 / 11.3, 1e-9);
  const CostGraph view = make_python_view(calls, kCounted, cost);
  check_cost_graph(view);
  EXPECT_EQ(view.totals[0], kCounted);
  EXPECT_EQ(self_of(view, "builtin_sorted'middle"), -1) << "folded";
  EXPECT_EQ(self_of(view, "stmt"), 410 - 390);
  EXPECT_EQ(self_of(view, "middle"), 4304 - 3894 + 280 - 117);
  EXPECT_EQ(self_of(view, "leaf"), 168);
  EXPECT_EQ(self_of(view, kRecording), 1);
  const auto edges = edges_of(view);
  EXPECT_EQ(edges.at("middle>leaf"), (std::pair<int64_t, int64_t>(12, 168)));
  EXPECT_EQ(edges.at("stmt>middle"), (std::pair<int64_t, int64_t>(1, 4752 - 3894 - 117)));
}

TEST(PythonViewTest, AnOpenedFunctionShowsTheCFunctionsThatItCalls) {
  const CostGraph calls = make_python_calls(contexts(), kFunctions);
  const CostGraph view = make_python_view(calls, 5000, 0, {"middle"});
  check_cost_graph(view);
  EXPECT_EQ(self_of(view, "builtin_sorted'middle"), 280);
  EXPECT_EQ(edges_of(view).at("builtin_sorted'middle>leaf").first, 2);
}

TEST(PythonViewTest, NothingIsTakenBelowNothing) {
  const CostGraph calls = make_python_calls(contexts(), kFunctions);
  const CostGraph view = make_python_view(calls, 50, 100000);
  check_cost_graph(view);
  EXPECT_EQ(view.totals[0], 50);
  EXPECT_TRUE(std::all_of(view.self.begin(), view.self.end(), [](int64_t self) { return self >= 0; }));
}

TEST(PythonViewTest, WithoutCallsNothingWasRecorded) {
  const CostGraph calls = make_python_calls(GraphBuilder().function(in(0x5001), 30).graph(), kFunctions);
  EXPECT_EQ(recording_cost(calls, 20), 0);
  const CostGraph view = make_python_view(calls, 32, 0);
  EXPECT_EQ(self_of(view, "stmt"), 30);
  EXPECT_EQ(self_of(view, kRecording), 2);
}

}  // namespace
}  // namespace icount
