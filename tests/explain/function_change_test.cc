// What one function does differently in several ways is told as one: explain/claims/change_place.h.
#include "icount/explain/claims/relations.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

/// main calls `place` and `other`; `place` has own cost and calls of step_0, step_1, ..., `other` own cost.
struct Program {
  std::vector<int64_t> calls;
  int64_t own = 100;
  int64_t other = 100'000;
  int64_t times = 10;
  std::string place = "place";
  int64_t recursion = 0;
};

constexpr int64_t kCost = 100;  // of a call of a step

CostGraph graph_of(const Program& program) {
  GraphBuilder graph;
  int64_t all = program.own;
  for (const int64_t calls : program.calls) all += kCost * calls;
  graph.function("main", 50).function("other", program.other).function(program.place, program.own);
  graph.calls("main", "other", 1, program.other).calls("main", program.place, program.times, all);
  if (program.recursion > 0) graph.calls(program.place, program.place, program.recursion, 10);
  for (size_t i = 0; i < program.calls.size(); ++i) {
    const std::string name = "step_" + std::to_string(i);
    graph.function(name, kCost * program.calls[i])
        .calls(program.place, name, program.calls[i], kCost * program.calls[i]);
  }
  return graph.graph();
}

/// `other` grows by 6,000 beside, so that no function has nearly all of the change.
Cause first_of(const std::vector<int64_t>& calls, Program head = {}) {
  const Program base{.calls = std::vector<int64_t>(calls.size(), 10), .place = head.place, .recursion = head.recursion};
  head.calls = calls;
  if (head.other == base.other) head.other += 6000;
  return explain(graph_of(base), graph_of(head)).causes.at(0);
}

bool tells_function(const std::vector<int64_t>& calls, const Program& head = {}) {
  return first_of(calls, head).kind == CauseKind::kPlace;
}

TEST(FunctionChangeTest, ThreeCausesOfOneFunctionAreToldAsOne) {
  const Cause cause = first_of({50, 40, 20});
  EXPECT_EQ(cause.kind, CauseKind::kPlace);
  EXPECT_EQ(cause.delta, 8000);
  EXPECT_EQ(cause.callee, "place");
  EXPECT_EQ(cause_sentence(cause), "`place` with its callees costs 1,110 per call, was 310 (10 calls)");
  EXPECT_EQ(cause.inside.size(), 3u);
  EXPECT_TRUE(tells_function({50, 40}, {.own = 1100})) << "its own cost is one of them";
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

TEST(FunctionChangeTest, NothingWhereItIsCalledMoreOften) { EXPECT_FALSE(tells_function({50, 40, 20}, {.times = 11})); }

TEST(FunctionChangeTest, NothingWhereTheFunctionSaysNothing) {
  EXPECT_FALSE(tells_function({50, 40, 20}, {.place = "prog::main"}));
  EXPECT_FALSE(tells_function({50, 40, 20}, {.place = "0x0000000000001234"}));
  EXPECT_FALSE(tells_function({50, 40, 20}, {.recursion = 5})) << "told by how often it calls itself";
}

TEST(FunctionChangeTest, SwappingTheSidesNegatesIt) {
  const Program base{.calls = {10, 10, 10}}, head{.calls = {50, 40, 20}, .other = 106'000};
  const Cause back = explain(graph_of(head), graph_of(base)).causes.at(0);
  EXPECT_EQ(back.kind, CauseKind::kPlace);
  EXPECT_EQ(back.delta, -8000);
}

}  // namespace
}  // namespace icount
