// What many share is one cause with its members inside: explain/claims/relations.h, explain/claims/rebuilt.h.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>

#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

/// Four functions that main calls ten times each, and that call `callee`, the first of them once more than the others.
CostGraph four_callers(const std::string& callee, int64_t cost_of_callee) {
  GraphBuilder graph;
  graph.function("main", 100);
  for (int f = 0; f < 4; ++f) {
    const std::string caller = fmt::format("f{}", f);
    graph.function(caller, 1000);
    const int64_t calls = f == 0 ? 11 : 10;
    graph.calls("main", caller, 10, 1000 + (callee.empty() ? 0 : calls * cost_of_callee));
    if (!callee.empty()) graph.calls(caller, callee, calls, calls * cost_of_callee);
  }
  if (!callee.empty()) graph.function(callee, 41 * cost_of_callee);
  return graph.graph();
}

TEST(HeadedSumsTest, ACalleeThatManyGainIsOneCause) {
  const Explanation found = explain(four_callers("", 0), four_callers("lock", 50), {});
  ASSERT_EQ(found.causes.size(), 1u);
  EXPECT_EQ(found.causes[0].kind, CauseKind::kSum);
  EXPECT_EQ(found.causes[0].function, "lock");
  EXPECT_EQ(found.causes[0].delta, 2050);
  EXPECT_EQ(found.causes[0].inside.size(), 4u);
  EXPECT_EQ(cause_sentence(found.causes[0]), "4 functions now call `lock` (41 calls at 50 each), most often `f0`");
}

TEST(HeadedSumsTest, ACalleeThatTakesAnothersPlaceIsOneCause) {
  // Other costs and callees, so that the one is no other name of the other.
  CostGraph base = four_callers("spin", 5000), head = four_callers("wait_in_kernel", 50);
  const Explanation found = explain(base, head, {});
  ASSERT_EQ(found.causes.size(), 1u);
  EXPECT_EQ(found.causes[0].kind, CauseKind::kSum);
  EXPECT_EQ(found.causes[0].delta, 41 * (50 - 5000));
  EXPECT_EQ(found.causes[0].inside.size(), 8u);
  EXPECT_EQ(cause_sentence(found.causes[0]),
            "4 functions call `wait_in_kernel` in place of `spin` (41 calls, 50 each, was 5,000), most often `f0`");
  const Explanation swapped = explain(head, base, {});
  ASSERT_EQ(swapped.causes.size(), 1u);
  EXPECT_EQ(swapped.causes[0].delta, 41 * (5000 - 50));
}

TEST(HeadedSumsTest, TwoCallersOfEqualPartsSayItTogether) {
  const auto graph = [](const std::string& sum_of, int64_t cost) {
    GraphBuilder built;
    built.function("main", 100).function("pack", 1000).function("unpack", 1000).function(sum_of, 2 * cost);
    built.calls("main", "pack", 1, 1000 + cost).calls("main", "unpack", 1, 1000 + cost);
    return built.calls("pack", sum_of, 1, cost).calls("unpack", sum_of, 1, cost).graph();
  };
  const Explanation found = explain(graph("crc_by_instruction", 700), graph("sum_by_table", 90000), {});
  ASSERT_EQ(found.causes.size(), 1u);
  EXPECT_EQ(found.causes[0].kind, CauseKind::kSum);
  EXPECT_EQ(found.causes[0].function, "sum_by_table");
  EXPECT_EQ(found.causes[0].delta, found.delta);
}

/// put and print call grow, which costs 100 a call.
CostGraph growing(int64_t by_put, int64_t by_print) {
  GraphBuilder graph;
  graph.function("main", 100).function("put", 500).function("print", 500).function("grow", 100 * (by_put + by_print));
  graph.calls("main", "put", 1000, 500 + 100 * by_put).calls("main", "print", 1000, 500 + 100 * by_print);
  if (by_put > 0) graph.calls("put", "grow", by_put, 100 * by_put);
  if (by_print > 0) graph.calls("print", "grow", by_print, 100 * by_print);
  return graph.graph();
}

TEST(HeadedSumsTest, OneCallerMayHaveMostOfItWhereItCallsOnBothSides) {
  const auto kinds = [](const CostGraph& base, const CostGraph& head) {
    std::vector<std::pair<CauseKind, int64_t>> found;
    for (const Cause& cause : explain(base, head, {}).causes) found.emplace_back(cause.kind, cause.delta);
    return found;
  };
  using Kinds = std::vector<std::pair<CauseKind, int64_t>>;
  EXPECT_EQ(kinds(growing(10, 1), growing(860, 151)), (Kinds{{CauseKind::kSum, 100'000}})) << "850 and 150";
  EXPECT_EQ(kinds(growing(860, 151), growing(10, 1)), (Kinds{{CauseKind::kSum, -100'000}}));
  EXPECT_EQ(kinds(growing(10, 1), growing(920, 91)), (Kinds{{CauseKind::kCalls, 91'000}, {CauseKind::kCalls, 9'000}}));
  EXPECT_EQ(kinds(growing(0, 1), growing(850, 151)), (Kinds{{CauseKind::kCalls, 85'000}, {CauseKind::kCalls, 15'000}}))
      << "a call that is new tells of its caller";
}

/// main calls `render` once, whose six parts work `sections` times.
CostGraph rendered(int64_t sections, int64_t extra_of_last = 0) {
  GraphBuilder graph;
  graph.function("main", 500).function("render", 100 * sections);
  int64_t below = 100 * sections;
  for (int part = 0; part < 6; ++part) {
    const std::string name = fmt::format("part{}", part);
    const int64_t self = sections * (1000 + 10 * part) + (part == 5 ? extra_of_last : 0);
    graph.function(name, self);
    // Each part is called once and loops inside, so that no number of calls says it.
    graph.calls("render", name, 1, self);
    below += self;
  }
  graph.calls("main", "render", 1, below);
  return graph.graph();
}

TEST(HeadedSumsTest, AllThatIsBelowOneFunctionInProportionIsOneCause) {
  const Explanation found = explain(rendered(40), rendered(80), {});
  ASSERT_EQ(found.causes.size(), 1u);
  EXPECT_EQ(found.causes[0].kind, CauseKind::kSum);
  EXPECT_EQ(found.causes[0].function, "render");
  EXPECT_EQ(found.causes[0].delta, found.delta);
  EXPECT_EQ(found.causes[0].inside.size(), 7u);
  EXPECT_EQ(cause_sentence(found.causes[0]), "`render` does 2 times the work, callees included: a larger input?");
}

TEST(HeadedSumsTest, WhatIsNotInProportionIsNoLongerInput) {
  const Explanation found = explain(rendered(40), rendered(80, 200000), {});
  ASSERT_GT(found.causes.size(), 1u);
  EXPECT_EQ(found.causes[0].function, "part5");
}

TEST(HeadedSumsTest, OneCauseThatSaysItAllNeedsNoSum) {
  const auto program = [](int64_t calls) {
    return GraphBuilder()
        .function("main", 500)
        .function("step", 100 * calls)
        .calls("main", "step", calls, 100 * calls)
        .graph();
  };
  const Explanation found = explain(program(40), program(80), {});
  ASSERT_FALSE(found.causes.empty());
  EXPECT_EQ(found.causes[0].kind, CauseKind::kCalls);
}

/// `callers` functions of one file that each call a helper of another file, or have it inlined: its rows are theirs.
CostGraph two_files(int helpers, const std::string& helpers_file, bool inlined) {
  GraphBuilder graph;
  graph.in("main.c");
  graph.line("main", "main.c", 1000, 500);
  for (int i = 0; i < helpers; ++i) {
    const std::string caller = fmt::format("parse{}", i), helper = fmt::format("scan{}", i);
    const int64_t line = 100 * i + 10;
    graph.in("main.c");
    graph.line(caller, "main.c", static_cast<uint64_t>(line), 2000);
    if (inlined) {
      graph.line(caller, helpers_file, static_cast<uint64_t>(line), 900);
    } else {
      graph.in(helpers_file);
      graph.line(helper, helpers_file, static_cast<uint64_t>(line), 1000);
      graph.calls(caller, helper, 10, 1000);
    }
    graph.calls("main", caller, 10, inlined ? 2900 : 3000);
  }
  return graph.graph();
}

TEST(HeadedSumsTest, InliningAcrossSourceFilesIsLinkTimeOptimisation) {
  const Explanation found = explain(two_files(5, "scanner.c", false), two_files(5, "scanner.c", true), {});
  ASSERT_EQ(found.causes.size(), 1u);
  EXPECT_EQ(found.causes[0].kind, CauseKind::kSum);
  EXPECT_EQ(found.causes[0].delta, -500);
  EXPECT_EQ(cause_sentence(found.causes[0]),
            "`prog` is now built with link-time optimisation: 5 functions are now inlined into other files' functions");
  const Explanation swapped = explain(two_files(5, "scanner.c", true), two_files(5, "scanner.c", false), {});
  ASSERT_EQ(swapped.causes.size(), 1u);
  EXPECT_EQ(cause_sentence(swapped.causes[0]),
            "`prog` is no longer built with link-time optimisation: 5 functions are no longer inlined into other "
            "files' functions");
}

TEST(HeadedSumsTest, AnyCompilerInlinesFunctionsOfHeaders) {
  const Explanation found = explain(two_files(5, "scanner.h", false), two_files(5, "scanner.h", true), {});
  ASSERT_GT(found.causes.size(), 1u);
  EXPECT_EQ(found.causes[0].kind, CauseKind::kInlined);
}

/// `work` calls itself and `look` for each of its calls; `logs`: and writes of each on one side only.
CostGraph recursion(int64_t inner, int64_t looks, bool logs = false, int64_t outer = 10) {
  GraphBuilder graph;
  const int64_t all = outer + inner, below = 20 * all + 100 * looks + (logs ? 900 * all : 0);
  graph.function("main", 100).function("work", 20 * all).function("look", 100 * looks);
  if (logs) graph.function("log", 900 * all).calls("work", "log", all, 900 * all);
  graph.calls("main", "work", outer, below);
  if (inner > 0) graph.calls("work", "work", inner, below);
  return graph.calls("work", "look", looks, 100 * looks).graph();
}

TEST(HeadedSumsTest, ARecursionThatGrewIsToldWithAllThatItCalls) {
  const Explanation found = explain(recursion(200, 100), recursion(600, 350), {});
  ASSERT_FALSE(found.causes.empty());
  const Cause& first = found.causes.front();
  EXPECT_EQ(first.kind, CauseKind::kSum);
  EXPECT_EQ(first.function, "work");
  EXPECT_EQ(first.delta, found.delta);
  EXPECT_EQ(cause_sentence(first), "`work` recurses more: 610 calls, was 210 (other changes in it included)");
}

TEST(HeadedSumsTest, ACallThatOneSideAloneMakesIsNoPartOfAGrownRecursion) {
  const Explanation found = explain(recursion(200, 100), recursion(600, 320, true), {});
  const bool is_told = std::any_of(found.causes.begin(), found.causes.end(), [](const Cause& cause) {
    return cause.kind == CauseKind::kCalls && cause.caller == "work" && cause.callee == "log";
  });
  EXPECT_TRUE(is_told);
}

TEST(HeadedSumsTest, AFunctionThatOnlyNowCallsItselfIsToldWithAllThatItCalls) {
  const CostGraph once = recursion(0, 100, false, 100), again = recursion(200, 300, true, 100);
  const Explanation found = explain(once, again, {}), back = explain(again, once, {});
  ASSERT_EQ(found.causes.size(), 1u);
  EXPECT_EQ(found.causes[0].kind, CauseKind::kSum);
  EXPECT_EQ(found.causes[0].delta, found.delta);
  EXPECT_EQ(cause_sentence(found.causes[0]),
            "`work` is now recursive: 300 calls, was 100 (other changes in it included)");
  ASSERT_EQ(back.causes.size(), 1u);
  EXPECT_EQ(cause_sentence(back.causes[0]),
            "`work` is no longer recursive: 100 calls, was 300 (other changes in it included)");
}

/// `loop` calls `dispatch`, which calls `cheap` 400 times and `dear` as often as is said.
CostGraph dispatched(int64_t dear) {
  GraphBuilder graph;
  graph.function("main", 10).function("loop", 100).function("dispatch", 5 * (400 + dear));
  graph.function("cheap", 400 * 10).function("dear", dear * 3000).function("deep", dear * 700);
  const int64_t below = 5 * (400 + dear) + 4000 + dear * 3700;
  graph.calls("main", "loop", 1, 100 + below).calls("loop", "dispatch", 400 + dear, below);
  graph.calls("dispatch", "cheap", 400, 4000).calls("dispatch", "dear", dear, dear * 3700);
  return graph.calls("dear", "deep", dear, dear * 700).graph();
}

TEST(HeadedSumsTest, ACallThroughADispatcherIsOneCause) {
  const Explanation found = explain(dispatched(40), dispatched(100), {});
  ASSERT_FALSE(found.causes.empty());
  const Cause& first = found.causes.front();
  EXPECT_EQ(first.kind, CauseKind::kCalls);
  EXPECT_EQ(first.caller, "dispatch");
  EXPECT_EQ(first.callee, "dear");
  EXPECT_NEAR(static_cast<double>(first.delta), 60 * 3700, 0.01 * 60 * 3700) << cause_sentence(first);
  EXPECT_TRUE(cause_sentence(first).ends_with(" 100 times, was 40, at 3,713 each, on behalf of `loop`"))
      << cause_sentence(first);
}

}  // namespace
}  // namespace icount
