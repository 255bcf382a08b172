// One function inlined into several callers, or no longer: one cause with a member for each.
#include "icount/explain/claims/relations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

/// `callers` call `get` ten times each in base, which costs 100 there; in head each has lines of it that cost `inside`.
struct Inlined {
  std::vector<std::string> callers = {"map", "put", "drop"};
  std::vector<int64_t> inside = {600, 700, 800};
};

GraphBuilder with_calls(const Inlined& of) {
  GraphBuilder graph;
  graph.line("main", "main.cc", 1, 100);
  for (const std::string& caller : of.callers)
    graph.line(caller, "main.cc", 100, 5000).calls("main", caller, 1, 6000).calls(caller, "get", 10, 1000);
  return graph.line("get", "get.cc", 20, 1000 * static_cast<int64_t>(of.callers.size()));
}

GraphBuilder without_calls(const Inlined& of) {
  GraphBuilder graph;
  graph.line("main", "main.cc", 1, 100);
  for (size_t i = 0; i < of.callers.size(); ++i)
    graph.line(of.callers[i], "main.cc", 100, 5000)
        .line(of.callers[i], "get.cc", 20, of.inside[i])
        .calls("main", of.callers[i], 1, 5000 + of.inside[i]);
  return graph;
}

TEST(SharedInliningTest, OneFunctionInSeveralCallersIsOneCause) {
  const Explanation into = explain(with_calls({}).graph(), without_calls({}).graph());
  ASSERT_EQ(into.causes.size(), 1u);
  EXPECT_EQ(into.causes[0].kind, CauseKind::kSum);
  EXPECT_EQ(into.causes[0].function, "get");
  EXPECT_EQ(into.causes[0].delta, -900);
  EXPECT_EQ(cause_sentence(into.causes[0]),
            "`get` is now inlined into `map`, `put` and one other function (30 calls, -30 each)");
  std::vector<std::string> callers;
  for (const Cause& member : into.causes[0].inside) {
    EXPECT_EQ(member.kind, CauseKind::kInlined);
    callers.push_back(member.caller);
  }
  EXPECT_EQ(callers, (std::vector<std::string>{"map", "put", "drop"}));
}

TEST(SharedInliningTest, TheOtherWayRoundSignsChange) {
  const Explanation out = explain(without_calls({}).graph(), with_calls({}).graph());
  ASSERT_EQ(out.causes.size(), 1u);
  EXPECT_EQ(out.causes[0].delta, 900);
  EXPECT_EQ(cause_sentence(out.causes[0]),
            "`get` is no longer inlined into `map`, `put` and one other function (30 calls, +30 each)");
}

TEST(SharedInliningTest, TwoCallersAreNamed) {
  const Inlined two{.callers = {"map", "put"}, .inside = {600, 700}};
  const Explanation into = explain(with_calls(two).graph(), without_calls(two).graph());
  ASSERT_EQ(into.causes.size(), 1u);
  EXPECT_EQ(cause_sentence(into.causes[0]), "`get` is now inlined into `map` and `put` (20 calls, -35 each)");
}

TEST(SharedInliningTest, ACallerWithNearlyAllOfItIsToldByItself) {
  const auto callers_told = [](int64_t second) {
    const Inlined of{.callers = {"map", "put"}, .inside = {400, second}};
    const Explanation into = explain(with_calls(of).graph(), without_calls(of).graph());
    return std::count_if(into.causes.begin(), into.causes.end(),
                         [](const Cause& cause) { return cause.kind == CauseKind::kInlined; });
  };
  EXPECT_EQ(callers_told(932), 0) << "600 of 668";
  EXPECT_EQ(callers_told(934), 2) << "600 of 666";
  EXPECT_EQ(callers_told(1200), 2) << "what cancels is two causes";
}

}  // namespace
}  // namespace icount
