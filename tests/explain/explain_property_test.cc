// What must hold for any two cost graphs: causes add up, swapping the sides changes signs and nothing else.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <random>

#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"
#include "support/error_of.h"
#include "support/graph_builder.h"

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

/// Key of a cause that both directions share; a renamed function goes by head's name and is left out here.
std::vector<std::string> keys(const std::vector<Cause>& causes, int64_t sign) {
  std::vector<std::string> result;
  for (const Cause& cause : causes) {
    result.push_back(fmt::format("{} {} {} {} {}", to_text(cause.kind), cause.function, cause.caller, cause.callee,
                                 sign * cause.delta));
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

/// Code of the loader is the loader's by its object, with and without a symbol.
TEST(ExplainSidesTest, AFunctionWithoutANameIsInTheGroupOfItsObject) {
  const auto graph = [](int64_t first, int64_t second) {
    return GraphBuilder()
        .function("main", 100)
        .in("???", "ld-linux-x86-64.so.2")
        .function("0x0000000000012340", first)
        .function("0x0000000000056780", second)
        .calls("main", "0x0000000000012340", 1, first)
        .calls("main", "0x0000000000056780", 1, second)
        .graph();
  };
  const Explanation found = explain(graph(500, 900), graph(700, 400));
  ASSERT_EQ(found.causes.size(), 1u);
  EXPECT_EQ(found.causes[0].kind, CauseKind::kGroup) << cause_sentence(found.causes[0]);
  EXPECT_NE(cause_sentence(found.causes[0]).find("dynamic loader"), std::string::npos)
      << cause_sentence(found.causes[0]);
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

}  // namespace
}  // namespace icount
