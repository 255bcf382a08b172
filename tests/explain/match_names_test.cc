// Functions that keep their name: which of several namesakes is which.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "icount/explain/explain.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

struct Static {
  std::string file;
  int64_t cost, calls = 10;
  std::string object = "/bin/prog", name = "step";
};

GraphBuilder program(const std::vector<Static>& functions) {
  GraphBuilder graph;
  graph.in("main.cc", "/bin/prog").function("main", 10);
  for (const char* object : {"/lib/liba.so", "/lib/libb.so", "/lib/libc.so"})
    graph.in("any.c", object).function(std::string("of") + object, 1);
  for (const Static& function : functions) {
    graph.in(function.file, function.object)
        .define(function.name, function.cost)
        .calls("main", function.name, function.calls);
  }
  return graph;
}

/// Costs of both sides of each function that changed: "100>150 300>0".
std::string changes(const std::vector<Static>& base, const std::vector<Static>& head,
                    const ExplainOptions& options = {}) {
  std::vector<std::string> words;
  for (const FunctionChange& change : explain(program(base).graph(), program(head).graph(), options).functions)
    words.push_back(fmt::format("{}>{}", change.base, change.head));
  std::sort(words.begin(), words.end());
  return fmt::format("{}", fmt::join(words, " "));
}

TEST(MatchNamesTest, NamesakesPairByPathThenByCostThenInOrder) {
  EXPECT_EQ(changes({{"/x/a/init.c", 100}, {"/x/b/init.c", 300}}, {{"/x/b/init.c", 100}, {"/x/c/init.c", 350}}),
            "100>350 300>100")
      << "by path";
  EXPECT_EQ(changes({{"/x/a/init.c", 100}, {"/x/b/init.c", 300}}, {{"/y/a/init.c", 300}, {"/y/b/init.c", 100}}), "")
      << "by cost";
  EXPECT_EQ(changes({{"/x/b/init.c", 300}, {"/x/a/init.c", 100}}, {{"/y/a/init.c", 110}, {"/y/b/init.c", 330}}),
            "100>110 300>330")
      << "in order of their paths";
  EXPECT_EQ(changes({{"/x/a/init.c", 100}, {"/x/b/init.c", 300}, {"/x/c/init.c", 500}},
                    {{"/y/a/init.c", 550}, {"/y/b/init.c", 300}}),
            "100>550 500>0")
      << "what is paired is paired";
}

TEST(MatchNamesTest, OneNameInTwoSourceFilesIsOneFunctionWhereItCanNotBeAStatic) {
  const auto matched = [](const char* name, const char* before, const char* after) {
    return changes({{before, 100, 1, "/bin/prog", name}}, {{after, 9000, 40, "/bin/prog", name}}) == "100>9000";
  };
  EXPECT_FALSE(matched("step", "alpha.c", "beta.c"));
  EXPECT_FALSE(matched("step", "alpha.cpp", "beta.cc"));
  EXPECT_TRUE(matched("step(int)", "alpha.cc", "beta.cc"));
  EXPECT_TRUE(matched("step", "alpha.h", "beta.c"));
  EXPECT_TRUE(matched("step", "alpha.c", "beta.h"));
  EXPECT_EQ(changes({{"alpha.c", 100, 1}, {"gamma.c", 300, 10}}, {{"beta.c", 300, 1000}}), "100>0")
      << "one of two, by its cost";
}

TEST(MatchNamesTest, AnotherObjectsNamesakeIsTheSameUnlessEveryObjectHasOne) {
  const auto moved = [](const std::vector<Static>& base, const std::vector<Static>& head) {
    return changes(base, head);
  };
  EXPECT_EQ(moved({{"m.c", 100, 1, "/lib/liba.so", "helper"}}, {{"m.c", 900, 40, "/lib/libb.so", "helper"}}),
            "100>900");
  EXPECT_EQ(moved({{"m.c", 100, 1, "/lib/liba.so", "_init"}}, {{"n.c", 900, 40, "/lib/libb.so", "_init"}}),
            "0>900 100>0");
  EXPECT_EQ(moved({{"m.c", 100, 1, "/lib/liba.so", "helper"}},
                  {{"n.c", 900, 40, "/lib/libb.so", "helper"}, {"n.c", 950, 41, "/lib/libc.so", "helper"}}),
            "0>900 0>950 100>0");
}

TEST(MatchNamesTest, RawNamesMeanTheirObjectToo) {
  ExplainOptions raw;
  raw.raw_names = true;
  EXPECT_EQ(changes({{"a.c", 100}}, {{"a.c", 150}}, raw), "100>150");
  EXPECT_EQ(changes({{"a.c", 100}, {"b.c", 300}}, {{"b.c", 100}, {"c.c", 350}}, raw), "100>350 300>100")
      << "first by file";
  EXPECT_EQ(changes({{"a.c", 100, 10, "/lib/liba.so"}}, {{"a.c", 150, 10, "/lib/libb.so"}}, raw), "0>150 100>0");
}

TEST(MatchNamesTest, VariantsOfARoutinePairWithinTheirLibraryTheCostliestFirst) {
  const auto variant = [](const char* name, int64_t cost, const char* object = "/lib/libc.so") {
    return Static{"string.S", cost, 10, object, name};
  };
  EXPECT_EQ(changes({variant("__memcpy_evex_unaligned", 100), variant("__memcpy_avx_unaligned", 900)},
                    {variant("__memcpy_sse2_unaligned", 80), variant("__memcpy_ssse3", 950)}),
            "100>80 900>950");
  EXPECT_EQ(
      changes({variant("__memcpy_avx_unaligned", 9000)}, {variant("__memcpy_sse2_unaligned", 100, "/lib/liba.so")}),
      "0>100 9000>0");
  EXPECT_EQ(changes({variant("__memcpy_avx_unaligned", 9000)}, {variant("memcpy", 100)}), "9000>100")
      << "the one for any processor";
  EXPECT_EQ(changes({variant("__memcpy_avx_unaligned", 9000)}, {variant("copy", 100)}), "0>100 9000>0");
}

}  // namespace
}  // namespace icount
