#include "icount/explain/explain.h"

#include <gtest/gtest.h>

#include "icount/base/error.h"
#include "icount/report/cause_sentence.h"
#include "support/error_of.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

/// The lexer of docs/explaining_diff.md: 20 calls of lex with 300 words each, hash by a leaf mix.
GraphBuilder lexer() {
  GraphBuilder graph;
  graph.function("main", 91600).function("lex", 2300000).function("hash", 283320).function("mix", 211320);
  graph.calls("main", "lex", 20).calls("lex", "hash", 6000).calls("hash", "mix", 35220);
  return graph;
}

std::string first_text(const Explanation& explanation) {
  return explanation.causes.empty() ? "" : cause_sentence(explanation.causes[0]);
}

TEST(ExplainTest, HashComputedTwiceIsOneCallAndTheCallersOwnCost) {
  GraphBuilder head;
  head.function("main", 91600).function("lex", 2312060).function("hash", 566640).function("mix", 422640);
  head.calls("main", "lex", 20).calls("lex", "hash", 12000).calls("hash", "mix", 70440);
  const Explanation explanation = explain(lexer().graph(), head.graph());
  EXPECT_EQ(explanation.base_total, 2886240);
  EXPECT_EQ(explanation.head_total, 3392940);
  EXPECT_EQ(explanation.delta, 506700);
  ASSERT_EQ(explanation.causes.size(), 2u);
  EXPECT_EQ(explanation.causes[0].kind, CauseKind::kCalls);
  EXPECT_EQ(explanation.causes[0].caller, "lex");
  EXPECT_EQ(explanation.causes[0].callee, "hash");
  EXPECT_EQ(explanation.causes[0].delta, 494640);
  EXPECT_EQ(cause_sentence(explanation.causes[0]), "`lex` calls `hash` 12,000 times, was 6,000, at 82.4 each");
  EXPECT_EQ(explanation.causes[0].change_per_call, 300);
  EXPECT_EQ(explanation.causes[1].function, "lex");
  EXPECT_EQ(explanation.causes[1].delta, 12060);
}

TEST(ExplainTest, ClonesAndPiecesAreOneFunction) {
  GraphBuilder base, head;
  base.function("main", 10).function("f", 1000).calls("main", "f", 10);
  head.function("main", 10).function("f.constprop.0", 600).function("f.constprop.0.part.0", 400);
  head.calls("main", "f.constprop.0", 10).calls("f.constprop.0", "f.constprop.0.part.0", 10);
  EXPECT_TRUE(explain(base.graph(), head.graph()).causes.empty());
}

TEST(ExplainTest, AColdPieceIsNeverCalledAtAnyLevel) {
  GraphBuilder base, head;  // where exceptions land, as Callgrind records it
  base.function("main", 10)
      .function("check", 1000)
      .function("check [clone .cold]", 10)
      .function("check [clone .cold]'2", 20)
      .function("end_catch", 30);
  base.calls("main", "check", 1)
      .calls("check", "check [clone .cold]", 1)
      .calls("check [clone .cold]", "check [clone .cold]'2", 1);
  base.calls("check [clone .cold]'2", "check [clone .cold]'2", 1)
      .calls("check [clone .cold]", "end_catch", 1)
      .calls("check [clone .cold]'2", "end_catch", 2);
  head.function("main", 10)
      .function("check", 1000)
      .function("check [clone .cold]", 10)
      .function("check [clone .cold]'2", 20)
      .function("end_catch", 6000);
  head.calls("main", "check", 1)
      .calls("check", "check [clone .cold]", 1)
      .calls("check [clone .cold]", "check [clone .cold]'2", 1);
  head.calls("check [clone .cold]'2", "check [clone .cold]'2", 598)
      .calls("check [clone .cold]", "end_catch", 1)
      .calls("check [clone .cold]'2", "end_catch", 599);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(cause_sentence(explanation.causes[0]), "`check` calls `end_catch` 600 times, was 3, at 10 each");
}

TEST(ExplainTest, StaticsOfOneNameStayApart) {
  GraphBuilder base, head;
  for (auto* graph : {&base, &head}) {
    graph->function("main", 10).in("a.c").define("init", 100).in("b.c").define("init", 300).in("main.cc");
  }
  base.in("a.c").calls("main", "init", 1).in("b.c").calls("main", "init", 1);
  head.in("a.c").calls("main", "init", 1).in("b.c").calls("main", "init", 3).function("init", 600);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(first_text(explanation), "`main` calls `init` (b.c) 3 times, was 1, at 300 each");
}

TEST(ExplainTest, UntrustedCountsFallBackToTotals) {
  GraphBuilder base = lexer(), head = lexer();
  base.untrusted("collection was toggled");
  head.function("mix", 500);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(first_text(explanation), "`mix` itself costs 211,820 in total, was 211,320");
  ASSERT_EQ(explanation.notes.size(), 1u);
  EXPECT_EQ(note_sentences(explanation)[0],
            "call counts are not trusted (base: collection was toggled): explained by the self cost of each function");
  ExplainOptions options;
  options.calls = CallTrust::kTrusted;
  EXPECT_TRUE(explain(base.graph(), head.graph(), options).notes.empty());
}

TEST(ExplainTest, AProfileWithoutCallsIsComparedByCostInTotal) {
  GraphBuilder base, head;
  for (int i = 0; i < 8; ++i) {
    const std::string name = "f" + std::to_string(i);
    base.function(name, 100);
    head.function(name, i == 3 ? 170 : 100).calls("f0", name, 1);
  }
  for (const bool turned : {false, true}) {
    const Explanation explanation = turned ? explain(head.graph(), base.graph()) : explain(base.graph(), head.graph());
    ASSERT_EQ(explanation.causes.size(), 1u);
    EXPECT_EQ(cause_sentence(explanation.causes[0]),
              turned ? "`f3` itself costs 100 in total, was 170" : "`f3` itself costs 170 in total, was 100");
    EXPECT_EQ(note_sentences(explanation)[0], std::string("call counts are not trusted (") +
                                                  (turned ? "head" : "base") +
                                                  ": it has no calls): explained by the self cost of each function");
  }
  GraphBuilder one, more;
  one.function("stmt", 100);
  more.function("stmt", 100).function("f", 50).calls("stmt", "f", 5);
  EXPECT_EQ(explain(one.graph(), more.graph()).causes[0].kind, CauseKind::kCalls)
      << "a statement that calls nothing is a profile with calls";
}

TEST(ExplainTest, NoiseGroupsFoldWithTheirMembersInside) {
  GraphBuilder base, head;
  base.function("main", 10).in("malloc.c", "/lib/libc.so.6").function("malloc", 100).function("_int_malloc", 200);
  base.calls("main", "malloc", 10).calls("malloc", "_int_malloc", 2);
  head.function("main", 10).in("malloc.c", "/lib/libc.so.6").function("malloc", 120).function("_int_malloc", 300);
  head.calls("main", "malloc", 10).calls("malloc", "_int_malloc", 3);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(explanation.causes[0].kind, CauseKind::kGroup);
  EXPECT_EQ(explanation.causes[0].function, "allocator");
  EXPECT_EQ(explanation.causes[0].delta, 120);
  ASSERT_EQ(explanation.causes[0].inside.size(), 2u);
  EXPECT_EQ(explanation.causes[0].inside[0].delta, 100);
  EXPECT_EQ(first_text(explanation), "inside the allocator: `malloc` (+120)");
  ExplainOptions options;
  options.fold_groups = false;
  EXPECT_EQ(explain(base.graph(), head.graph(), options).causes.size(), 2u);
}

TEST(ExplainTest, MoreCallsOfMallocAreNoNoise) {
  GraphBuilder base, head;
  base.function("main", 10).in("malloc.c", "/lib/libc.so.6").function("malloc", 100).calls("main", "malloc", 10);
  head.function("main", 10).in("malloc.c", "/lib/libc.so.6").function("malloc", 200).calls("main", "malloc", 20);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(explanation.causes[0].kind, CauseKind::kCalls);
}

TEST(ExplainTest, CausesWithinTheNoiseAreMarked) {
  GraphBuilder head = lexer();
  head.function("mix", 50).function("lex", 400);
  ExplainOptions options;
  options.noise = 50;
  const Explanation explanation = explain(lexer().graph(), head.graph(), options);
  ASSERT_EQ(explanation.causes.size(), 2u);
  EXPECT_FALSE(explanation.causes[0].within_noise);
  EXPECT_TRUE(explanation.causes[1].within_noise);
}

TEST(ExplainTest, RawNamesAreNeverShortened) {
  const std::string sort = "sort(std::vector<Order, std::allocator<Order> >&)", address = "0x0000000000001140";
  GraphBuilder base, head;
  base.function("main", 10).function(sort, 100).function(address, 100).calls("main", sort, 1).calls(sort, address, 2);
  head.function("main", 10).function(sort, 100).function(address, 400).calls("main", sort, 1).calls(sort, address, 8);
  ExplainOptions options;
  options.raw_names = true;
  EXPECT_EQ(cause_sentence(explain(base.graph(), head.graph(), options).causes[0]),
            "`" + sort + "` calls `" + address + "` in prog 8 times, was 2, at 50 each");
  options.calls = CallTrust::kUntrusted;
  EXPECT_EQ(cause_sentence(explain(base.graph(), head.graph(), options).causes[0]),
            "`" + address + "` itself costs 400 in total, was 100");
}

TEST(ExplainTest, TheEventIsTheSameWhicheverSideIsTheBase) {
  const auto event_of = [](std::vector<std::string> base_events, std::vector<std::string> head_events) {
    CostGraph base = GraphBuilder("Ir").function("f", 1).graph(), head = base;
    for (auto [graph, events] : {std::pair(&base, &base_events), std::pair(&head, &head_events)}) {
      for (std::vector<int64_t>* costs : {&graph->totals, &graph->self}) costs->assign(events->size(), 1);
      graph->row_self.assign(graph->rows.size() * events->size(), 1);
      graph->events = std::move(*events);
    }
    return explain(base, head).event;
  };
  EXPECT_EQ(event_of({"Dr", "Ir"}, {"Ir", "Dr"}), "Dr");
  EXPECT_EQ(event_of({"Ir", "Dr"}, {"Dr", "Ir"}), "Dr");
  EXPECT_EQ(event_of({"Ir", "Dr"}, {"Ir", "Dr"}), "Ir");
  EXPECT_EQ(event_of({"Dw", "Ir", "Dr"}, {"Dr", "Ir"}), "Dr") << "second and first";
}

TEST(ExplainTest, ARenamedFunctionIsKnownByBothNames) {
  GraphBuilder base, head;
  base.function("main", 10).function("first", 1000).calls("main", "first", 10, 1000);
  head.function("main", 10).function("second", 1000).calls("main", "second", 10, 1000);
  for (const auto& [name, said] : {std::pair("first", "'first' is in no cycle (functions that call each other)"),
                                   std::pair("second", "'second' is in no cycle (functions that call each other)"),
                                   std::pair("", "'' is not a function of base or head")}) {
    ExplainOptions options;
    options.open_clusters = {name};
    EXPECT_EQ(error_of(ErrorKind::kUsage, [&] { explain(base.graph(), head.graph(), options); }), said);
    EXPECT_EQ(error_of(ErrorKind::kUsage, [&] { explain(head.graph(), base.graph(), options); }), said);
  }
}

TEST(ExplainTest, AFunctionIsOpenedByAnyNameThatItIsPrintedUnder) {
  GraphBuilder built;
  built.function("main", 10).function("ns::Tree<int>::find(ns::Node<int>*)", 1000);
  for (const char* name : {"ns::Tree<int>::find(ns::Node<int>*)", "ns::Tree<int>::find", "ns::Tree::find", "find"}) {
    ExplainOptions options;
    options.open_clusters = {name};
    EXPECT_EQ(error_of(ErrorKind::kUsage, [&] { explain(built.graph(), built.graph(), options); }),
              fmt::format("'{}' is in no cycle (functions that call each other)", name));
  }
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

/// A program and a library of these builds.
CostGraph built_as(std::string_view program, std::string_view library) {
  GraphBuilder graph;
  graph.in("a.c", "/x/prog").function("main", 10).in("b.c", "/lib/libz.so").function("deflate", 20);
  CostGraph made = graph.calls("main", "deflate", 1).graph();
  ProfileCode code;
  code.objects = {{.name = "/lib/libz.so", .identity = std::string(library)},
                  {.name = "/x/prog", .identity = std::string(program)}};
  made.code = std::make_shared<const ProfileCode>(std::move(code));
  return made;
}

TEST(RanFilesTest, TheProgramIsWhereMainIs) {
  using Program = RanFiles::Program;
  const auto files = [](const CostGraph& base, const CostGraph& head) { return explain(base, head).files; };
  EXPECT_EQ(files(built_as("1", "a"), built_as("1", "a")).program, Program::kSame);
  EXPECT_EQ(files(built_as("1", "a"), built_as("2", "a")).program, Program::kOther);
  EXPECT_EQ(files(built_as("", "a"), built_as("", "a")).program, Program::kNotKnown) << "no identity is no same one";
  EXPECT_EQ(files(GraphBuilder().function("main", 1).graph(), built_as("1", "a")).program, Program::kNotKnown);
  EXPECT_EQ(files(built_as("1", "a"), built_as("1", "b")).other_libraries, std::vector<std::string>{"libz.so"});
  EXPECT_TRUE(files(built_as("1", "a"), built_as("1", "")).other_libraries.empty());
}

}  // namespace
}  // namespace icount
