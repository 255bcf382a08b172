// The sentences of causes: calls that begin, end, are rare or recur, entries, and code that is split off.
#include <gtest/gtest.h>

#include <string>

#include "icount/callgraph/allocations.h"
#include "icount/explain/explain.h"
#include "icount/explain/match/node_names.h"
#include "icount/report/cause_sentence.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

std::string first_text(const GraphBuilder& base, const GraphBuilder& head) {
  const Explanation explanation = explain(base.graph(), head.graph());
  return explanation.causes.empty() ? "" : cause_sentence(explanation.causes[0]);
}

/// main calls f so often, f calls g so often; a call of g costs 100.
GraphBuilder chain(int64_t calls_of_f, int64_t calls_of_g) {
  GraphBuilder graph;
  graph.function("main", 10).function("f", 10 * calls_of_f).calls("main", "f", calls_of_f);
  return calls_of_g > 0 ? graph.function("g", 100 * calls_of_g).calls("f", "g", calls_of_g) : graph;
}

TEST(CauseTextTest, CallsThatOneSideHas) {
  EXPECT_EQ(first_text(chain(20, 0), chain(20, 40)), "`f` now calls `g` 40 times, at 100 each");
  EXPECT_EQ(first_text(chain(20, 20), chain(20, 0)), "`f` no longer calls `g` (20 calls at 100 each)");
  EXPECT_EQ(first_text(chain(1000, 0), chain(1000, 5)), "`f` now calls `g` 5 times, at 100 each");
  EXPECT_EQ(first_text(chain(1000, 1), chain(1000, 0)), "`f` no longer calls `g` (1 call)");
  EXPECT_EQ(first_text(chain(1, 0), chain(1, 3)), "`f` now calls `g` 3 times, at 100 each");
}

TEST(CauseTextTest, CallsThatBothSidesHave) {
  EXPECT_EQ(first_text(chain(20, 80), chain(20, 40)), "`f` calls `g` 40 times, was 80, at 100 each");
  EXPECT_EQ(first_text(chain(10, 5), chain(10, 8)), "`f` calls `g` 8 times, was 5, at 100 each") << "not once per call";
  EXPECT_EQ(first_text(chain(10, 15), chain(10, 8)), "`f` calls `g` 8 times, was 15, at 100 each");
}

/// parse allocates so often in 1,000 calls, and what a call of malloc costs has its own function below it.
GraphBuilder allocating(int64_t allocations, const char* entry = "malloc") {
  GraphBuilder graph;
  graph.function("main", 10).function("parse", 10'000).calls("main", "parse", 1'000);
  if (allocations == 0) return graph;
  return graph.function(entry, 100 * allocations).calls("parse", entry, allocations);
}

TEST(CauseTextTest, CallsOfAnAllocatorAreAllocations) {
  EXPECT_EQ(first_text(allocating(0), allocating(3'000)),
            "`parse` now allocates with `malloc` 3,000 times, at 100 each");
  EXPECT_EQ(first_text(allocating(1'000), allocating(0)),
            "`parse` no longer allocates with `malloc` (1,000 calls at 100 each)");
  EXPECT_EQ(first_text(allocating(2'000), allocating(5'000)),
            "`parse` allocates with `malloc` 5,000 times, was 2,000, at 100 each");
  EXPECT_EQ(first_text(allocating(20), allocating(50)),
            "`parse` allocates with `malloc` 50 times, was 20, at 100 each");
  EXPECT_EQ(first_text(allocating(0, "free"), allocating(1'000, "free")),
            "`parse` now frees with `free` 1,000 times, at 100 each");
}

TEST(CauseTextTest, CausesOfAChangeInAllocations) {
  const auto text = [](int64_t base, int64_t head) {
    const Explanation explanation = explain(*make_allocation_graph(allocating(base).graph(), "allocations"),
                                            *make_allocation_graph(allocating(head).graph(), "allocations"));
    EXPECT_EQ(explanation.event, "allocations");
    EXPECT_EQ(explanation.delta, head - base);
    return cause_sentence(explanation.causes.at(0));
  };
  EXPECT_EQ(text(0, 3'000), "`parse` now allocates 3,000 times (1,000 calls)");
  EXPECT_EQ(text(1'000, 0), "`parse` no longer allocates (was 1,000 times)");
  EXPECT_EQ(text(2'000, 5'000), "`parse` allocates 5,000 times, was 2,000 (1,000 calls)");
}

TEST(CauseTextTest, CallsThatDoNotScale) {
  GraphBuilder base = chain(1000, 10), head = chain(10, 14);
  std::string all;
  for (const Cause& cause : explain(base.graph(), head.graph()).causes) all += cause_sentence(cause) + "\n";
  EXPECT_EQ(all, "`main` calls `f` 10 times, was 1,000, at 10 each\n`f` calls `g` 14 times, was 10, at 100 each\n");
}

TEST(CauseTextTest, RecursionThatBeginsEndsAndChanges) {
  const auto recursion = [](int64_t inner) {
    GraphBuilder graph;
    graph.function("main", 10).function("f", 100 * (10 + inner)).calls("main", "f", 10);
    return inner > 0 ? graph.calls("f", "f", inner) : graph;
  };
  EXPECT_EQ(first_text(recursion(0), recursion(10)),
            "`f` is now recursive: 2 calls for each call from outside (20 in all)");
  EXPECT_EQ(first_text(recursion(10), recursion(0)),
            "`f` is no longer recursive (was 20 calls in all for 10 from outside)");
  EXPECT_EQ(first_text(recursion(40), recursion(10)),
            "`f` recurses less: 2 calls for each call from outside, was 5 (20 in all, was 50)");
  GraphBuilder base, head;  // what nobody calls is entered once, also when it calls itself
  EXPECT_EQ(first_text(base.function("f", 1000).calls("f", "f", 9), head.function("f", 2000).calls("f", "f", 19)),
            "`f` recurses more: 20 calls for each call from outside, was 10 (20 in all, was 10)");
}

TEST(CauseTextTest, EntriesFromOutside) {
  const auto text = [](const GraphBuilder& base, const GraphBuilder& head) {
    for (const Cause& cause : explain(base.graph(), head.graph()).causes)
      if (cause.kind == CauseKind::kEntry) return cause_sentence(cause);
    return std::string();
  };
  GraphBuilder called, alone;
  called.function("main", 10).function("worker", 500).calls("main", "worker", 1);
  alone.function("main", 10).function("worker", 500);
  EXPECT_EQ(text(called, alone), "`worker` is now called from outside the profile");
  EXPECT_EQ(text(alone, called), "`worker` is no longer called from outside the profile");
}

TEST(CauseTextTest, CodeThatIsSplitOff) {
  GraphBuilder base, head;
  base.function("main", 100).function("outer", 990).calls("main", "outer", 10);
  head.function("main", 100)
      .function("outer", 1000)
      .function("inner", 500)
      .calls("main", "outer", 10)
      .calls("outer", "inner", 50);
  EXPECT_EQ(first_text(base, head), "`outer` now calls `inner` for work that it did itself (50 calls, +10.2 each)");
}

struct Costs {
  int64_t op_call = 900, loop = 5000, elsewhere = 1000, logs = 10;
};

/// An interpreter: loop calls op_call, which calls loop and log.
GraphBuilder interpreter(const Costs& costs) {
  GraphBuilder graph;
  graph.function("main", 10)
      .function("loop", costs.loop)
      .function("op_call", costs.op_call)
      .function("elsewhere", costs.elsewhere)
      .function("log", 20 * costs.logs);
  graph.calls("main", "loop", 2)
      .calls("loop", "op_call", 30)
      .calls("op_call", "loop", 30)
      .calls("main", "elsewhere", 10);
  return graph.calls("op_call", "log", costs.logs);
}

std::string texts(const GraphBuilder& base, const GraphBuilder& head, const ExplainOptions& options = {}) {
  std::string all;
  for (const Cause& cause : explain(base.graph(), head.graph(), options).causes) all += cause_sentence(cause) + "\n";
  return all;
}

TEST(ClusterOpeningTest, ALeadingClusterIsToldByItsInside) {
  EXPECT_EQ(texts(interpreter({}), interpreter({.op_call = 2100, .elsewhere = 9000})),
            "`elsewhere` itself costs 900 per call, was 100 (10 calls)\n`op_call` itself costs 70 per call, was 30 (30 "
            "calls)\n");
  EXPECT_EQ(texts(interpreter({}), interpreter({.op_call = 2100, .loop = 4700})),
            "`op_call` itself costs 70 per call, was 30 (30 calls)\n`loop` itself costs 146.9 per call, was 156.2 (32 "
            "calls)\n");
  EXPECT_EQ(texts(interpreter({}), interpreter({.logs = 70})), "`op_call` calls `log` 70 times, was 10, at 20 each\n");
}

TEST(ClusterOpeningTest, OneThatHardlyMattersIsNot) {
  EXPECT_EQ(
      texts(interpreter({}), interpreter({.op_call = 2100, .elsewhere = 900000})),
      "`elsewhere` itself costs 90,000 per call, was 100 (10 calls)\nthe recursion of `loop` and one other function "
      "itself costs "
      "3,550 per call from outside, was 2,950 (2 calls); mostly in `op_call`\n");
}

TEST(ClusterOpeningTest, OneThatWasAskedForStaysOpenWhenAnotherIsOpened) {
  const auto two = [](int64_t even, int64_t odd, int64_t op_call) {
    GraphBuilder graph = interpreter({.op_call = op_call});
    return graph.function("even", even)
        .function("odd", odd)
        .calls("main", "even", 1)
        .calls("even", "odd", 50)
        .calls("odd", "even", 49);
  };
  ExplainOptions options;
  options.open_clusters = {"odd"};
  const std::string all = texts(two(500, 500, 900), two(900, 100, 2100), options);
  EXPECT_NE(all.find("`even` itself costs"), std::string::npos) << all;
  EXPECT_NE(all.find("`odd` itself costs"), std::string::npos) << all;
}

TEST(CauseTextTest, LabelsInSentences) {
  EXPECT_EQ(quoted_label("std::vector<int>::size() const"), "`std::vector<int>::size`");
  EXPECT_EQ(quoted_label("0x0000000000401020"), "`0x401020`");
  EXPECT_EQ(quoted_label("cycle of eval and 6 more"), "the recursion of `eval` and 6 other functions");
  EXPECT_EQ(quoted_label("cycle of land and sea"), "`cycle of land and sea`");
}

}  // namespace
}  // namespace icount
