// Random programs whose figures agree with each other, as a profiler's do: every edge costs what its calls cost, and
// what a function does depends on who calls it. Causes add up, swapping the sides negates them, and the order in which
// a profile lists its functions does not matter. Then figures that contradict each other on purpose.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

/// What one call of a function does, by the parity of its caller.
struct Body {
  int64_t self = 0;
  std::vector<std::pair<int, int64_t>> calls;  ///< callee, times
};
using Program = std::vector<std::array<Body, 2>>;

struct Totals {
  std::vector<int64_t> self;
  std::map<std::pair<int, int>, std::pair<int64_t, int64_t>> edges;  ///< calls, inclusive cost
};

Program random_program(std::mt19937_64& random, int functions) {
  const auto number = [&](int64_t below) { return std::uniform_int_distribution<int64_t>(0, below - 1)(random); };
  Program program(static_cast<size_t>(functions));
  for (int f = 0; f < functions; ++f)
    for (Body& body : program[static_cast<size_t>(f)]) {
      body.self = 1 + number(50);
      for (int callee = f + 1; callee < std::min(functions, f + 5); ++callee)
        if (number(3) == 0) body.calls.emplace_back(callee, 1 + number(3));
    }
  return program;
}

/// Changes some bodies: own cost, another number of calls, a call gone.
Program changed(Program program, std::mt19937_64& random) {
  const auto number = [&](int64_t below) { return std::uniform_int_distribution<int64_t>(0, below - 1)(random); };
  for (auto& bodies : program)
    for (Body& body : bodies) {
      if (number(5) == 0) body.self += number(30);
      if (body.calls.empty()) continue;
      if (number(6) == 0) body.calls.back().second += 1;
      if (number(9) == 0) body.calls.erase(body.calls.begin());
    }
  return program;
}

int64_t run(const Program& program, int f, int caller, int64_t times, Totals& totals) {
  const Body& body = program[static_cast<size_t>(f)][static_cast<size_t>(caller & 1)];
  int64_t cost = body.self * times;
  totals.self[static_cast<size_t>(f)] += cost;
  for (const auto& [callee, calls] : body.calls) {
    const int64_t below = run(program, callee, f, calls * times, totals);
    auto& edge = totals.edges[{f, callee}];
    edge.first += calls * times;
    edge.second += below;
    cost += below;
  }
  return cost;
}

/// As a profile that lists its functions in `order`.
CostGraph graph_of(const Program& program, const std::vector<int>& order) {
  Totals totals;
  totals.self.assign(program.size(), 0);
  run(program, 0, 0, 1, totals);
  GraphBuilder builder;
  const auto name = [](int f) { return fmt::format("f{}", f); };
  for (const int f : order)
    if (totals.self[static_cast<size_t>(f)] > 0) builder.function(name(f), totals.self[static_cast<size_t>(f)]);
  for (const int f : order)
    for (const auto& [edge, figures] : totals.edges)
      if (edge.first == f) builder.calls(name(edge.first), name(edge.second), figures.first, figures.second);
  return builder.graph();
}

int64_t sum(const std::vector<Cause>& causes) {
  int64_t total = 0;
  for (const Cause& cause : causes) total += cause.delta;
  return total;
}

std::vector<std::string> lines(const std::vector<Cause>& causes, int64_t sign, bool with_text) {
  std::vector<std::string> result;
  for (const Cause& cause : causes) {
    result.push_back(fmt::format("{} {} {} {} {} {}", to_text(cause.kind), cause.function, cause.caller, cause.callee,
                                 sign * cause.delta, with_text ? cause_sentence(cause) : ""));
    for (const std::string& inner : lines(cause.inside, sign, with_text)) result.push_back("  " + inner);
  }
  return result;
}

class ExplainConsistentTest : public testing::TestWithParam<int> {};

TEST_P(ExplainConsistentTest, CausesAddUpWhateverTheSidesAndTheOrder) {
  std::mt19937_64 random(static_cast<uint64_t>(GetParam()));
  const int functions = 6 + GetParam() % 12;
  const Program before = random_program(random, functions), now = changed(before, random);
  std::vector<int> order(static_cast<size_t>(functions));
  std::iota(order.begin(), order.end(), 0);
  const CostGraph base = graph_of(before, order), head = graph_of(now, order);
  const Explanation forth = explain(base, head), back = explain(head, base);
  EXPECT_EQ(forth.delta, head.totals[0] - base.totals[0]);
  EXPECT_EQ(sum(forth.causes), forth.delta);
  EXPECT_EQ(lines(forth.causes, 1, false), lines(back.causes, -1, false));
  std::shuffle(order.begin(), order.end(), random);
  const Explanation shuffled = explain(graph_of(before, order), graph_of(now, order));
  EXPECT_EQ(lines(forth.causes, 1, true), lines(shuffled.causes, 1, true));
}

/// One call more, of a function that nobody else calls, costs what it costs.
TEST_P(ExplainConsistentTest, ANewCallIsTheOnlyCauseAndCostsWhatWasRecorded) {
  std::mt19937_64 random(static_cast<uint64_t>(GetParam()) + 500);
  const int functions = 6 + GetParam() % 12;
  Program program = random_program(random, functions);
  program.push_back({Body{77, {}}, Body{77, {}}});
  std::vector<int> order(program.size());
  std::iota(order.begin(), order.end(), 0);
  const CostGraph base = graph_of(program, order);
  program[0][0].calls.emplace_back(functions, 3);
  const Explanation explanation = explain(base, graph_of(program, order));
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(explanation.causes[0].caller, "f0");
  EXPECT_EQ(explanation.causes[0].callee, fmt::format("f{}", functions));
  EXPECT_EQ(explanation.causes[0].delta, 3 * 77);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ExplainConsistentTest, testing::Range(0, 80));

/// Adds up, both ways round; nothing else can be asked of figures that contradict each other.
void expect_sound(const GraphBuilder& base_builder, const GraphBuilder& head_builder) {
  const CostGraph base = base_builder.graph(), head = head_builder.graph();
  const Explanation forth = explain(base, head), back = explain(head, base);
  EXPECT_EQ(sum(forth.causes), head.totals[0] - base.totals[0]);
  EXPECT_EQ(lines(forth.causes, 1, false), lines(back.causes, -1, false));
  for (const Cause& cause : forth.causes) EXPECT_NE(cause.kind, CauseKind::kRest) << cause_sentence(cause);
}

TEST(ExplainBadInputTest, EdgesThatCostMoreThanTheirCallee) {
  GraphBuilder base, head;
  base.function("main", 10).function("a", 20).function("b", 30).calls("main", "a", 2, 5000).calls("a", "b", 4, 9000);
  head.function("main", 10).function("a", 25).function("b", 90).calls("main", "a", 2, 70).calls("a", "b", 9, 2);
  expect_sound(base, head);
}

TEST(ExplainBadInputTest, CallCountsOfZero) {
  GraphBuilder base, head;
  base.function("main", 10).function("a", 20).function("b", 30).calls("main", "a", 0, 50).calls("a", "b", 0, 30);
  head.function("main", 10).function("a", 25).function("b", 90).calls("main", "a", 1, 115).calls("a", "b", 0, 90);
  expect_sound(base, head);
}

TEST(ExplainBadInputTest, CostsWithoutCalls) {
  GraphBuilder base, head;
  base.function("main", 10).function("alone", 500).function("b", 30).calls("main", "b", 3, 30);
  head.function("main", 10).function("alone", 800).function("other", 40).function("b", 60).calls("main", "b", 3, 60);
  expect_sound(base, head);
}

TEST(ExplainBadInputTest, CallsWithoutCost) {
  GraphBuilder base, head;
  base.function("main", 10).function("a", 0).function("b", 30).calls("main", "a", 3, 0).calls("a", "b", 3, 0);
  head.function("main", 10).function("a", 0).function("b", 60).calls("main", "a", 5, 0).calls("a", "b", 5, 0);
  expect_sound(base, head);
}

TEST(ExplainBadInputTest, CallersThatDisagreeWithTheirCallee) {
  // Two callers pay a hundred times what the function costs, and it calls more than it costs.
  GraphBuilder base, head;
  for (GraphBuilder* side : {&base, &head}) {
    const bool is_head = side == &head;
    side->function("main", 10).function("a", 20).function("b", 20).function("shared", is_head ? 50 : 30);
    side->function("leaf", is_head ? 9 : 5);
    side->calls("main", "a", 1, 100).calls("main", "b", 1, 100);
    side->calls("a", "shared", 10, is_head ? 9000 : 3000).calls("b", "shared", 10, 4).calls("shared", "leaf", 20, 700);
  }
  expect_sound(base, head);
}

}  // namespace
}  // namespace icount
