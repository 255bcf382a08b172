// Objects that were compiled otherwise, by how many of their functions are gone, came, or cost something else.
#include "icount/explain/claims/relations.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "icount/callgraph/function_code.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

/// Functions of one library, which main calls.
struct Library {
  int gone = 0, came = 0, common = 0, changed = 0;
  int64_t cost = 100, other_cost = 200, calls = 1, other_calls = 1;
  std::string object = "/lib/liba.so";
  std::string producer = {};  ///< of head, where base's is "cc -O2"; empty: neither is known
};

CostGraph side_of(const Library& library, size_t side) {
  GraphBuilder graph;
  graph.in("main.c", "/bin/prog").function("main", 10).in("a.c", library.object);
  const auto add = [&](const char* prefix, int i, int64_t cost, int64_t calls) {
    const std::string name = fmt::format("{}{}", prefix, i);
    graph.function(name, cost).calls("main", name, calls);
  };
  for (int i = 0; i < library.common; ++i) {
    const bool other = side == 1 && i < library.changed;
    add("common", i, other ? library.other_cost : library.cost, other ? library.other_calls : library.calls);
  }
  for (int i = 0; i < (side == 0 ? library.gone : library.came); ++i) add(side == 0 ? "old" : "new", i, 7, 1);
  CostGraph made = graph.graph();
  ProfileCode code;
  code.objects.push_back({.name = "/lib/liba.so", .producer = side == 1 ? library.producer : "cc -O2"});
  if (!library.producer.empty()) made.code = std::make_shared<const ProfileCode>(code);
  return made;
}

template <typename Find>
auto find_in(const Library& library, const Find& find, bool turned = false) {
  const CostGraph base = side_of(library, turned ? 1 : 0), head = side_of(library, turned ? 0 : 1);
  const FoldedGraph left = fold_graph(base, 0, true), right = fold_graph(head, 0, true);
  return find(join_graphs(left, right, match_functions(left, right, true)));
}

bool inlines_less(const Library& library) {
  const auto found = find_in(library, find_optimisation_changes),
             turned = find_in(library, find_optimisation_changes, true);
  EXPECT_EQ(found.size(), turned.size());
  if (found.size() != 1 || turned.size() != 1) return false;
  EXPECT_EQ(found[0].less, 0u);
  EXPECT_EQ(turned[0].less, 1u);
  EXPECT_EQ(found[0].gone, static_cast<size_t>(library.gone));
  EXPECT_EQ(found[0].all, static_cast<size_t>(library.gone + library.common));
  return true;
}

bool is_other_build(const Library& library) {
  const auto found = find_in(library, find_other_builds), turned = find_in(library, find_other_builds, true);
  EXPECT_EQ(found.size(), turned.size());
  if (found.size() != 1 || turned.size() != 1) return false;
  EXPECT_EQ(found[0].common, static_cast<size_t>(library.common));
  EXPECT_EQ(found[0].changed, static_cast<size_t>(library.changed));
  EXPECT_EQ(found[0].alone, (std::array{static_cast<size_t>(library.gone), static_cast<size_t>(library.came)}));
  EXPECT_EQ(turned[0].alone, (std::array{static_cast<size_t>(library.came), static_cast<size_t>(library.gone)}));
  return true;
}

TEST(OptimisationChangeTest, HalfOfTheFunctionsAreGoneAndThreeQuartersOfTheOthersCostSomethingElse) {
  EXPECT_TRUE(inlines_less({.gone = 8, .common = 8, .changed = 6}));
  EXPECT_FALSE(inlines_less({.gone = 8, .common = 9, .changed = 9})) << "less than half";
  EXPECT_FALSE(inlines_less({.gone = 8, .common = 8, .changed = 5})) << "less than three quarters";
  EXPECT_FALSE(inlines_less({.gone = 7, .common = 7, .changed = 7})) << "too few";
  EXPECT_FALSE(inlines_less({.gone = 8, .common = 1, .changed = 1}));
  EXPECT_TRUE(inlines_less({.gone = 8, .common = 2, .changed = 2}));
}

TEST(OptimisationChangeTest, HardlyAnyCame) {
  EXPECT_TRUE(inlines_less({.gone = 8, .came = 2, .common = 8, .changed = 8})) << "one for four that are gone";
  EXPECT_FALSE(inlines_less({.gone = 8, .came = 3, .common = 8, .changed = 8}));
}

TEST(OptimisationChangeTest, AnotherCostIsOneThatDiffersByMoreThanAFiftiethPerCall) {
  EXPECT_FALSE(inlines_less({.gone = 8, .common = 8, .changed = 8, .other_cost = 102}));
  EXPECT_TRUE(inlines_less({.gone = 8, .common = 8, .changed = 8, .other_cost = 103}));
  EXPECT_FALSE(inlines_less({.gone = 8, .common = 8, .changed = 8, .other_cost = 200, .other_calls = 2}));
  EXPECT_TRUE(inlines_less({.gone = 8, .common = 8, .changed = 8, .other_cost = 100, .other_calls = 2}));
}

TEST(OtherBuildTest, HalfOfTenFunctionsOrMoreCostSomethingElse) {
  EXPECT_TRUE(is_other_build({.common = 10, .changed = 5}));
  EXPECT_FALSE(is_other_build({.common = 10, .changed = 4}));
  EXPECT_FALSE(is_other_build({.common = 9, .changed = 9}));
}

TEST(OtherBuildTest, FunctionsInNoObjectAreNotBuilt) {
  EXPECT_FALSE(is_other_build({.common = 10, .changed = 10, .object = ""}));
  EXPECT_FALSE(inlines_less({.gone = 8, .common = 8, .changed = 8, .object = ""}));
}

TEST(OtherBuildTest, FunctionsThatAreCalledMoreOftenDoOtherWork) {
  EXPECT_TRUE(is_other_build({.common = 10, .changed = 5, .other_cost = 300, .calls = 90, .other_calls = 100}));
  EXPECT_FALSE(is_other_build({.common = 10, .changed = 5, .other_cost = 300, .calls = 89, .other_calls = 100}));
  EXPECT_FALSE(is_other_build({.common = 10, .changed = 5, .other_cost = 300, .calls = 100, .other_calls = 89}));
}

TEST(OtherBuildTest, WhereBothHaveManyFunctionsOfTheirOwnTheSourceIsAnother) {
  EXPECT_TRUE(is_other_build({.gone = 3, .came = 3, .common = 12, .changed = 12})) << "a quarter";
  EXPECT_FALSE(is_other_build({.gone = 4, .came = 4, .common = 12, .changed = 12}));
  EXPECT_TRUE(is_other_build({.gone = 20, .came = 3, .common = 12, .changed = 12})) << "options inline";
}

TEST(OtherBuildTest, WhereDebugInformationSaysSoAQuarterIsEnough) {
  EXPECT_TRUE(is_other_build({.common = 12, .changed = 3, .producer = "cc -O3"}));
  EXPECT_FALSE(is_other_build({.common = 13, .changed = 3, .producer = "cc -O3"})) << "less than a quarter";
  EXPECT_FALSE(is_other_build({.common = 4, .changed = 2, .producer = "cc -O3"})) << "two functions";
  EXPECT_FALSE(is_other_build({.common = 12, .changed = 3, .producer = "cc -O2"})) << "it says that both are alike";
  EXPECT_FALSE(is_other_build({.common = 12, .changed = 3})) << "it says nothing";
  EXPECT_TRUE(is_other_build({.gone = 9, .came = 9, .common = 12, .changed = 3, .producer = "cc -O3"}));
}

}  // namespace
}  // namespace icount
