#include "icount/stacks/stack_contexts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "icount/stacks/stack_tree.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const StackTree& tree) {
  Lines paths, lines;
  for (size_t i = 0; i < tree.frames.size(); ++i) {
    const StackFrame& frame = tree.frames[i];
    paths.push_back((frame.parent == kNoFrame ? "" : paths[frame.parent] + ";") + std::string(tree.name(i)));
    lines.push_back(paths.back() + " " + std::to_string(frame.self));
  }
  return lines;
}

Lines stacks_of(const CostGraph& contexts) {
  const CallStacks stacks = make_call_stacks(contexts);
  check_call_stacks(stacks);
  return lines_of(make_stack_tree(stacks, {}));
}

TEST(StackContextsTest, ContextsAreKnownByTheCallsNotByApostrophes) {
  EXPECT_TRUE(
      has_contexts(GraphBuilder().function("main", 1).function("f'main", 2).calls("main", "f'main", 1, 2).graph()));
  EXPECT_FALSE(has_contexts(GraphBuilder().function("main", 1).function("f'g", 2).calls("main", "f'g", 1, 2).graph()));
  EXPECT_FALSE(has_contexts(GraphBuilder().function("main", 1).function("f'2", 2).calls("main", "f'2", 1, 2).graph()));
  EXPECT_FALSE(has_contexts(GraphBuilder().function("main'x", 1).graph()));
  CostGraph plain = GraphBuilder().function("main", 1).function("f'2", 2).calls("main", "f'2", 1, 2).graph();
  EXPECT_FALSE(take_call_stacks(plain).has_value());
  EXPECT_EQ(plain.functions.size(), 2u);
}

TEST(StackContextsTest, ShortContextsTellTheWholeStack) {
  const CostGraph contexts = GraphBuilder()
                                 .function("main", 1)
                                 .function("a'main", 2)
                                 .function("b'main", 3)
                                 .function("leaf'a'main", 10)
                                 .function("leaf'b'main", 30)
                                 .calls("main", "a'main", 1, 12)
                                 .calls("main", "b'main", 1, 33)
                                 .calls("a'main", "leaf'a'main", 1, 10)
                                 .calls("b'main", "leaf'b'main", 3, 30)
                                 .graph();
  EXPECT_EQ(stacks_of(contexts), (Lines{"main 1", "main;b 3", "main;b;leaf 30", "main;a 2", "main;a;leaf 10"}));
  const CallStacks stacks = make_call_stacks(contexts);
  EXPECT_EQ(stacks.callers, 2);
  EXPECT_FALSE(stacks.approximate);
  const CostGraph folded = fold_contexts(contexts);
  check_cost_graph(folded);
  ASSERT_EQ(folded.functions.size(), 4u);
  EXPECT_EQ(folded.name(3), "leaf");
  EXPECT_EQ(folded.self_of(3, 0), 40);
  EXPECT_EQ(folded.edges.size(), 4u);
}

// leaf'a is reached below x and below y: what is above a is known up to main, where the ways part.
TEST(StackContextsTest, DeeperStacksJoinBelowWhatTheyHaveInCommon) {
  const CostGraph contexts = GraphBuilder()
                                 .function("main", 1)
                                 .function("x'main", 1)
                                 .function("y'main", 1)
                                 .function("a'x", 5)
                                 .function("a'y", 7)
                                 .function("leaf'a", 100)
                                 .calls("main", "x'main", 1, 56)
                                 .calls("main", "y'main", 1, 58)
                                 .calls("x'main", "a'x", 1, 55)
                                 .calls("y'main", "a'y", 1, 57)
                                 .calls("a'x", "leaf'a", 1, 50)
                                 .calls("a'y", "leaf'a", 1, 50)
                                 .graph();
  EXPECT_EQ(stacks_of(contexts),
            (Lines{"main 1", "main;… deeper stacks joined 0", "main;… deeper stacks joined;a 0",
                   "main;… deeper stacks joined;a;leaf 100", "main;y 1", "main;y;a 7", "main;x 1", "main;x;a 5"}));
}

// One way to a context that names as many callers as any: its stack is known though it is longer.
TEST(StackContextsTest, ASingleWayIsFollowedBeyondTheNamedCallers) {
  const CostGraph contexts = GraphBuilder()
                                 .function("main", 1)
                                 .function("a'main", 2)
                                 .function("b'a", 3)
                                 .function("c'b", 4)
                                 .calls("main", "a'main", 1, 9)
                                 .calls("a'main", "b'a", 1, 7)
                                 .calls("b'a", "c'b", 1, 4)
                                 .graph();
  EXPECT_EQ(stacks_of(contexts), (Lines{"main 1", "main;a 2", "main;a;b 3", "main;a;b;c 4"}));
}

TEST(StackContextsTest, DirectRecursionIsAFrameBelowItself) {
  const CostGraph contexts = GraphBuilder()
                                 .function("main", 1)
                                 .function("rec'main", 10)
                                 .function("rec'2'main", 20)
                                 .function("leaf'rec'main", 30)
                                 .calls("main", "rec'main", 1, 60)
                                 .calls("rec'main", "rec'2'main", 1, 40)
                                 .calls("rec'2'main", "rec'2'main", 4, 90)
                                 .calls("rec'main", "leaf'rec'main", 1, 10)
                                 .calls("rec'2'main", "leaf'rec'main", 5, 20)
                                 .graph();
  EXPECT_EQ(stacks_of(contexts), (Lines{"main 1", "main;rec 10", "main;rec;leaf 30", "main;rec;rec 20"}));
  const CostGraph folded = fold_contexts(contexts);
  ASSERT_EQ(folded.functions.size(), 4u);
  EXPECT_EQ(folded.name(2), "rec'2");
}

// The region's own callers cost nothing of it and are not in the profile.
TEST(StackContextsTest, FramesAboveTheRegionAreLeftOut) {
  const CostGraph contexts = GraphBuilder()
                                 .function("stmt'run'main", 5)
                                 .function("add'stmt'run'main", 7)
                                 .calls("stmt'run'main", "add'stmt'run'main", 1, 7)
                                 .graph();
  EXPECT_EQ(stacks_of(contexts), (Lines{"stmt 5", "stmt;add 7"}));
  // Calls that were active when the region began are in the profile without cost of their callers.
  const CostGraph active = GraphBuilder()
                               .function("main", 0)
                               .function("run'main", 0)
                               .function("stmt'run'main", 5)
                               .function("add'stmt'run'main", 7)
                               .calls("main", "run'main", 0, 12)
                               .calls("run'main", "stmt'run'main", 0, 12)
                               .calls("stmt'run'main", "add'stmt'run'main", 1, 7)
                               .graph();
  EXPECT_EQ(stacks_of(active), (Lines{"stmt 5", "stmt;add 7"}));
}

TEST(StackContextsTest, StacksAreLimitedByCost) {
  GraphBuilder builder;
  builder.function("main", 1);
  for (int i = 1; i <= 50; ++i) {
    std::string name = "f";
    name += std::to_string(i) + "'main";
    builder.function(name, i).calls("main", name, 1, i);
  }
  const CallStacks stacks = limit_call_stacks(make_call_stacks(builder.graph()), 9);
  check_call_stacks(stacks);
  const StackTree tree = make_stack_tree(stacks, {}, {.max_leaves = 1});
  EXPECT_EQ(lines_of(tree),
            (Lines{"main 1", "main;… other 1128", "main;… other;f48 48", "main;f50 50", "main;f49 49"}));
}

/// A run as a tree of calls, and what Callgrind makes of it with and without contexts.
class RandomRun {
 public:
  RandomRun(uint32_t seed, bool direct_recursion) : random_(seed), direct_recursion_(direct_recursion) { grow(0, 0); }

  /// The cost of each stack, as "f0;f3;f1".
  const std::map<std::string, int64_t>& truth() const { return truth_; }

  CostGraph record(size_t callers) {
    GraphBuilder builder;
    std::vector<int> stack;
    std::map<int, int> active;
    enter(0, callers, stack, active, builder);
    return builder.graph();
  }

 private:
  struct Call {
    int function;
    int64_t self;
    std::vector<size_t> callees;
  };

  size_t grow(int function, int depth) {
    const size_t index = calls_.size();
    calls_.push_back({function, static_cast<int64_t>(1 + random_() % 9), {}});
    path_.push_back(function);
    std::string path;
    for (int f : path_) path += (path.empty() ? "f" : ";f") + std::to_string(f);
    truth_[path] += calls_[index].self;
    const size_t callees = depth > 9 || calls_.size() > 400 ? 0 : random_() % 4;
    for (size_t i = 0; i < callees; ++i) {
      int callee = static_cast<int>(random_() % 5);
      if (callee == function && !direct_recursion_) callee = (callee + 1) % 5;
      const size_t call = grow(callee, depth + 1);
      calls_[index].callees.push_back(call);
    }
    path_.pop_back();
    return index;
  }

  /// Callgrind's rules: a function that calls itself is not pushed again; the level counts how often it is active, up
  /// to 2.
  std::pair<std::string, int64_t> enter(size_t index, size_t callers, std::vector<int>& stack,
                                        std::map<int, int>& active, GraphBuilder& builder) {
    const Call& call = calls_[index];
    const bool pushed = stack.empty() || stack.back() != call.function;
    if (pushed) stack.push_back(call.function);
    const int level = std::min(2, ++active[call.function]);
    std::string name = "f";
    name += std::to_string(call.function) + (level > 1 ? "'2" : "");
    for (size_t i = 1; i <= callers && i < stack.size(); ++i)
      name += "'f" + std::to_string(stack[stack.size() - 1 - i]);
    builder.function(name, call.self);
    int64_t inclusive = call.self;
    for (size_t callee : call.callees) {
      const auto [callee_name, cost] = enter(callee, callers, stack, active, builder);
      builder.calls(name, callee_name, 1, cost);
      inclusive += cost;
    }
    --active[call.function];
    if (pushed) stack.pop_back();
    return {name, inclusive};
  }

  std::mt19937 random_;
  bool direct_recursion_;
  std::vector<Call> calls_;
  std::vector<int> path_;
  std::map<std::string, int64_t> truth_;
};

/// Everything of a graph, in an order of its own.
std::set<std::string> contents(const CostGraph& graph) {
  std::set<std::string> all;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    all.insert(std::string(graph.name(f)) + " " + std::to_string(graph.self_of(f, 0)));
  for (size_t e = 0; e < graph.edges.size(); ++e)
    all.insert(std::string(graph.name(graph.edges[e].caller)) + " > " + std::string(graph.name(graph.edges[e].callee)) +
               " " + std::to_string(graph.edges[e].calls) + " " + std::to_string(graph.inclusive[e]));
  for (size_t r = 0; r < graph.rows.size(); ++r)
    all.insert("row " + std::string(graph.name(graph.rows[r].function)) + " " + std::to_string(graph.row_self[r]));
  return all;
}

TEST(StackContextsTest, FoldedContextsAreTheGraphOfARunWithoutThem) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    RandomRun run(seed, seed % 2 == 0);
    const CostGraph plain = run.record(0);
    for (size_t callers : {1u, 2u, 5u, 20u}) {
      const CostGraph contexts = run.record(callers);
      const CostGraph folded = fold_contexts(contexts);
      check_cost_graph(folded);
      ASSERT_EQ(contents(folded), contents(plain)) << "seed " << seed << ", " << callers << " callers";
      ASSERT_EQ(make_stack_tree(make_call_stacks(contexts), {}).total, plain.totals[0]);
    }
  }
}

TEST(StackContextsTest, LimitedStacksKeepTheCostOfFunctionsAndOfKeptFrames) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    const CallStacks whole = make_call_stacks(RandomRun(seed, seed % 2 == 0).record(4));
    for (const size_t most : {3u, 10u, 40u}) {
      const CallStacks limited = limit_call_stacks(limit_call_stacks(whole, most * 2), most);
      check_call_stacks(limited);
      const StackTree all = make_stack_tree(whole, {}), some = make_stack_tree(limited, {});
      std::map<std::string_view, int64_t> flat, limited_flat;
      for (size_t i = 0; i < all.frames.size(); ++i)
        if (all.frames[i].self > 0) flat[all.name(i)] += all.frames[i].self;
      for (size_t i = 0; i < some.frames.size(); ++i)
        if (some.frames[i].self > 0) limited_flat[some.name(i)] += some.frames[i].self;
      ASSERT_EQ(limited_flat, flat) << "seed " << seed;
      ASSERT_LE(limited.frames.size(), 2 * most + 2 * flat.size() + 1);
    }
  }
}

TEST(StackContextsTest, StacksAreTheTruthAsFarAsTheyClaimToBe) {
  int joined_frames = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    RandomRun run(seed, false);
    for (size_t callers : {1u, 2u, 4u, 20u}) {
      const StackTree tree = make_stack_tree(make_call_stacks(run.record(callers)), {});
      std::map<std::string, int64_t> whole;
      int joined = 0;
      for (const std::string& line : lines_of(tree)) {
        const size_t blank = line.rfind(' ');
        if (line.find("joined") == std::string::npos)
          whole[line.substr(0, blank)] = std::stoll(line.substr(blank + 1));
        else
          ++joined;
      }
      if (callers == 20) {
        ASSERT_EQ(whole, run.truth()) << "seed " << seed;
        ASSERT_EQ(joined, 0);
      }
      for (const auto& [path, self] : whole)
        ASSERT_EQ(self, run.truth().at(path)) << path << ", seed " << seed << ", " << callers << " callers";
      joined_frames += joined;
    }
  }
  EXPECT_GT(joined_frames, 100) << "the runs are too simple to prove anything";
}

}  // namespace
}  // namespace icount
