#include <gtest/gtest.h>

#include <random>

#include "icount/base/error.h"
#include "icount/stats/function_counts.h"
#include "icount/stats/name_rules.h"
#include "support/error_of.h"

namespace icount {
namespace {

using Rows = std::vector<FunctionCount>;

FunctionCounts random_counts(std::mt19937& random, size_t rows) {
  Rows result;
  for (size_t i = 0; i < rows; ++i)
    result.push_back({static_cast<int64_t>(random() % 2001) - 1000, std::to_string(random() % 12) + "f"});
  return FunctionCounts(std::move(result), false);
}

// A list with each name once, no zero, in order: what every operation returns.
FunctionCounts settled(const FunctionCounts& counts) { return counts + FunctionCounts(); }

bool in_total_order(const FunctionCounts& counts) {
  for (size_t i = 0; i < counts.size(); ++i)
    if (counts[i].count == 0 || (i > 0 && !(counts[i] < counts[i - 1]))) return false;
  return true;
}

TEST(FunctionCountsTest, AlgebraHoldsOnRandomLists) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    FunctionCounts a = random_counts(random, random() % 20), b = random_counts(random, random() % 20);
    EXPECT_TRUE((a - a).empty());
    EXPECT_EQ((a - b) + b, settled(a));
    EXPECT_EQ(a - b, -(b - a));
    EXPECT_EQ(a + b, b + a);
    EXPECT_EQ(a * 3, a + a + a);
    EXPECT_EQ((a + b).sum(), a.sum() + b.sum());
    EXPECT_EQ(a.transform([](std::string_view) { return "all"; }).sum(), a.sum());
    EXPECT_TRUE(in_total_order(a + b));
    EXPECT_TRUE(in_total_order(a - b));
    EXPECT_TRUE(in_total_order(a * -2));
  }
}

TEST(FunctionCountsTest, SortsByCountThenNameBothDescending) {
  FunctionCounts counts = FunctionCounts::sorted({{1, "a"}, {5, "b"}, {5, "c"}, {-3, "d"}}, false);
  EXPECT_EQ(counts.rows(), (Rows{{5, "c"}, {5, "b"}, {1, "a"}, {-3, "d"}}));
}

TEST(FunctionCountsTest, IntegerIndexGivesARow) {
  FunctionCounts counts({{2, "a"}, {1, "b"}}, false);
  EXPECT_EQ(counts[0], (FunctionCount{2, "a"}));
  EXPECT_EQ(counts[-1], (FunctionCount{1, "b"}));
  EXPECT_EQ(error_of([&] { counts.at(2); }), "FunctionCounts has 2 rows, no row 2");
  EXPECT_EQ(error_of([&] { counts.at(-3); }), "FunctionCounts has 2 rows, no row -3");
}

TEST(FunctionCountsTest, SlicesShowAllTheirRows) {
  FunctionCounts counts({{3, "a"}, {2, "b"}, {1, "c"}}, true);
  EXPECT_EQ(counts.slice(1, std::nullopt).rows(), (Rows{{2, "b"}, {1, "c"}}));
  EXPECT_EQ(counts.slice(-2, -1).rows(), (Rows{{2, "b"}}));
  EXPECT_EQ(counts.slice(2, 1).rows(), Rows{});
  EXPECT_EQ(counts.slice(-100, 100).rows(), counts.rows());
  EXPECT_FALSE(counts.slice(0, 1).truncate_rows());
  EXPECT_TRUE(counts.slice(0, 1).inclusive());
}

TEST(FunctionCountsTest, ProductsAddEqualNamesUnlessAskedNotTo) {
  FunctionCounts counts({{3, "a"}, {4, "a"}}, false);
  EXPECT_EQ((counts * 2).rows(), (Rows{{14, "a"}}));
  EXPECT_EQ(counts.times(int64_t{2}, EqualNames::kLastWins).rows(), (Rows{{8, "a"}}));
  EXPECT_EQ((FunctionCounts({{7, "a"}, {-7, "b"}, {1, "c"}}, false) * 0.5).rows(), (Rows{{3, "a"}, {-3, "b"}}));
}

TEST(FunctionCountsTest, RefuseWhatHasNoMeaning) {
  FunctionCounts exclusive({{1, "a"}}, false), inclusive({{1, "a"}}, true);
  EXPECT_EQ(error_of([&] { exclusive + inclusive; }), "Cannot merge inclusive and exclusive counts.");
  EXPECT_EQ(error_of([&] { inclusive - exclusive; }), "Cannot merge inclusive and exclusive counts.");
  FunctionCounts huge({{INT64_MAX, "a"}}, false);
  EXPECT_EQ(error_of([&] { huge + exclusive; }), "a sum of function counts overflows 64 bits");
  EXPECT_EQ(error_of([&] { huge * 2; }), "a scaled function count overflows 64 bits");
  EXPECT_EQ(error_of([&] { huge * 2.0; }), "function count 9223372036854775807 times 2.000000 is not a 64-bit count");
}

TEST(FunctionCountsTest, DropNoiseGroupsWhenAsked) {
  FunctionCounts counts({{9, "a.cc:main [/bin/a]"},
                         {5, "malloc.c:malloc [/lib/libc.so.6]"},
                         {4, "arena.c:choose [/l/libjemalloc.so.2]"},
                         {2, "x.h:hash(int) [/bin/a]"}},
                        false);
  EXPECT_EQ(counts.without_noise_groups().rows(), (Rows{{9, "a.cc:main [/bin/a]"}, {2, "x.h:hash(int) [/bin/a]"}}));
}

TEST(FunctionFilterTest, NothingAskedForKeepsAll) {
  EXPECT_TRUE(FunctionFilter().keeps_all());
  EXPECT_TRUE(FunctionFilter({}, false).keeps_all());
  EXPECT_TRUE(FunctionFilter().keeps("dictobject.c", "lookdict_unicode"));
}

TEST(FunctionFilterTest, OnePatternFoundAnywhereInTheNameIsEnough) {
  const FunctionFilter filter({"^lex::", "free$"}, false);
  EXPECT_FALSE(filter.keeps_all());
  EXPECT_TRUE(filter.keeps("a.cc", "lex::next(char)"));
  EXPECT_TRUE(filter.keeps("", "__libc_free"));
  EXPECT_FALSE(filter.keeps("lex::file", "parse"));
}

TEST(FunctionFilterTest, DenoiseLeavesOutWhatPyTorchDoes) {
  const FunctionFilter filter({}, true);
  EXPECT_FALSE(filter.keeps("Objects/dictobject.c", "lookdict_unicode"));
  EXPECT_FALSE(filter.keeps("dictobject.c", "lookdict_unicode_nodummy"));
  EXPECT_TRUE(filter.keeps("other.c", "lookdict_unicode"));
  EXPECT_TRUE(filter.keeps("dictobject.c", "dict_merge"));
}

TEST(FunctionFilterTest, WhatIsNoExpressionIsSaid) {
  EXPECT_EQ(error_of([] { FunctionFilter({"a("}, false); }), "'a(' is not a regular expression (RE2): missing ): a(");
}

TEST(FunctionFilterTest, NamesAreBytes) { EXPECT_TRUE(FunctionFilter({"^f.g$"}, false).keeps("", "f\xffg")); }

TEST(FunctionFilterTest, DenoisePatternsAreBothAskedFor) {
  const FunctionFilter filter({"dict"}, true);
  EXPECT_FALSE(filter.keeps("Objects/dictobject.c", "lookdict_unicode"));
  EXPECT_TRUE(filter.keeps("Objects/dictobject.c", "dict_merge"));
  EXPECT_FALSE(filter.keeps("Objects/dictobject.c", "list_append"));
}

std::string message_of(std::vector<NameRule> rules) {
  return error_of(ErrorKind::kUsage, [&] { NameRules compiled(std::move(rules)); });
}

TEST(NameRulesTest, ApplyInTheirOrderToEveryMatch) {
  NameRules rules({{"one", "a+", "b"}, {"two", "b(.)", "<\\1>"}});
  EXPECT_EQ(rules.apply("aaxaay"), "<x><y>");
  EXPECT_EQ(rules.apply_one(0, "aaxaay"), "bxby");
  EXPECT_EQ(rules.apply_one(1, "bxby"), "<x><y>");
}

TEST(NameRulesTest, KeepBytesThatAreNotUtf8) {
  NameRules rules({{"path", "^.+/src/", "src/"}});
  EXPECT_EQ(rules.apply("/h\xffome/src/a\xfe.c"), "src/a\xfe.c");
}

TEST(NameRulesTest, NameTheRuleThatIsWrong) {
  EXPECT_EQ(message_of({{"bracket", "(a", "b"}}), "name rule 'bracket': (a: missing ): (a");
  EXPECT_EQ(message_of({{"group", "a", "\\1"}}),
            "name rule 'group': replacement '\\1': Rewrite schema requests 1 matches, but the regexp only has 0 "
            "parenthesized subexpressions.");
}

TEST(CompatibleRulesTest, AreTheFiveOfPyTorch) {
  ASSERT_EQ(compatible_rules().size(), 5u);
  EXPECT_EQ(compatible_rules().apply("/home/x/pytorch/build/../aten/A.cpp:at::add() [/l/libtorch.so]"),
            "build/../aten/A.cpp:at::add()");
  EXPECT_EQ(compatible_rules().apply("/home/x/cpython/Objects/dictobject.c:lookdict"), "Objects/dictobject.c:lookdict");
  EXPECT_EQ(compatible_rules().apply("a.c:f\xe2\x80\x89[l]"), "a.c:f");
  EXPECT_EQ(compatible_rules().apply("x [a]\n"), "x\n");
}

}  // namespace
}  // namespace icount
