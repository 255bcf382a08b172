// Which function of base is which of head: by name, file, object and path, as whole explanations tell it.
#include "icount/explain/explain.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "icount/explain/match/match.h"
#include "icount/report/cause_sentence.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

TEST(ExplainMatchingTest, TemplateArgumentChangedAndDearerIsRenamed) {
  GraphBuilder base, head;
  base.function("main", 10).function("Ring<int>::put(int)", 1000).calls("main", "Ring<int>::put(int)", 100);
  head.function("main", 10).function("Ring<long>::put(long)", 1500).calls("main", "Ring<long>::put(long)", 100);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(explanation.causes[0].kind, CauseKind::kRenamed);
  EXPECT_EQ(explanation.causes[0].function, "Ring<long>::put(long)");
  EXPECT_EQ(cause_sentence(explanation.causes[0]),
            "`Ring<long>::put(long)` itself costs 15 per call, was 10 (100 calls); it was `Ring<int>::put(int)` (same "
            "callers, same number of calls)");
  EXPECT_EQ(explanation.renamed, 1);
  ASSERT_EQ(explanation.functions.size(), 1u);
  EXPECT_EQ(explanation.functions[0].base_name, "Ring<int>::put(int)");
}

TEST(ExplainMatchingTest, FunctionsThatMovedToALibraryAreTold) {
  GraphBuilder base, head;
  base.in("a.cc", "/bin/prog").function("main", 10).function("text::clean(int)", 500).function("text::count(int)", 300);
  head.in("a.cc", "/bin/prog")
      .function("main", 10)
      .in("text.cc", "/lib/libtext.so")
      .function("text::clean(int)", 500)
      .function("text::count(int)", 300);
  for (GraphBuilder* graph : {&base, &head})
    graph->calls("main", "text::clean(int)", 5).calls("text::clean(int)", "text::count(int)", 5);
  const Explanation explanation = explain(base.graph(), head.graph());
  EXPECT_TRUE(explanation.causes.empty());
  ASSERT_EQ(explanation.notes.size(), 1u);
  EXPECT_EQ(note_sentences(explanation)[0], "2 functions now come from `libtext.so` (was `prog`)");
}

TEST(ExplainMatchingTest, AnAbiTagIsNoOtherName) {
  GraphBuilder base, head;  // a list has the tag that a vector has not, and works otherwise
  base.function("main", 10)
      .function("make(int)", 500)
      .function("vector::grow(int)", 9000)
      .calls("main", "make(int)", 1, 9500)
      .calls("make(int)", "vector::grow(int)", 100, 9000);
  head.function("main", 10).function("make[abi:cxx11](int)", 500).function("list::hook(int)", 2000);
  head.calls("main", "make[abi:cxx11](int)", 1, 2500).calls("make[abi:cxx11](int)", "list::hook(int)", 100, 2000);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(
      cause_sentence(explanation.causes[0]),
      "`make[abi:cxx11](int)` calls `list::hook(int)` in place of `vector::grow(int)` (100 calls, 20 each, was 90)");
  EXPECT_EQ(explanation.renamed, 0);
}

TEST(ExplainMatchingTest, OtherParametersAreSaidShortly) {
  const std::string arguments =
      "std::__debug::vector<std::variant<Shape, Circle>, std::allocator<std::variant<Shape, Circle> > >, "
      "another::Policy<int> const&";
  GraphBuilder base, head;
  base.function("main", 10).function("total(int)", 5000).calls("main", "total(int)", 10);
  head.function("main", 10).function("total(" + arguments + ")", 5100).calls("main", "total(" + arguments + ")", 10);
  EXPECT_EQ(cause_sentence(explain(base.graph(), head.graph()).causes[0]),
            "`total` itself costs 510 per call, was 500 (10 calls); its signature changed");
}

TEST(ExplainMatchingTest, AnAllocatorFromAnotherLibraryIsSaid) {
  GraphBuilder base, head;
  base.function("main", 10)
      .in("malloc.c", "/lib/libc.so.6")
      .function("malloc", 300)
      .function("puts", 5)
      .calls("main", "malloc", 10)
      .calls("main", "puts", 1);
  head.function("main", 10)
      .in("malloc.c", "/lib/libc.so.6")
      .function("puts", 5)
      .in("mine.c", "/opt/libmine.so")
      .function("malloc", 120);
  head.calls("main", "malloc", 10).calls("main", "puts", 1);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(explanation.causes[0].kind, CauseKind::kRenamed);
  EXPECT_EQ(cause_sentence(explanation.causes[0]),
            "`malloc` itself costs 12 per call, was 30 (10 calls); it comes from `libmine.so`, was `libc.so.6`");
}

TEST(ExplainMatchingTest, AChainOfRenamedCallsIsMatchedFromItsEnd) {
  GraphBuilder base, head;
  for (auto [graph, scope, leaf] : {std::tuple(&base, "old::", 1000), std::tuple(&head, "fresh::", 1400)}) {
    const std::string s = scope;
    graph->function("main", 10)
        .function(s + "Page::draw()", 40)
        .function(s + "Line::draw()", 90)
        .function(s + "Word::draw()", leaf);
    graph->calls("main", s + "Page::draw()", 2, 130 + leaf)
        .calls(s + "Page::draw()", s + "Line::draw()", 10, 90 + leaf)
        .calls(s + "Line::draw()", s + "Word::draw()", 50, leaf);
  }
  const Explanation explanation = explain(base.graph(), head.graph());
  EXPECT_EQ(explanation.renamed, 3);
  EXPECT_EQ(cause_sentence(explanation.causes[0]),
            "`fresh::Word::draw()` itself costs 28 per call, was 20 (50 calls); it was `old::Word::draw()` (same "
            "number of calls)");
  EXPECT_EQ(explanation.causes[0].delta, 400);
}

TEST(ExplainMatchingTest, AMethodNameThatManyClassesHaveMakesNoRename) {
  GraphBuilder base, head;
  for (const char* name : {"ops::mul::call(int)", "ops::sub::call(int)"})
    base.function(name, 1000).calls("main", name, 10);
  for (const char* name : {"ops::max::call(int)", "ops::min::call(int)"})
    head.function(name, 2500).calls("main", name, 10);
  EXPECT_EQ(explain(base.graph(), head.graph()).renamed, 0);
}

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

TEST(MatchNamesTest, RawNamesMeanTheirObjectToo) {
  ExplainOptions raw;
  raw.raw_names = true;
  EXPECT_EQ(changes({{"a.c", 100}}, {{"a.c", 150}}, raw), "100>150");
  EXPECT_EQ(changes({{"a.c", 100}, {"b.c", 300}}, {{"b.c", 100}, {"c.h", 350}}, raw), "100>350 300>100")
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
