// What functions and cycles are called in sentences: short, apart from each other, with places where names are shared.
#include "icount/explain/match/node_names.h"

#include <gtest/gtest.h>

#include "joined_pair.h"

namespace icount {
namespace {

using Names = std::vector<std::string>;

struct Placed {
  std::string file, object;
  int64_t head_self = 2;
};

/// The names of functions called `init`, each in its place; sorted.
Names names_at(const std::vector<Placed>& places) {
  GraphBuilder base, head;
  for (const Placed& place : places) {
    base.in(place.file, place.object).define("init", 1);
    head.in(place.file, place.object).define("init", place.head_self);
  }
  const JoinedPair pair(base, head);
  Names names = name_functions(pair.joined);
  std::sort(names.begin(), names.end());
  return names;
}

TEST(NameFunctionsTest, ANameOfSeveralComesWithThePlainestPlaceThatTellsThemApart) {
  EXPECT_EQ(names_at({{"a.c", "prog"}}), Names{"`init`"});
  EXPECT_EQ(names_at({{"/x/a.c", "prog"}, {"/x/b.c", "prog"}}), (Names{"`init` (a.c)", "`init` (b.c)"}));
  EXPECT_EQ(names_at({{"/x/a.c", "prog"}, {"/y/a.c", "prog"}}), (Names{"`init` (x/a.c)", "`init` (y/a.c)"}));
  EXPECT_EQ(names_at({{"/x/a.c", "/l/one.so"}, {"/x/a.c", "/l/two.so"}}),
            (Names{"`init` (one.so)", "`init` (two.so)"}));
  EXPECT_EQ(names_at({{"/1/x/a.c", "prog"}, {"/2/x/a.c", "prog"}}), (Names{"`init` (/1/x/a.c)", "`init` (/2/x/a.c)"}));
  EXPECT_EQ(names_at({{"/a.c", "prog"}, {"/b/a.c", "prog"}}), (Names{"`init` (/a.c)", "`init` (b/a.c)"}));
}

TEST(NameFunctionsTest, AddressesComeWithTheirObjectAndTheOtherAddress) {
  JoinedPair pair(GraphBuilder().in("???", "/lib/liblua.so").function("0x0000000000028210", 5),
                  GraphBuilder().in("???", "/lib/liblua.so").function("0x0000000000028210", 6));
  EXPECT_EQ(name_functions(pair.joined), Names{"`0x28210` in liblua.so"});
  pair.joined.functions[0].base_name = "0x0000000000000010";
  EXPECT_EQ(name_functions(pair.joined), Names{"`0x28210` in liblua.so (was `0x10`)"});
  pair.joined.functions[0].base_name = "";
  EXPECT_EQ(name_functions(pair.joined), Names{"`0x28210` in liblua.so"}) << "head's alone";
}

TEST(NameFunctionsTest, RawNamesStayAsTheyAre) {
  JoinedPair pair(GraphBuilder().function("std::vector<int, std::allocator<int> >::size() const", 5),
                  GraphBuilder().function("std::vector<int, std::allocator<int> >::size() const", 6));
  EXPECT_EQ(name_functions(pair.joined), Names{"`std::vector<int>::size`"});
  pair.joined.raw_names = true;
  EXPECT_EQ(name_functions(pair.joined), Names{"`std::vector<int, std::allocator<int> >::size() const`"});
}

/// main calls a and, where that is said, c of a cycle of a, b and c.
GraphBuilder cycle(bool two_doors = false) {
  GraphBuilder graph = GraphBuilder().function("main", 1).function("a", 5).function("b", 9).function("c", 9);
  graph.calls("main", "a", 1).calls("a", "b", 1).calls("b", "c", 1).calls("c", "a", 1);
  return two_doors ? graph.calls("main", "c", 1) : graph;
}

TEST(NameNodesTest, ACycleIsNamedByItsDearestFunction) {
  const JoinedPair pair(cycle(), cycle().function("b", 1));
  const std::vector<uint32_t> leaders = leaders_of(pair.joined, pair.flow.condensed);
  const uint32_t node = pair.node("a");
  EXPECT_EQ(leaders[node], pair.function("b")) << "on both sides together";
  EXPECT_EQ(leaders[pair.node("main")], pair.function("main"));
  const Names names = name_nodes(pair.flow.condensed, leaders, name_functions(pair.joined));
  EXPECT_EQ(names[node], "the recursion of `b` and 2 other functions");
  EXPECT_EQ(names[pair.node("main")], "`main`");
}

TEST(NameNodesTest, ADoorIsAFunctionInACycle) {
  const JoinedPair pair(cycle(true), cycle(true));
  const Names names =
      name_nodes(pair.flow.condensed, leaders_of(pair.joined, pair.flow.condensed), name_functions(pair.joined));
  EXPECT_EQ(names[pair.flow.condensed.entered_by[pair.function("c")]], "`c`");
}

TEST(LabelTest, PartsOfACyclesLabel) {
  using Parts = std::pair<std::string_view, size_t>;
  EXPECT_EQ(parts_of_label("cycle of eval and 6 more"), Parts("eval", 7));
  EXPECT_EQ(parts_of_label("cycle of a and b and 6 more"), Parts("a and b", 7));
  EXPECT_EQ(parts_of_label("cycle of eval"), Parts("cycle of eval", 1));
  EXPECT_EQ(parts_of_label("eval and 6 more"), Parts("eval and 6 more", 1));
  EXPECT_EQ(parts_of_label("cycle of and 6 more"), Parts("cycle of and 6 more", 1));
}

TEST(NameFunctionsTest, ThePlacesOfSeveralGoOnUntilTheyDiffer) {
  EXPECT_EQ(names_at({{"/1/x/a.c", "/l/one.so"}, {"/2/x/a.c", "/l/one.so"}}),
            (Names{"`init` (/1/x/a.c)", "`init` (/2/x/a.c)"}))
      << "by the whole path";
  EXPECT_EQ(names_at({{"/x/a.c", "/1/one.so"}, {"/x/a.c", "/2/one.so"}}),
            (Names{"`init` (/x/a.c, /1/one.so)", "`init` (/x/a.c, /2/one.so)"}))
      << "and that of the library";
}

TEST(LabelTest, ACycleHasALeader) {
  using Parts = std::pair<std::string_view, size_t>;
  EXPECT_EQ(parts_of_label("cycle of  and 6 more"), Parts("", 7)) << "of no name";
}

}  // namespace
}  // namespace icount
