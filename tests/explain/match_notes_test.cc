// What matching has to say aloud: renames in one line, functions of other objects, variants, functions without symbols.
#include "icount/explain/match/node_names.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "icount/report/cause_sentence.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

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

TEST(MatchNotesTest, NothingToSay) {
  EXPECT_EQ(Matched().add("f", "f", MatchedBy::kName).notes(), Notes{});
  EXPECT_FALSE(Matched().add("f", "f", MatchedBy::kName).said().renames_are_summed);
}

TEST(MatchNotesTest, ThreeRenamesAreToldOneByOneMoreInOneLine) {
  Matched three;
  for (const std::string name : {"a", "b", "c"}) three.rename("old_ns::" + name, "fresh::" + name);
  EXPECT_EQ(three.notes(), Notes{});
  EXPECT_FALSE(three.said().renames_are_summed);
  const Matched four = three.rename("old_ns::d", "fresh::d");
  EXPECT_EQ(four.notes(), Notes{"4 functions matched under another name: `old_ns` is now `fresh`"});
  EXPECT_TRUE(four.said().renames_are_summed);
}

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

TEST(MatchNotesTest, FunctionsOfOtherObjectsTheLargestMoveFirst) {
  Matched matched;
  matched.in("/lib/libb.so", "/lib/libc.so").add("x", "x", MatchedBy::kObject);
  matched.in("/bin/prog", "/lib/libtext.so").add("f", "f", MatchedBy::kObject).add("g", "g", MatchedBy::kObject);
  EXPECT_EQ(matched.notes(), (Notes{"2 functions now come from `libtext.so` (was `prog`)",
                                    "1 function now comes from `libc.so` (was `libb.so`)"}));
}

TEST(MatchNotesTest, OfEqualMovesTheOrderIsByName) {
  Matched matched;
  for (const std::string name : {"c", "a", "b"})
    matched.in("/lib/" + name, "/lib/new_" + name).add("f" + name, "f" + name, MatchedBy::kObject);
  EXPECT_EQ(matched.notes(),
            (Notes{"1 function now comes from `new_a` (was `a`)", "1 function now comes from `new_b` (was `b`)",
                   "1 function now comes from `new_c` (was `c`)"}));
}

TEST(MatchNotesTest, VariantsOfTheCLibrary) {
  Matched matched;
  matched.add("__memcpy_sse2", "__memcpy_avx", MatchedBy::kDispatch);
  EXPECT_EQ(matched.notes(),
            Notes{"1 function of the C library runs as another variant: base and head were measured on "
                  "different processors or settings"});
  matched.add("__memset_sse2", "__memset_avx", MatchedBy::kDispatch);
  EXPECT_EQ(matched.notes(),
            Notes{"2 functions of the C library run as another variant: base and head were measured on "
                  "different processors or settings"});
}

TEST(MatchNotesTest, ASymbolOnOneSide) {
  Matched matched;
  matched.add("0x0000000000401000", "walk", MatchedBy::kPlace);
  EXPECT_EQ(matched.notes(),
            Notes{"1 function with a symbol on one side only matched by callers, number of calls and callees"});
  matched.add("run", "0x0000000000402000", MatchedBy::kPlace);
  EXPECT_EQ(matched.notes(),
            Notes{"2 functions with a symbol on one side only matched by callers, number of calls and callees"});
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

}  // namespace
}  // namespace icount
