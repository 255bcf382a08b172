// Profiles whose functions have any names: explain() ends, and its causes add up.
#include <gtest/gtest.h>

#include <algorithm>

#include "icount/explain/explain.h"
#include "support/graph_builder.h"
#include "support/hostile_names.h"

namespace icount {
namespace {

CostGraph program(const std::vector<std::string>& names) {
  GraphBuilder graph;
  graph.function("main", 10);
  for (size_t i = 0; i < names.size(); ++i)
    graph.function(names[i], static_cast<int64_t>(100 + i)).calls("main", names[i], static_cast<int64_t>(1 + i % 7));
  return graph.graph();
}

TEST(HostileNamesTest, ExplainEndsForAnyNames) {
  constexpr size_t kNames = 1'000;
  const CostGraph base = program(hostile_names(kNames, 3)), head = program(hostile_names(kNames, 4));
  for (const bool raw : {false, true}) {
    ExplainOptions options;
    options.raw_names = raw;
    const Explanation explanation = explain(base, head, options);  // checks its sums itself
    EXPECT_EQ(explanation.delta, head.totals[0] - base.totals[0]);
    EXPECT_FALSE(explanation.causes.empty());
  }
}

TEST(HostileNamesTest, ATagThatNeverClosesIsAPartOfTheName) {
  const CostGraph base = program({"[abi:", "f[abi:", "g"}), head = program({"f[abi:cxx11", "[abi:", "g"});
  EXPECT_FALSE(explain(base, head).functions.empty());
}

}  // namespace
}  // namespace icount
