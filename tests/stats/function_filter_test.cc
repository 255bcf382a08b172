#include "icount/stats/function_filter.h"

#include <gtest/gtest.h>

#include "support/error_of.h"

namespace icount {
namespace {

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

}  // namespace
}  // namespace icount
