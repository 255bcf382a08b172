#include "icount/stacks/stack_tree.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "icount/base/error.h"
#include "icount/stacks/approximate_stacks.h"
#include "icount/stacks/stack_tree_diff.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

/// "main;lex;hash 600": one line per frame with self or inclusive cost, in the tree's order.
std::vector<std::string> lines_of(const StackTree& tree) {
  std::vector<std::string> paths, lines;
  for (size_t i = 0; i < tree.frames.size(); ++i) {
    const StackFrame& frame = tree.frames[i];
    paths.push_back((frame.parent == kNoFrame ? "" : paths[frame.parent] + ";") + std::string(tree.name(i)));
    lines.push_back(paths.back() + " " + std::to_string(frame.self) + " " + std::to_string(frame.inclusive));
  }
  return lines;
}

std::vector<std::string> lines_of(const StackTreeDiff& diff) {
  std::vector<std::string> paths, lines;
  for (size_t i = 0; i < diff.frames.size(); ++i) {
    const StackDiffFrame& frame = diff.frames[i];
    paths.push_back((frame.parent == kNoFrame ? "" : paths[frame.parent] + ";") + std::string(diff.name(i)));
    lines.push_back(paths.back() + " " + std::to_string(frame.base_self) + ">" + std::to_string(frame.head_self) + " " +
                    std::to_string(frame.base_inclusive) + ">" + std::to_string(frame.head_inclusive) + " " +
                    std::string(to_text(frame.status)));
  }
  return lines;
}

using Lines = std::vector<std::string>;

/// Own cost by function, over all its frames.
std::map<std::string, int64_t> flat_of(const StackTree& tree) {
  std::map<std::string, int64_t> flat;
  for (size_t i = 0; i < tree.frames.size(); ++i)
    if (tree.frames[i].self != 0) flat[std::string(tree.name(i))] += tree.frames[i].self;
  return flat;
}

std::map<std::string, int64_t> flat_of(const CostGraph& graph) {
  std::map<std::string, int64_t> flat;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    if (graph.self_of(f, 0) != 0) flat[std::string(graph.name(f))] += graph.self_of(f, 0);
  return flat;
}

std::string numbered(int number) {
  std::string name = "f";
  return name += std::to_string(number);
}

/// Everything the struct promises.
void check_tree(const StackTree& tree) {
  std::vector<int64_t> inclusive(tree.frames.size(), 0);
  int64_t total = 0;
  for (size_t i = tree.frames.size(); i-- > 0;) {
    const StackFrame& frame = tree.frames[i];
    ASSERT_TRUE(frame.parent == kNoFrame || frame.parent < i);
    ASSERT_GE(frame.self, 0);
    ASSERT_GT(frame.inclusive, 0);
    inclusive[i] += frame.self;
    ASSERT_EQ(inclusive[i], frame.inclusive) << tree.name(i);
    (frame.parent == kNoFrame ? total : inclusive[frame.parent]) += inclusive[i];
  }
  ASSERT_EQ(total, tree.total);
}

TEST(StackTreeTest, DividesTheCostOfASharedFunctionAmongItsCallers) {
  const CostGraph graph = GraphBuilder()
                              .function("main", 10)
                              .function("a", 20)
                              .function("b", 30)
                              .function("shared", 100)
                              .calls("main", "a", 1, 45)
                              .calls("main", "b", 1, 105)
                              .calls("a", "shared", 1, 25)
                              .calls("b", "shared", 3, 75)
                              .graph();
  const StackTree tree = make_stack_tree(graph, "Ir");
  EXPECT_TRUE(tree.approximate);
  EXPECT_EQ(tree.event, "Ir");
  EXPECT_EQ(tree.total, 160);
  EXPECT_EQ(tree.max_depth, 3u);
  EXPECT_EQ(lines_of(tree),
            (Lines{"main 10 160", "main;b 30 105", "main;b;shared 75 75", "main;a 20 45", "main;a;shared 25 25"}));
}

TEST(StackTreeTest, WholeNumbersAddUpWhereSharesDoNot) {
  GraphBuilder builder;
  builder.function("main", 0).function("shared", 1).function("helper", 8).calls("shared", "helper", 1, 8);
  for (const char* name : {"a", "b", "c"})
    builder.function(name, 1).calls("main", name, 1, 4).calls(name, "shared", 1, 3);
  const StackTree tree = make_stack_tree(builder.graph(), {});
  check_tree(tree);
  EXPECT_EQ(tree.total, 12);
  std::multiset<int64_t> helper, shared;
  for (size_t i = 0; i < tree.frames.size(); ++i)
    if (tree.name(i) != "main") (tree.name(i) == "helper" ? helper : shared).insert(tree.frames[i].self);
  EXPECT_EQ(helper, (std::multiset<int64_t>{2, 3, 3}));           // 8/3 each
  EXPECT_EQ(shared, (std::multiset<int64_t>{0, 0, 1, 1, 1, 1}));  // 1/3 each of shared, and a, b, c
}

TEST(StackTreeTest, SelfRecursionIsOneFrameAndItsCallCostIsNotCountedAgain) {
  EXPECT_EQ(lines_of(make_stack_tree(small_graph(), "Ir")),
            (Lines{"main 100 1000", "main;lex(char const*) 300 900", "main;lex(char const*);hash 600 600"}));
  EXPECT_EQ(make_stack_tree(small_graph(), "Dr").total, 100);
}

TEST(StackTreeTest, ACircleIsCutByAFrameThatSaysSo) {
  const CostGraph graph = GraphBuilder()
                              .function("main", 10)
                              .function("even", 40)
                              .function("odd", 50)
                              .function("leaf", 100)
                              .calls("main", "even", 1, 190)
                              .calls("even", "odd", 5, 700)
                              .calls("odd", "even", 5, 600)
                              .calls("odd", "leaf", 5, 100)
                              .graph();
  const StackTree tree = make_stack_tree(graph, {});
  EXPECT_EQ(lines_of(tree),
            (Lines{"main 10 200", "main;even 40 190", "main;even;… recursion joined 0 150",
                   "main;even;… recursion joined;odd 50 150", "main;even;… recursion joined;odd;leaf 100 100"}));
  EXPECT_EQ(tree.frames[2].kind, FrameKind::kRecursion);
}

TEST(StackTreeTest, RecursionLevelsStandBelowEachOtherUnderOneName) {
  const CostGraph graph = GraphBuilder()
                              .function("main", 1)
                              .function("rec", 10)
                              .function("rec'2", 20)
                              .calls("main", "rec", 1, 30)
                              .calls("rec", "rec'2", 1, 20)
                              .calls("rec'2", "rec'2", 9, 90)
                              .graph();
  EXPECT_EQ(lines_of(make_stack_tree(graph, {})), (Lines{"main 1 31", "main;rec 10 30", "main;rec;rec 20 20"}));
}

TEST(StackTreeTest, PiecesOfAFunctionArePartOfItUnlessNamesAreRaw) {
  const CostGraph graph = GraphBuilder()
                              .function("main", 1)
                              .function("f.isra.0", 10)
                              .function("f.part.0", 20)
                              .calls("main", "f.isra.0", 1, 30)
                              .calls("f.isra.0", "f.part.0", 1, 20)
                              .graph();
  EXPECT_EQ(lines_of(make_stack_tree(graph, {})), (Lines{"main 1 31", "main;f 30 30"}));
  EXPECT_EQ(lines_of(make_stack_tree(graph, {}, {.fold_clones = false})),
            (Lines{"main 1 31", "main;f.isra.0 10 30", "main;f.isra.0;f.part.0 20 20"}));
}

TEST(StackTreeTest, SmallFramesJoinAndNothingIsLost) {
  GraphBuilder builder;
  builder.function("main", 50);
  for (int i = 1; i <= 30; ++i) {
    const std::string name = numbered(i);
    builder.function(name, i).calls("main", name, 1, i);
  }
  const CostGraph graph = builder.graph();
  const StackTree tree = make_stack_tree(graph, {}, {.max_frames = 8, .max_leaves = 2});
  check_tree(tree);
  EXPECT_EQ(lines_of(tree), (Lines{"main 50 515", "main;… other 325 378", "main;… other;f27 27 27",
                                   "main;… other;f26 26 26", "main;f30 30 30", "main;f29 29 29", "main;f28 28 28"}));
  EXPECT_EQ(tree.frames[1].kind, FrameKind::kOther);
  EXPECT_EQ(tree.joined, 378);
  const StackTree shares = make_stack_tree(graph, {}, {.max_leaves = 0, .min_share = 29.5 / 515});
  EXPECT_EQ(lines_of(shares), (Lines{"main 50 515", "main;… other 435 435", "main;f30 30 30"}));
}

TEST(StackTreeTest, FunctionsKeepTheirCostWhereStacksJoin) {
  // a and b call shared: what is joined below each of them is known to be shared's.
  const CostGraph graph = GraphBuilder()
                              .function("main", 500)
                              .function("a", 300)
                              .function("b", 200)
                              .function("shared", 10)
                              .function("below", 30)
                              .calls("main", "a", 1, 310)
                              .calls("main", "b", 1, 230)
                              .calls("a", "shared", 1, 10)
                              .calls("b", "shared", 3, 30)
                              .calls("shared", "below", 4, 30)
                              .graph();
  const StackTree tree = make_stack_tree(graph, {}, {.min_share = 0.1});
  check_tree(tree);
  EXPECT_EQ(tree.joined, 40);
  EXPECT_EQ(flat_of(tree), flat_of(graph));
  int64_t below_a = 0, below_b = 0;
  for (size_t i = 0; i < tree.frames.size(); ++i)
    if (tree.frames[i].kind == FrameKind::kOther)
      (tree.name(tree.frames[i].parent) == "a" ? below_a : below_b) += tree.frames[i].inclusive;
  EXPECT_EQ(below_a, 10);
  EXPECT_EQ(below_b, 30);
}

TEST(StackTreeTest, DeepStacksAreBounded) {
  GraphBuilder builder;
  for (int i = 0; i < 3000; ++i) {
    builder.function(numbered(i), 1);
    if (i > 0) builder.calls(numbered(i - 1), numbered(i), 1, 3000 - i);
  }
  const StackTree tree = make_stack_tree(builder.graph(), {});
  check_tree(tree);
  EXPECT_EQ(tree.max_depth, 1002u) << "a function in … other";
  EXPECT_EQ(tree.joined, 2000);
  EXPECT_EQ(flat_of(tree).size(), 3000u);
}

TEST(StackTreeTest, AnUnknownEventIsAnErrorThatNamesTheKnown) {
  try {
    make_stack_tree(small_graph(), "Bc");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_STREQ(error.what(), "no event 'Bc'; there are Ir, Dr");
  }
}

TEST(StackTreeTest, AnEmptyGraphIsAnEmptyTree) {
  CostGraph graph;
  graph.events = {"Ir"};
  graph.totals = {0};
  const StackTree tree = make_stack_tree(graph, {});
  EXPECT_TRUE(tree.frames.empty());
  EXPECT_EQ(tree.max_depth, 0u);
}

/// Any graph, consistent or not: edges whose costs have nothing to do with what is below them, circles, no entry at
/// all.
CostGraph random_graph(std::mt19937& random, uint32_t functions, uint32_t edges) {
  CostGraph graph;
  graph.events = {"Ir"};
  graph.totals = {0};
  for (uint32_t i = 0; i < functions; ++i) {
    graph.functions.push_back({graph.strings.intern(numbered(static_cast<int>(i)))});
    graph.self.push_back(random() % 4 == 0 ? 0 : random() % 1000);
    graph.totals[0] += graph.self.back();
  }
  std::set<std::pair<uint32_t, uint32_t>> known;
  for (uint32_t i = 0; i < edges; ++i) {
    const uint32_t caller = random() % functions, callee = random() % functions;
    if (!known.emplace(caller, callee).second) continue;
    graph.edges.push_back({caller, callee, 1});
    graph.inclusive.push_back(random() % 5000);
  }
  return graph;
}

TEST(StackTreeTest, AnyGraphGivesATreeThatAddsUpToIt) {
  std::mt19937 random(9);
  for (int round = 0; round < 300; ++round) {
    const CostGraph graph = random_graph(random, 1u + round % 20, round % 50);
    const StackTreeOptions options = {.max_frames = static_cast<size_t>(2 + round * 3),
                                      .max_depth = static_cast<size_t>(1 + round % 9)};
    const StackTree tree = make_stack_tree(graph, {}, options);
    check_tree(tree);
    ASSERT_EQ(tree.total, graph.totals[0]);
    ASSERT_LE(tree.frames.size(), 2 * options.max_frames + 1 + graph.functions.size());
    ASSERT_LE(tree.max_depth, options.max_depth + 2);  // "… other" stands below, and a function in it
    ASSERT_EQ(flat_of(tree), flat_of(graph));
    ASSERT_EQ(lines_of(make_stack_tree(graph, {}, options)), lines_of(tree));
  }
}

TEST(StackTreeTest, ThirtyThousandFunctionsStayBounded) {
  std::mt19937 random(1);
  const CostGraph graph = random_graph(random, 30000, 150000);
  const StackTree tree = make_stack_tree(graph, {});
  check_tree(tree);
  EXPECT_LE(tree.frames.size(), 20001u + 30000u);
  EXPECT_EQ(flat_of(tree), flat_of(graph));
}

TEST(StackTreeDiffTest, JoinsFramesAlongTheirPaths) {
  GraphBuilder base, head;
  base.function("main", 10)
      .function("parse", 5)
      .function("old", 7)
      .calls("main", "parse", 1, 12)
      .calls("parse", "old", 1, 7);
  head.function("main", 11)
      .function("parse", 5)
      .function("fresh", 9)
      .calls("main", "parse", 1, 14)
      .calls("parse", "fresh", 1, 9);
  const StackTree a = make_stack_tree(base.graph(), {}), b = make_stack_tree(head.graph(), {});
  const StackTreeDiff diff = make_stack_tree_diff(a, b);
  EXPECT_EQ(diff.base_total, 22);
  EXPECT_EQ(diff.head_total, 25);
  EXPECT_EQ(diff.max_depth, 3u);
  EXPECT_TRUE(diff.approximate);
  EXPECT_EQ(lines_of(diff), (Lines{"main 10>11 22>25 kept", "main;parse 5>5 12>14 kept", "main;parse;fresh 0>9 0>9 new",
                                   "main;parse;old 7>0 7>0 vanished"}));
  EXPECT_EQ(lines_of(make_stack_tree_diff(b, a)),
            (Lines{"main 11>10 25>22 kept", "main;parse 5>5 14>12 kept", "main;parse;fresh 9>0 9>0 vanished",
                   "main;parse;old 0>7 0>7 new"}));
  EXPECT_EQ(lines_of(make_stack_tree_diff(a, b, {{"old", "fresh"}})),
            (Lines{"main 10>11 22>25 kept", "main;parse 5>5 12>14 kept", "main;parse;fresh 7>9 7>9 kept"}));
}

TEST(StackTreeDiffTest, FilesTellStaticsOfOneNameApart) {
  const auto side = [](int64_t a, int64_t b, const std::string& folder) {
    GraphBuilder builder;
    builder.function("main", 1);
    builder.in(folder + "/a.c").define("init", a).calls("main", "init", 1, a);
    builder.in(folder + "/b.c").define("init", b).calls("main", "init", 1, b);
    return make_stack_tree(builder.graph(), {});
  };
  const StackTreeDiff diff = make_stack_tree_diff(side(10, 20, "/one"), side(30, 20, "/two"));
  EXPECT_EQ(lines_of(diff), (Lines{"main 1>1 31>51 kept", "main;init 10>30 10>30 kept", "main;init 20>20 20>20 kept"}));
}

TEST(StackTreeDiffTest, BothSidesAddUpWhateverTheyAre) {
  std::mt19937 random(4);
  for (int round = 0; round < 100; ++round) {
    const StackTree a = make_stack_tree(random_graph(random, 1 + round % 12, round % 30), {}, {.max_frames = 200});
    const StackTree b = make_stack_tree(random_graph(random, 1 + round % 12, round % 30), {}, {.max_frames = 200});
    const StackTreeDiff diff = make_stack_tree_diff(a, b);
    int64_t base = 0, head = 0;
    for (size_t i = 0; i < diff.frames.size(); ++i) {
      const StackDiffFrame& frame = diff.frames[i];
      ASSERT_TRUE(frame.parent == kNoFrame || frame.parent < i);
      base += frame.base_self;
      head += frame.head_self;
      ASSERT_EQ(frame.status == FrameStatus::kNew, frame.base_inclusive == 0);
      ASSERT_EQ(frame.status == FrameStatus::kVanished, frame.head_inclusive == 0);
    }
    ASSERT_EQ(base, diff.base_total);
    ASSERT_EQ(head, diff.head_total);
    ASSERT_EQ(make_stack_tree_diff(b, a).frames.size(), diff.frames.size());
  }
}

}  // namespace
}  // namespace icount
