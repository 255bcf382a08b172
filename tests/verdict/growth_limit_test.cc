// What grows faster than it may, or than it did: of counts that are made from laws.
#include "icount/verdict/growth_limit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace icount {
namespace {

using Law = std::function<double(double)>;

std::vector<int64_t> costs_of(const Law& law) {
  std::vector<int64_t> costs;
  for (const double n : {1'000.0, 2'000.0, 4'000.0}) costs.push_back(std::llround(law(n)));
  return costs;
}

struct Part {
  const char* name;
  Law cost;
  std::vector<Law> loops = {};
};

Growth growth_of(const std::vector<Part>& parts) {
  Growth growth{.label = "x", .event = "Ir", .sizes = {1'000, 2'000, 4'000}, .costs = {0, 0, 0}};
  for (const Part& part : parts) {
    GrowingFunction function{.name = part.name, .costs = costs_of(part.cost)};
    function.fit = fit_growth(growth.sizes, function.costs);
    for (const Law& law : part.loops) {
      GrowingLoop loop{.file = "dir/f.c", .line = 7, .iterations = costs_of(law)};
      loop.fit = fit_growth(growth.sizes, loop.iterations);
      function.loops.push_back(std::move(loop));
    }
    for (size_t i = 0; i < 3; ++i) growth.costs[i] += function.costs[i];
    growth.functions.push_back(std::move(function));
  }
  growth.whole = fit_growth(growth.sizes, growth.costs);
  return growth;
}

double linear(double n) { return 1'000 * n; }
double square(double n) { return n * n; }
double small_square(double n) { return n * n / 1'000; }
double start(double) { return 5'000'000; }

using Said = std::vector<std::string>;

TEST(GrowthLimitTest, TheWholeAndEachFunctionHaveALimit) {
  const Growth growth = growth_of({{"parse", linear}, {"find", square, {square}}, {"start", start}});
  EXPECT_EQ(find_excesses(growth, {}), Said());
  EXPECT_EQ(find_excesses(growth, {.max_exponent = 2.1, .max_function_exponent = 2.1}), Said());
  EXPECT_EQ(find_excesses(growth, {.max_function_exponent = 1.5}),
            Said({"`find` grows as n^2.0, more than n^1.5",
                  "iterations of the loop at f.c:7 in `find` grow as n^2.0, more than n^1.5"}));
  EXPECT_EQ(find_excesses(growth_of({{"find", square, {square}}}), {.max_exponent = 1.5}),
            Said({"Ir grows as n^2.0, more than n^1.5: the loop at f.c:7 in `find`"}));
}

TEST(GrowthLimitTest, TwoNeighbouringSizesHaveARatio) {
  const Growth growth = growth_of({{"find", square}});
  EXPECT_EQ(find_excesses(growth, {.max_ratio = 4.1}), Said());
  EXPECT_EQ(find_excesses(growth, {.max_ratio = 3.5}),
            Said({"Ir at n = 2000 is 4 times that at n = 1000, more than 3.5",
                  "Ir at n = 4000 is 4 times that at n = 2000, more than 3.5"}));
}

TEST(GrowthLimitTest, ABendInTheWholeCountsWhereAPartGrowsFaster) {
  const auto bent = [](double n) { return linear(n) + 60 * small_square(n); };
  EXPECT_EQ(find_excesses(growth_of({{"sum", bent}}), {.max_exponent = 1.1}), Said()) << "blocks bend it as much";
  EXPECT_EQ(find_excesses(growth_of({{"sum", linear}, {"find", [](double n) { return 60 * small_square(n); }}}),
                          {.max_exponent = 1.1}),
            Said({"Ir grows as about n^1.2, more than n^1.1: `find`"}));
}

TEST(GrowthLimitTest, FewIterationsDependOnChance) {
  const Growth growth = growth_of({{"sort", linear, {small_square}}});
  EXPECT_EQ(find_excesses(growth, {.max_function_exponent = 1.2}), Said());
}

TEST(GrowthLimitTest, CountsThatDependOnChanceAreNoSquare) {
  // A hash table's rehashing at 10,000, 20,000 and 40,000 numbers: as 6,700 + a n^1.9, and four times as much in all.
  Growth growth = growth_of({{"rehash", [](double n) { return 20 * n; }}});
  growth.functions[0].loops = {{.file = "hashtable.h", .line = 7, .iterations = {8'814, 14'194, 34'947}}};
  growth.functions[0].loops[0].fit = fit_growth(growth.sizes, growth.functions[0].loops[0].iterations);
  EXPECT_GT(growth.functions[0].loops[0].fit.exponent, 1.8);
  EXPECT_EQ(find_excesses(growth, {.max_function_exponent = 1.3}), Said());
}

TEST(GrowthLimitTest, ASquareIsFoundThoughTheCostHardlyMoves) {
  const Growth base = growth_of({{"sum", linear, {linear}}});
  const Growth head =
      growth_of({{"sum", [](double n) { return linear(n) + small_square(n); }, {linear, small_square}}});
  EXPECT_LT(head.costs.back(), 1.005 * static_cast<double>(base.costs.back()));
  EXPECT_EQ(find_rises(head, base), Said({"iterations of the loop at f.c:7 in `sum` grow as n^2.0; in the base nothing "
                                          "there grows faster than n^1.0"}));
  EXPECT_EQ(find_rises(base, head), Said());
  EXPECT_EQ(find_rises(head, head), Said());
}

TEST(GrowthLimitTest, ANewFunctionIsComparedWithTheFastestOfTheBase) {
  const Growth base = growth_of({{"sum", linear}});
  EXPECT_EQ(find_rises(growth_of({{"sum", linear}, {"find", small_square}}), base),
            Said({"`find` grows as n^2.0; in the base nothing there grows faster than n^1.0"}));
  EXPECT_EQ(find_rises(growth_of({{"sum", linear}, {"more", linear}}), base), Said());
  EXPECT_EQ(find_rises(growth_of({{"find", square}, {"seek", square}}), growth_of({{"find", square}})), Said());
  EXPECT_EQ(find_rises(growth_of({{"seek", square}}), growth_of({{"find", square}})), Said()) << "renamed";
}

TEST(GrowthLimitTest, WhatIsInlinedNowMayGrowAsItDid) {
  const Growth base = growth_of({{"sum", linear}, {"find", square, {square}}});
  EXPECT_EQ(find_rises(growth_of({{"sum", [](double n) { return linear(n) + square(n); }, {linear, square}}}), base),
            Said());
}

TEST(GrowthLimitTest, OfAcceptedTotalsTheWholeAloneIsCompared) {
  Growth base = growth_of({{"sum", linear}});
  base.functions.clear();
  EXPECT_EQ(find_rises(growth_of({{"sum", linear}, {"find", small_square}}), base), Said());
  EXPECT_EQ(find_rises(growth_of({{"find", square}}), base), Said({"Ir grows as n^2.0, and as n^1.0 in the base"}));
}

TEST(GrowthLimitTest, WhatDoesNotGrowSaysWhy) {
  EXPECT_EQ(flat_text(growth_of({{"sum", linear}}), {}), "");
  EXPECT_EQ(flat_text(growth_of({{"start", start}}), {.max_exponent = 0.1}), "") << "that is what is asked for";
  EXPECT_EQ(flat_text(growth_of({{"start", start}}), {}),
            "costs the same at every size: nothing in it depends on n, so it measures nothing");
  EXPECT_EQ(flat_text(growth_of({{"start", start}, {"sum", [](double n) { return n; }}}), {}),
            "hardly depends on n (5,001,000 to 5,004,000 Ir): choose larger sizes, or count less beside it");
}

}  // namespace
}  // namespace icount
