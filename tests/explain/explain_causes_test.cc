// The list of causes: which there are, what is folded, what lies inside, and how it is rounded.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

/// Kinds and changes of all causes: "calls 120, own-cost -20".
std::string list(const std::vector<Cause>& causes) {
  std::vector<std::string> words;
  for (const Cause& cause : causes) words.push_back(fmt::format("{} {}", to_text(cause.kind), cause.delta));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string list(const GraphBuilder& base, const GraphBuilder& head, const ExplainOptions& options = {}) {
  return list(explain(base.graph(), head.graph(), options).causes);
}

TEST(ExplainCausesTest, OfTwoHalvesTheLargerCauseTakesTheUnit) {
  GraphBuilder base, head;
  base.function("main", 10).function("f", 5).calls("main", "f", 1);
  head.function("main", 10).function("f", 12).calls("main", "f", 2);
  EXPECT_EQ(list(base, head), "calls 6, own-cost 1");
  EXPECT_EQ(list(head, base), "calls -6, own-cost -1");
}

TEST(ExplainCausesTest, CallsIntoAGroupAreNotOfIt) {
  GraphBuilder base, head;
  for (auto* graph : {&base, &head}) graph->function("main", 10).in("malloc.c", "/lib/libc.so.6");
  base.function("malloc", 100).function("free", 50).calls("main", "malloc", 10).calls("main", "free", 10);
  head.function("malloc", 200).function("free", 100).calls("main", "malloc", 20).calls("main", "free", 20);
  EXPECT_EQ(list(base, head), "calls 100, calls 50");
}

TEST(ExplainCausesTest, RoutinesExchangedByDispatchAreNoNoise) {
  GraphBuilder base, head;
  for (auto* graph : {&base, &head}) graph->function("main", 10).in("string.S", "/lib/libc.so.6");
  base.function("__memcpy_avx_unaligned", 100)
      .function("__strlen_avx2", 50)
      .calls("main", "__memcpy_avx_unaligned", 10)
      .calls("main", "__strlen_avx2", 10);
  head.function("__memcpy_sse2_unaligned", 300)
      .function("__strlen_sse2", 90)
      .calls("main", "__memcpy_sse2_unaligned", 10)
      .calls("main", "__strlen_sse2", 10);
  EXPECT_EQ(list(base, head), "renamed 200, renamed 40");
  ExplainOptions untrusted;
  untrusted.calls = CallTrust::kUntrusted;
  EXPECT_EQ(list(base, head, untrusted), "renamed 200, renamed 40");
}

TEST(ExplainCausesTest, WithoutCallCountsEveryFunctionThatChangedIsACause) {
  GraphBuilder base, head;
  base.function("main", 10).function("gone", 7).function("ns::run(int)", 500).calls("main", "ns::run(int)", 10);
  head.function("main", 15).function("fresh", 30).function("ns::run(long)", 500).calls("main", "ns::run(long)", 10);
  ExplainOptions options;
  options.calls = CallTrust::kUntrusted;
  const Explanation explanation = explain(base.graph(), head.graph(), options);
  EXPECT_EQ(list(explanation.causes), "own-cost 30, own-cost -7, own-cost 5, renamed 0");
  EXPECT_EQ(cause_sentence(explanation.causes[0]), "`fresh` itself costs 30 in total, was 0");
}

TEST(ExplainCausesTest, EitherSideMayLackTrust) {
  GraphBuilder base, head;
  base.function("main", 10);
  head.function("main", 10).untrusted("collection was toggled");
  ASSERT_EQ(explain(base.graph(), head.graph()).notes.size(), 1u);
  EXPECT_EQ(note_sentences(explain(base.graph(), head.graph()))[0],
            "call counts are not trusted (head: collection was toggled): explained by the self cost of each function");
}

TEST(ExplainCausesTest, EdgesByTheSizeOfTheirChange) {
  GraphBuilder base, head;
  base.function("f", 10)
      .function("g", 20)
      .function("h", 30)
      .calls("f", "g", 0, 20)
      .calls("f", "h", 0, 90)
      .calls("g", "h", 0, 7);
  head.function("f", 10)
      .function("g", 20)
      .function("h", 30)
      .calls("f", "g", 0, 25)
      .calls("f", "h", 0, 60)
      .calls("g", "h", 0, 7);
  ExplainOptions options;
  options.calls = CallTrust::kUntrusted;
  const std::vector<EdgeChange> edges = explain(base.graph(), head.graph(), options).edges;
  ASSERT_EQ(edges.size(), 2u);
  EXPECT_EQ(edges[0].delta, -30);
  EXPECT_EQ(edges[1].delta, 5);
}

TEST(ExplainCausesTest, InsideAClusterAreTheMembersThatChangedTheLargestFirst) {
  GraphBuilder base, head;  // the cluster is not opened: what goes one way in it comes back the other
  base.function("main", 10).function("value", 1270).function("object", 6200).function("array", 800);
  base.calls("main", "value", 5)
      .calls("value", "object", 155)
      .calls("value", "array", 160)
      .calls("object", "value", 465)
      .calls("array", "value", 800);
  head.function("main", 10).function("value", 2550).function("object", 12600).function("array", 800);
  head.calls("main", "value", 5)
      .calls("value", "object", 315)
      .calls("value", "array", 320)
      .calls("object", "value", 945)
      .calls("array", "value", 1600);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(list(explanation.causes), "cluster 7680");
  EXPECT_EQ(list(explanation.causes[0].inside), "own-cost 6400, own-cost 1280") << "nothing of array";
  EXPECT_EQ(explanation.causes[0].change_per_call, std::nullopt);
}

TEST(ExplainCausesTest, WhatMovesInsideAClusterIsToldOnRequest) {
  const auto pair = [](int64_t even, int64_t odd) {
    return GraphBuilder()
        .function("main", 10)
        .function("even(int)", even)
        .function("odd(int)", odd)
        .calls("main", "even(int)", 1)
        .calls("even(int)", "odd(int)", 50)
        .calls("odd(int)", "even(int)", 49);
  };
  EXPECT_EQ(list(pair(500, 500), pair(900, 100)), "");
  ExplainOptions options;
  options.open_clusters = {"odd"};  // without its parameters
  EXPECT_EQ(list(pair(500, 500), pair(900, 100), options), "own-cost 400, own-cost -400");
}

TEST(ExplainCausesTest, NoiseCountsInBothDirections) {
  GraphBuilder base, head;
  base.function("main", 10)
      .function("f", 500)
      .function("g", 500)
      .function("h", 500)
      .function("i", 500)
      .function("ns::k(int)", 500);
  head.function("main", 10)
      .function("f", 551)
      .function("g", 550)
      .function("h", 450)
      .function("i", 449)
      .function("ns::k(long)", 500);
  for (const char* name : {"f", "g", "h", "i"}) {
    base.calls("main", name, 1);
    head.calls("main", name, 1);
  }
  base.calls("main", "ns::k(int)", 1);
  head.calls("main", "ns::k(long)", 1);
  const auto marked = [&](int64_t noise) {
    ExplainOptions options;
    options.noise = noise;
    std::string names;
    for (const Cause& cause : explain(base.graph(), head.graph(), options).causes)
      if (cause.within_noise) names += cause.function + " ";
    return names;
  };
  EXPECT_EQ(marked(50), "g h ns::k(long) ");
  EXPECT_EQ(marked(0), "");
}

TEST(ExplainCausesTest, FunctionsOfOneNameAreToldApartByTheirFiles) {
  GraphBuilder base, head;
  for (auto* graph : {&base, &head}) {
    const int64_t more = graph == &head ? 100 : 0;
    graph->function("main", 10)
        .in("a.c")
        .define("init", 100 + more)
        .in("b.c")
        .define("init", 300 + 2 * more)
        .in("a.c")
        .calls("main", "init", 1)
        .in("b.c")
        .calls("main", "init", 1);
  }
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 2u);
  EXPECT_EQ(cause_sentence(explanation.causes[0]), "`init` (b.c) itself costs 500, was 300");
  EXPECT_EQ(cause_sentence(explanation.causes[1]), "`init` (a.c) itself costs 200, was 100");
}

}  // namespace
}  // namespace icount
