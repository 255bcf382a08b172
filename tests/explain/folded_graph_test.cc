#include "icount/explain/folded_graph.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <tuple>

#include "support/graph_builder.h"

namespace icount {
namespace {

/// One function of each of six objects, all of one name, listed from the first object or from the last.
CostGraph namesakes(bool backwards) {
  constexpr std::array<const char*, 6> kObjects = {"liba.so", "libb.so", "libc.so", "libd.so", "libe.so", "libf.so"};
  GraphBuilder graph;
  for (size_t i = 0; i < kObjects.size(); ++i) {
    const size_t object = backwards ? kObjects.size() - 1 - i : i;
    graph.in("a.c", kObjects[object]).define("f(int)", static_cast<int64_t>(object) + 1);
    graph.in("b.c", kObjects[object]).define("f(int)", static_cast<int64_t>(object) + 10);
  }
  return graph.graph();
}

using Listed = std::vector<std::tuple<std::string, std::string, std::string, int64_t>>;
Listed listed(const FoldedGraph& folded) {
  Listed all;
  for (const FoldedFunction& function : folded.functions)
    all.emplace_back(function.name, function.file, function.object, function.self);
  return all;
}

/// Whatever comes behind prefers the first of equals: the order must not be that of the profile's records.
TEST(FoldedGraphTest, TheOrderOfRecordsIsNotSeen) {
  const CostGraph there = namesakes(false), back = namesakes(true);
  for (const bool raw_names : {false, true})
    EXPECT_EQ(listed(fold_graph(there, 0, raw_names)), listed(fold_graph(back, 0, raw_names))) << raw_names;
}

}  // namespace
}  // namespace icount
