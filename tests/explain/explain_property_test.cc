// What holds of every pair of profiles: sums are exact, sides may be exchanged, the order does not matter, any name is
// taken.
#include "icount/explain/explain.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "icount/base/file.h"
#include "icount/base/json.h"
#include "icount/callgraph/name_parts.h"
#include "icount/report/cause_sentence.h"
#include "support/error_of.h"
#include "support/golden.h"
#include "support/graph_builder.h"
#include "support/hostile_names.h"
#include "support/profile_pair.h"

namespace icount {
namespace {

struct Shape {
  int functions = 30;
  int edges = 90;
  double cyclic = 0.2;       ///< part of the edges that may go backwards
  double not_counted = 0.1;  ///< part of the edges with calls=0
  double changed = 0.5;      ///< part of figures that differ between the sides
};

class RandomPair {
 public:
  RandomPair(uint64_t seed, Shape shape) : random_(seed), shape_(shape) {}

  std::pair<CostGraph, CostGraph> make() {
    GraphBuilder base, head;
    for (int f = 0; f < shape_.functions; ++f) {
      const int64_t self = chance(0.1) ? 0 : number(100000);
      const int side = chance(0.15) ? number(2) : 2;  // some functions are on one side only
      if (side != 1) base.function(name(f), self);
      if (side != 0) head.function(name(f), chance(shape_.changed) ? number(100000) : self);
    }
    for (int e = 0; e < shape_.edges; ++e) add_edge(base, head);
    return {base.graph(), head.graph()};
  }

 private:
  void add_edge(GraphBuilder& base, GraphBuilder& head) {
    int caller = static_cast<int>(number(shape_.functions)), callee = static_cast<int>(number(shape_.functions));
    if (caller > callee && !chance(shape_.cyclic)) std::swap(caller, callee);
    const int64_t calls = chance(shape_.not_counted) ? 0 : 1 + number(1000);
    const int side = chance(0.2) ? static_cast<int>(number(2)) : 2;
    if (side != 1) base.calls(name(caller), name(callee), calls, number(1000));
    if (side != 0) head.calls(name(caller), name(callee), chance(shape_.changed) ? number(1000) : calls, number(1000));
  }

  static std::string name(int f) { return f % 7 == 3 ? fmt::format("ns::f{}(int)", f) : fmt::format("f{}", f); }
  bool chance(double p) { return std::uniform_real_distribution<>(0, 1)(random_) < p; }
  int64_t number(int64_t below) { return std::uniform_int_distribution<int64_t>(0, below - 1)(random_); }

  std::mt19937_64 random_;
  Shape shape_;
};

int64_t sum(const std::vector<Cause>& causes) {
  int64_t total = 0;
  for (const Cause& cause : causes) total += cause.delta;
  return total;
}

/// Key of a cause that both directions share; what took another's place goes by head's name and is left out here.
std::vector<std::string> keys(const std::vector<Cause>& causes, int64_t sign) {
  std::vector<std::string> result;
  for (const Cause& cause : causes) {
    const std::string callee = std::holds_alternative<fact::ReplacedCall>(cause.facts) ? "" : cause.callee;
    result.push_back(
        fmt::format("{} {} {} {} {}", to_text(cause.kind), cause.function, cause.caller, callee, sign * cause.delta));
    for (const std::string& inner : keys(cause.inside, sign)) result.push_back("  " + inner);
  }
  return result;
}

class ExplainPropertyTest : public testing::TestWithParam<int> {};

TEST_P(ExplainPropertyTest, CausesAddUpAndSwappingNegatesThem) {
  const auto seed = static_cast<uint64_t>(GetParam());
  Shape shape;
  shape.functions = 5 + GetParam() % 60;
  shape.edges = shape.functions * (1 + GetParam() % 4);
  shape.cyclic = GetParam() % 3 == 0 ? 0 : 0.3;
  const auto [base, head] = RandomPair(seed, shape).make();
  const Explanation forth = explain(base, head), back = explain(head, base);
  EXPECT_EQ(forth.delta, head.totals[0] - base.totals[0]);
  EXPECT_EQ(sum(forth.causes), forth.delta);
  for (const Cause& cause : forth.causes) {
    if (!cause.inside.empty()) {
      EXPECT_EQ(sum(cause.inside), cause.delta) << cause_sentence(cause);
    }
    EXPECT_NE(cause.kind, CauseKind::kRest) << cause.delta;
    EXPECT_TRUE(cause.delta != 0 || cause.kind == CauseKind::kRenamed || !cause.inside.empty())
        << cause_sentence(cause);
  }
  EXPECT_EQ(keys(forth.causes, 1), keys(back.causes, -1)) << "seed " << seed;
}

/// A function that is in an allocator's library on one side only is no allocator's, whichever side is base.
TEST(ExplainSidesTest, ANoiseGroupLooksAtBothSides) {
  GraphBuilder base, head;
  base.function("main", 100).in("a.c", "libx.so").function("f", 1000).calls("main", "f", 10, 1000);
  head.function("main", 100).in("a.c", "libjemalloc.so.2").function("f", 5000).function("je_malloc", 70);
  head.calls("main", "f", 10, 5000).calls("main", "je_malloc", 1, 70);
  const Explanation forth = explain(base.graph(), head.graph()), back = explain(head.graph(), base.graph());
  EXPECT_EQ(keys(forth.causes, 1), keys(back.causes, -1));
  EXPECT_EQ(forth.causes[0].kind, CauseKind::kOwnCost) << cause_sentence(forth.causes[0]);
}

TEST_P(ExplainPropertyTest, AGraphAgainstItselfHasNoCause) {
  const auto [base, head] = RandomPair(static_cast<uint64_t>(GetParam()) + 1000, Shape{}).make();
  EXPECT_TRUE(explain(base, base).causes.empty());
  EXPECT_TRUE(explain(head, head).functions.empty());
}

TEST_P(ExplainPropertyTest, UntrustedCountsAddUpToo) {
  const auto [base, head] = RandomPair(static_cast<uint64_t>(GetParam()), Shape{}).make();
  ExplainOptions options;
  options.calls = CallTrust::kUntrusted;
  const Explanation forth = explain(base, head, options), back = explain(head, base, options);
  EXPECT_EQ(sum(forth.causes), head.totals[0] - base.totals[0]);
  EXPECT_EQ(keys(forth.causes, 1), keys(back.causes, -1));
}

INSTANTIATE_TEST_SUITE_P(Seeds, ExplainPropertyTest, testing::Range(0, 120));

TEST(ExplainLimitsTest, FiguresThatCannotBeComputedExactlyAreRefused) {
  constexpr int64_t kLimit = int64_t{1} << 53;
  const auto refusal_of = [](int64_t self, int64_t calls) {
    GraphBuilder base, head;
    base.function("f", 1000).function("g", 5).calls("f", "f", calls).calls("g", "f", calls).calls("f", "g", calls);
    head.function("f", self).function("g", 7).calls("f", "f", calls).calls("g", "f", 3).calls("f", "g", 1);
    return error_of(ErrorKind::kCannotJudge,
                    [&] { EXPECT_EQ(sum(explain(base.graph(), head.graph()).causes), self - 998); });
  };
  EXPECT_NE(refusal_of(2000, kLimit).find("counts of 2^53 and more"), std::string::npos);
  EXPECT_NE(refusal_of(kLimit, 7).find("counts of 2^53 and more"), std::string::npos)
      << "even where the sums are exact";
  EXPECT_EQ(refusal_of(2000, kLimit - 1), "no error");
  EXPECT_EQ(refusal_of(kLimit - 1, 7), "no error");
}

TEST(ExplainLimitsTest, ClustersNearTheLimitAddUp) {
  GraphBuilder base, head;
  base.function("main", 7)
      .function("f", 8000000000000003)
      .function("g", 3)
      .calls("main", "f", 3)
      .calls("f", "g", 7)
      .calls("g", "f", 5);
  head.function("main", 9)
      .function("f", 8100000000000011)
      .function("g", 9)
      .calls("main", "f", 7)
      .calls("f", "g", 9)
      .calls("g", "f", 5);
  const Explanation explanation = explain(base.graph(), head.graph());
  for (const Cause& cause : explanation.causes) EXPECT_NE(cause.kind, CauseKind::kRest) << cause.delta;
}

TEST(ExplainLimitsTest, TotalsNearTheLimitAddUp) {
  GraphBuilder base, head;
  base.function("main", 7).function("f", 8000000000000003).function("g", 3).calls("main", "f", 3).calls("f", "g", 7);
  head.function("main", 9).function("f", 8100000000000011).function("g", 9).calls("main", "f", 7).calls("f", "g", 9);
  const Explanation explanation = explain(base.graph(), head.graph());
  EXPECT_EQ(sum(explanation.causes), 100000000000016);
  for (const Cause& cause : explanation.causes) EXPECT_NE(cause.kind, CauseKind::kRest) << cause.delta;
}

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

struct Recorded {
  Json cause;
  Explanation explanation;
};

Recorded load_pair(const std::string& name) {
  const auto folder = unpacked("profiles/plain") / name;
  ExplainOptions options;
  Recorded recorded{parse_json(load_text(folder / "cause.json"), name), {}};
  options.event = recorded.cause["event"].get<std::string>();
  recorded.explanation = explain(load_graph(folder / "base"), load_graph(folder / "head"), options);
  return recorded;
}

class ExplainProfilesTest : public testing::TestWithParam<const char*> {};

TEST_P(ExplainProfilesTest, TotalsAreTheRecordedOnesAndCausesAddUp) {
  const auto [cause, explanation] = load_pair(GetParam());
  EXPECT_EQ(explanation.base_total, cause["total_base"].get<int64_t>());
  EXPECT_EQ(explanation.head_total, cause["total_head"].get<int64_t>());
  EXPECT_EQ(explanation.delta, cause["delta"].get<int64_t>());
  int64_t sum = 0;
  for (const Cause& each : explanation.causes) sum += each.delta;
  EXPECT_EQ(sum, explanation.delta);
}

TEST_P(ExplainProfilesTest, TheFirstCauseNamesWhatWasChanged) {
  const auto [cause, explanation] = load_pair(GetParam());
  const auto expected = cause["expected_top_functions"];
  if (expected.empty()) {
    for (const Cause& each : explanation.causes) EXPECT_EQ(each.delta, 0) << cause_sentence(each);
    return;
  }
  ASSERT_FALSE(explanation.causes.empty());
  const std::string first = all_names(explanation.causes.front());
  const bool named = std::any_of(expected.begin(), expected.end(), [&](const Json& name) {
    return first.find(canonical_name(name.get<std::string>())) != std::string::npos;
  });
  EXPECT_TRUE(named) << first;
}

INSTANTIATE_TEST_SUITE_P(Pairs, ExplainProfilesTest,
                         testing::Values("calc-namespace-rename", "calc-token-copies", "records-inlined-escape",
                                         "zlib-longer-chains"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(ExplainRecordedTest, InliningIsOneCauseWithTheNetCost) {
  const Explanation explanation = load_pair("records-inlined-escape").explanation;
  ASSERT_EQ(explanation.causes.size(), 1u);
  const Cause& cause = explanation.causes.front();
  EXPECT_EQ(cause.kind, CauseKind::kInlined);
  EXPECT_EQ(cause.callee, "escape(char, char*)");
  EXPECT_EQ(cause.delta, -10701);
  EXPECT_EQ(cause_sentence(cause),
            "`escape(char, char*)` is now inlined into `format[abi:cxx11](std::vector<Record> const&)` (2,900 calls, "
            "-3.7 each)");
  ASSERT_EQ(cause.inside.size(), 2u);
}

TEST(ExplainRecordedTest, ARenamedNamespaceIsSaidFunctionByFunction) {
  const Explanation explanation = load_pair("calc-namespace-rename").explanation;
  EXPECT_EQ(explanation.renamed, 10);
  EXPECT_EQ(explanation.causes.size(), 10u);
  for (const Cause& cause : explanation.causes) EXPECT_EQ(cause.kind, CauseKind::kRenamed);
  EXPECT_TRUE(explanation.functions.empty());
  ASSERT_EQ(explanation.notes.size(), 1u);
  EXPECT_EQ(note_sentences(explanation)[0], "10 functions matched under another name: `calc` is now `expr`");
}

TEST(ExplainRecordedTest, DearerLongestMatchLeadsByFar) {
  const Explanation explanation = load_pair("zlib-longer-chains").explanation;
  EXPECT_EQ(explanation.causes[0].kind, CauseKind::kOwnCost);
  EXPECT_EQ(cause_sentence(explanation.causes[0]),
            "`longest_match` itself costs 1,572 per call, was 1,093 (6,542 calls, was 7,080)");
}

CostGraph program(const std::vector<std::string>& names) {
  GraphBuilder graph;
  graph.function("main", 10);
  for (size_t i = 0; i < names.size(); ++i)
    graph.function(names[i], static_cast<int64_t>(100 + i)).calls("main", names[i], static_cast<int64_t>(1 + i % 7));
  return graph.graph();
}

TEST(HostileNamesTest, ExplainEndsForAnyNames) {
  constexpr size_t kNames = 1'000;
  const CostGraph base = program(hostile_names(kNames, 3)), head = program(hostile_names(kNames, 4));
  for (const bool raw : {false, true}) {
    ExplainOptions options;
    options.raw_names = raw;
    const Explanation explanation = explain(base, head, options);  // checks its sums itself
    EXPECT_EQ(explanation.delta, head.totals[0] - base.totals[0]);
    EXPECT_FALSE(explanation.causes.empty());
  }
}

TEST(HostileNamesTest, ATagThatNeverClosesIsAPartOfTheName) {
  const CostGraph base = program({"[abi:", "f[abi:", "g"}), head = program({"f[abi:cxx11", "[abi:", "g"});
  EXPECT_FALSE(explain(base, head).functions.empty());
}

}  // namespace
}  // namespace icount
