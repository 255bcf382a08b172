// What functions of two joined graphs are called, and what is noted of how they were matched.
#include "icount/explain/match/node_names.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "icount/explain/match/joined_graph.h"
#include "icount/report/cause_sentence.h"
#include "joined_pair.h"
#include "support/graph_builder.h"

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

/// main calls a and, where that is said, c of a cycle of a, b and c.
GraphBuilder cycle(bool two_doors = false) {
  GraphBuilder graph = GraphBuilder().function("main", 1).function("a", 5).function("b", 9).function("c", 9);
  graph.calls("main", "a", 1).calls("a", "b", 1).calls("b", "c", 1).calls("c", "a", 1);
  return two_doors ? graph.calls("main", "c", 1) : graph;
}

TEST(NameNodesTest, ACycleHasTheNameOfTheFunctionThatChangedMost) {
  const JoinedPair pair(cycle(), cycle().function("a", 8));
  const Names names =
      name_nodes(pair.flow.condensed, leaders_of(pair.joined, pair.flow.condensed), name_functions(pair.joined));
  EXPECT_EQ(names[pair.node("a")], "`a` (a recursion of 3 functions)");
}

TEST(NameNodesTest, ADoorIsAFunctionInACycle) {
  const JoinedPair pair(cycle(true), cycle(true));
  const Names names =
      name_nodes(pair.flow.condensed, leaders_of(pair.joined, pair.flow.condensed), name_functions(pair.joined));
  EXPECT_EQ(names[pair.flow.condensed.entered_by[pair.function("c")]], "`c`");
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

using Notes = std::vector<std::string>;

/// Functions that are matched as is said; each costs 10 on either side unless told otherwise.
class Matched {
 public:
  Matched& rename(const std::string& base, const std::string& head) { return add(base, head, MatchedBy::kEvidence); }
  Matched& add(const std::string& base, const std::string& head, MatchedBy by, const BothSides& self = {10, 10}) {
    base_.define(base, self[0]);
    head_.define(head, self[1]);
    matches_.push_back({functions_, functions_, by, "same callers"});
    ++functions_;
    return *this;
  }
  Matched& in(const std::string& base_object, const std::string& head_object) {
    base_.in("main.cc", base_object);
    head_.in("main.cc", head_object);
    return *this;
  }

  MatchNotes said() const {
    const CostGraph base = base_.graph(), head = head_.graph();
    // As they are: two functions of one name stay two.
    const FoldedGraph one = fold_graph(base, 0, true), other = fold_graph(head, 0, true);
    std::vector<FunctionMatch> matches = matches_;
    for (FunctionMatch& match : matches)
      match.base = one.folded_of[match.base], match.head = other.folded_of[match.head];
    return match_notes(join_graphs(one, other, std::move(matches)));
  }
  Notes notes() const { return note_sentences({.notes = said().notes}); }

 private:
  GraphBuilder base_, head_;
  std::vector<FunctionMatch> matches_;
  uint32_t functions_ = 0;
};

TEST(MatchNotesTest, TheWordThatMostRenamesShareIsTold) {
  const auto renames = [](int of_word, int others) {
    Matched matched;
    for (int i = 0; i < of_word; ++i) matched.rename(fmt::format("calc::f{}", i), fmt::format("expr::f{}", i));
    for (int i = 0; i < others; ++i)
      matched.rename(fmt::format("u{0}(p{0}, q{0}, r{0}, s{0})", i), fmt::format("v{}", i));
    return matched.notes();
  };
  EXPECT_EQ(renames(5, 0), Notes{"5 functions matched under another name: `calc` is now `expr`"});
  EXPECT_EQ(renames(3, 2), Notes{"5 functions matched under another name: `calc` is now `expr` in 3 of them"});
  EXPECT_EQ(renames(3, 3), Notes{"6 functions matched under another name: `calc` is now `expr` in 3 of them"})
      << "half of them";
  EXPECT_EQ(renames(2, 3), Notes{"5 functions matched under another name"});
  EXPECT_EQ(renames(0, 4), Notes{"4 functions matched under another name"});
}

/// What is told of four functions that are renamed in the same way.
std::string replaced(const std::string& base, const std::string& head) {
  Matched matched;
  for (const std::string name : {"a", "b", "c", "d"}) {
    const auto named = [&](std::string pattern) {
      for (size_t at; (at = pattern.find('$')) != std::string::npos;) pattern.replace(at, 1, name);
      return pattern;
    };
    matched.rename(named(base), named(head));
  }
  const std::string note = matched.notes().at(0), begin = "4 functions matched under another name";
  return note == begin ? "" : note.substr(begin.size() + 2);
}

TEST(MatchNotesTest, OneWordOrAFewAreReplacedThroughout) {
  EXPECT_EQ(replaced("sum_$<int>(int)", "sum_$<long>(long)"), "`int` is now `long`");
  EXPECT_EQ(replaced("sum_$<int>(int)", "sum_$<unsigned long>(unsigned long)"), "`int` is now `unsigned long`");
  EXPECT_EQ(replaced("sum_$<unsigned long>", "sum_$<int>"), "`unsigned long` is now `int`");
  EXPECT_EQ(replaced("one::two::three::$", "four::$"), "`one::two::three` is now `four`") << "three words at most";
  EXPECT_EQ(replaced("one::two::three::four::$", "five::$"), "");
  EXPECT_EQ(replaced("a1::b1::$", "a2::b2::$"), "`a1::b1` is now `a2::b2`");
  EXPECT_EQ(replaced("sum_$<int>(int)", "sum_$<long>(short)"), "") << "not the same throughout";
  EXPECT_EQ(replaced("sum_$<int>(int)", "sum_$<long>(long, long)"), "") << "one has more words";
  EXPECT_EQ(replaced("sum_$(int)", "sum_$()"), "") << "a word that is gone replaces none";
  EXPECT_EQ(replaced("old::$", "$"), "") << "nor does one that came";
}

TEST(MatchNotesTest, OfEqualMovesTheOrderIsByName) {
  Matched matched;
  for (const std::string name : {"c", "a", "b"})
    matched.in("/lib/" + name, "/lib/new_" + name).add("f" + name, "f" + name, MatchedBy::kObject);
  EXPECT_EQ(matched.notes(),
            (Notes{"1 function now comes from `new_a` (was `a`)", "1 function now comes from `new_b` (was `b`)",
                   "1 function now comes from `new_c` (was `c`)"}));
}

TEST(MatchNotesTest, FunctionsWithoutASymbolFromAHundredthOn) {
  const auto notes = [](const BothSides& self, const std::string& head = "0x0000000000402000",
                        const std::string& object = "prog") {
    Matched matched;
    matched.add("main", "main", MatchedBy::kName, {10'000 - self[0], 9'000 - self[1]});
    return matched.in(object, object).add("0x0000000000401000", head, MatchedBy::kPlace, self).notes();
  };
  const Notes told = {"1 function without a symbol matched by position and figures; their addresses differ"};
  EXPECT_EQ(notes({100, 1}), told);
  EXPECT_EQ(notes({1, 100}), told) << "on either side, of the larger one";
  EXPECT_EQ(notes({99, 99}), Notes{});
  EXPECT_EQ(notes({100, 100}, "0x0000000000401000"), Notes{}) << "it lies where it lay";
  EXPECT_EQ(notes({100, 100}, "0x0000000000402000", "???"), Notes{}) << "Valgrind's own";
}

constexpr const char *kAddress = "0x0000000000001234", *kOtherAddress = "0x0000000000005678";

/// The group of one function that has these names and objects on both sides.
std::string group(const char* base, const char* head, const char* base_object = "libc.so.6",
                  const char* head_object = "libc.so.6") {
  GraphBuilder there, back;
  const JoinedPair pair(there.in("", base_object).function(base, 1), back.in("", head_object).function(head, 1));
  JoinedFunction one;
  one.folded = {0, 0};
  return std::string(noise_group_of(pair.joined, one));
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
