// Two sides joined: names, files and objects of both, self cost, calls and entries by side, and groups of noise.
#include "icount/explain/match/joined_graph.h"

#include <gtest/gtest.h>

#include "joined_pair.h"

namespace icount {
namespace {

constexpr const char *kAddress = "0x0000000000001234", *kOtherAddress = "0x0000000000005678";

/// Functions of the two sides that are one, by evidence.
class JoinedByHand {
 public:
  JoinedByHand(const GraphBuilder& base, const GraphBuilder& head, std::vector<FunctionMatch> matches)
      : graphs_{base.graph(), head.graph()},
        folded_{fold_graph(graphs_[0], 0, false), fold_graph(graphs_[1], 0, false)},
        joined(join_graphs(folded_[0], folded_[1], std::move(matches))) {}
  JoinedByHand(const JoinedByHand&) = delete;

 private:
  std::array<CostGraph, 2> graphs_;
  std::array<FoldedGraph, 2> folded_;

 public:
  JoinedGraph joined;
};

GraphBuilder one(std::string_view name, std::string_view file = "a.c", std::string_view object = "prog",
                 int64_t self = 5) {
  return GraphBuilder().in(file, object).function(name, self);
}

TEST(JoinGraphsTest, NamesAreHeads) {
  const JoinedByHand pair(one("old", "a.c", "prog_1"), one("fresh", "b.c", "prog_2", 9),
                          {{0, 0, MatchedBy::kEvidence, "same cost"}});
  ASSERT_EQ(pair.joined.functions.size(), 1u);
  const JoinedFunction& function = pair.joined.functions[0];
  EXPECT_EQ(function.name, "fresh");
  EXPECT_EQ(function.file, "b.c");
  EXPECT_EQ(function.object, "prog_2");
  EXPECT_EQ(function.base_name, "old");
  EXPECT_EQ(function.head_name, "fresh");
  EXPECT_EQ(function.by, MatchedBy::kEvidence);
  EXPECT_EQ(function.evidence, "same cost");
  EXPECT_EQ(function.folded, (std::array<uint32_t, 2>{0, 0}));
  EXPECT_EQ(pair.joined.flow.nodes[0].self, (BothSides{5, 9}));
  EXPECT_EQ(pair.joined.flow.nodes[0].entries, (BothSides{1, 1}));
}

TEST(JoinGraphsTest, ANameIsShownInPlaceOfAnAddress) {
  const auto shown = [](const char* base, const char* head) {
    const JoinedByHand pair(one(base), one(head, "b.c"), {{0, 0, MatchedBy::kEvidence, {}}});
    const JoinedFunction& function = pair.joined.functions[0];
    return std::string(function.name) + " " + std::string(function.file);
  };
  EXPECT_EQ(shown("old", kAddress), "old a.c");
  EXPECT_EQ(shown(kAddress, "fresh"), "fresh b.c");
  EXPECT_EQ(shown(kAddress, kOtherAddress), std::string(kOtherAddress) + " b.c");
}

TEST(JoinGraphsTest, WhatOneSideAloneHas) {
  const JoinedByHand pair(one("gone"), one("fresh", "b.c", "lib.so", 9), {{0, kNoFunction}, {kNoFunction, 0}});
  ASSERT_EQ(pair.joined.functions.size(), 2u);
  const uint32_t gone = pair.joined.node_of[0][0], fresh = pair.joined.node_of[1][0];
  ASSERT_NE(gone, fresh);
  EXPECT_EQ(pair.joined.functions[gone].name, "gone");
  EXPECT_EQ(pair.joined.functions[gone].head_name, "");
  EXPECT_EQ(pair.joined.functions[fresh].name, "fresh");
  EXPECT_EQ(pair.joined.functions[fresh].base_name, "");
  EXPECT_EQ(pair.joined.functions[fresh].object, "lib.so");
  EXPECT_EQ(pair.joined.flow.nodes[gone].self, (BothSides{5, 0}));
  EXPECT_EQ(pair.joined.flow.nodes[fresh].self, (BothSides{0, 9}));
  EXPECT_EQ(pair.joined.flow.nodes[gone].entries, (BothSides{1, 0}));
  EXPECT_EQ(pair.joined.flow.nodes[fresh].entries, (BothSides{0, 1}));
}

TEST(JoinGraphsTest, CallsOfBothSidesAreOneEdge) {
  GraphBuilder base, head;
  base.function("main", 1).function("f", 2).function("g", 3).calls("main", "f", 4, 40).calls("main", "g", 6, 60);
  head.function("main", 1).function("g", 3).function("f", 2).calls("main", "f", 5, 50);
  JoinedPair pair(base, head);
  const uint32_t main = pair.function("main"), f = pair.function("f"), g = pair.function("g");
  ASSERT_EQ(pair.joined.flow.edges.size(), 2u);
  for (const FlowEdge& edge : pair.joined.flow.edges) {
    EXPECT_EQ(edge.caller, main);
    EXPECT_EQ(edge.calls, edge.callee == f ? (BothSides{4, 5}) : (BothSides{6, 0}));
    EXPECT_EQ(edge.inclusive, edge.callee == f ? (BothSides{40, 50}) : (BothSides{60, 0}));
  }
  EXPECT_EQ(pair.joined.flow.nodes[g].entries, (BothSides{0, 1})) << "head calls it no more";
  for (const size_t side : {0, 1})
    for (uint32_t function = 0; function < 3; ++function)
      EXPECT_EQ(pair.joined.functions[pair.joined.node_of[side][function]].folded[side], function);
}

TEST(JoinGraphsTest, NamesThatSeveralFunctionsShare) {
  GraphBuilder graph;
  graph.in("a.c").define("twice", 1).in("b.c").define("twice", 2).define("once", 3).in("c.c").define("twice", 4);
  JoinedPair pair(graph, graph);
  ASSERT_EQ(pair.joined.functions.size(), 4u);
  for (const JoinedFunction& function : pair.joined.functions)
    EXPECT_EQ(function.name_is_shared, function.name == "twice") << function.name << " " << function.file;
}

TEST(JoinGraphsTest, TheOrderIsTheSameWhicheverIsBase) {
  const GraphBuilder base = one("old", "a.c"), head = one("fresh", "b.c");
  GraphBuilder more_of_base = base, more_of_head = head;
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    more_of_base.function(name, 1);
    more_of_head.function(name, 2);
  }
  JoinedPair there(more_of_base, more_of_head), back(more_of_head, more_of_base);
  ASSERT_EQ(there.joined.functions.size(), back.joined.functions.size());
  for (size_t i = 0; i < there.joined.functions.size(); ++i) {
    EXPECT_EQ(there.joined.functions[i].base_name, back.joined.functions[i].head_name);
    EXPECT_EQ(there.joined.flow.nodes[i].self[0], back.joined.flow.nodes[i].self[1]);
  }
}

/// The group of one function that has these names and objects on both sides; "" where a side has none.
std::string group(const char* base, const char* head, const char* base_object = "libc.so.6",
                  const char* head_object = "libc.so.6") {
  GraphBuilder there, back;
  FunctionMatch match;
  if (*base) {
    there.in("", base_object).function(base, 1);
    match.base = 0;
  }
  if (*head) {
    back.in("", head_object).function(head, 1);
    match.head = 0;
  }
  const JoinedByHand pair(there, back, {match});
  return std::string(noise_group_of(pair.joined, pair.joined.functions[0]));
}

TEST(NoiseGroupOfTest, OfTheSidesThatHaveAndNameIt) {
  EXPECT_EQ(group("malloc", "malloc"), "allocator");
  EXPECT_EQ(group("malloc", "calloc"), "allocator");
  EXPECT_EQ(group("malloc", "parse"), "");
  EXPECT_EQ(group("parse", "malloc"), "");
  EXPECT_EQ(group("malloc", "memcpy"), "") << "of another group";
  EXPECT_EQ(group("malloc", ""), "allocator");
  EXPECT_EQ(group("", "malloc"), "allocator");
  EXPECT_EQ(group("parse", ""), "");
}

TEST(NoiseGroupOfTest, WhatHasNoNameSaysNothingUnlessItsObjectDoes) {
  EXPECT_EQ(group(kAddress, "malloc"), "allocator");
  EXPECT_EQ(group("malloc", kAddress), "allocator");
  EXPECT_EQ(group(kAddress, kAddress), "");
  EXPECT_EQ(group(kAddress, kAddress, "ld-linux-x86-64.so.2", "ld-linux-x86-64.so.2"), "dynamic loader");
  EXPECT_EQ(group(kAddress, "malloc", "ld-linux-x86-64.so.2"), "") << "the loader's, and the allocator's";
}

TEST(NoiseGroupOfTest, WhatListsMemoryMappingsAndNothingElse) {
  GraphBuilder base;
  base.in("m.c", "libc.so.6").define("pthread_getattr_np@@GLIBC_2.32", 1).define("getline", 2).define("sscanf", 3);
  base.define("strtoul", 4).define("vfscanf", 5).define("main", 6);
  base.calls("main", "pthread_getattr_np@@GLIBC_2.32", 1, 10).calls("pthread_getattr_np@@GLIBC_2.32", "getline", 9, 9);
  base.calls("pthread_getattr_np@@GLIBC_2.32", "sscanf", 9, 9).calls("sscanf", "vfscanf", 9, 9);
  base.calls("vfscanf", "strtoul", 9, 9).calls("vfscanf", "vfscanf", 9, 9).calls("main", "strtoul", 1, 1);
  const JoinedPair alike(base, base);
  const auto groups = [](const JoinedPair& pair) {
    std::string text;
    for (const char* name : {"pthread_getattr_np", "getline", "sscanf", "vfscanf", "strtoul", "main"})
      text += std::string(noise_group_of(pair.joined, pair.joined.functions[pair.function(name)])) + ";";
    return text;
  };
  EXPECT_EQ(groups(alike), "memory mappings;memory mappings;memory mappings;memory mappings;;;");
  GraphBuilder head = base;
  head.calls("main", "getline", 1, 1);
  EXPECT_EQ(groups(JoinedPair(base, head)), "memory mappings;;memory mappings;memory mappings;;;")
      << "of one side alone";
}

}  // namespace
}  // namespace icount
