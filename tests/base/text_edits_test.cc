#include "icount/base/text_edits.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  replace_all(text, from, to);
  return text;
}

TEST(ReplaceAllTest, EveryPlaceFromLeftToRight) {
  EXPECT_EQ(replaced("a-b-c", "-", "+"), "a+b+c");
  EXPECT_EQ(replaced("aaa", "aa", "b"), "ba");
  EXPECT_EQ(replaced("abab", "ab", ""), "");
  EXPECT_EQ(replaced("none", "x", "y"), "none");
  EXPECT_EQ(replaced("", "x", "y"), "");
}

TEST(ReplaceAllTest, WhatWasPutInIsNotLookedAtAgain) {
  EXPECT_EQ(replaced("a", "a", "aa"), "aa");
  EXPECT_EQ(replaced("aXb", "X", "XX"), "aXXb");
  EXPECT_EQ(replaced("aab", "ab", "b"), "ab") << "nor together with what stood before it";
}

TEST(EditDistanceTest, InsertionsDeletionsAndReplacements) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("same", "same"), 0u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("flaw", "lawn"), 2u);
  EXPECT_EQ(edit_distance("ab", "ba"), 2u) << "no transpositions";
  EXPECT_EQ(edit_distance("sunday", "saturday"), edit_distance("saturday", "sunday"));
}

TEST(NearestWordTest, OnlyWhatIsNear) {
  EXPECT_EQ(nearest_word("shwo", {"show", "diff"}), "show");
  EXPECT_EQ(nearest_word("xyzzy", {"show", "diff"}), "");
  EXPECT_EQ(nearest_word("--call", {"--callers", "--top"}), "--callers");
  EXPECT_EQ(nearest_word("--output", {"--top", "--out"}), "--out");
  EXPECT_EQ(nearest_word("stmt", {"cpp_stmt", "label", "py_stmt"}), "cpp_stmt");
  EXPECT_EQ(nearest_word("--to", {"--torch-dirs"}), "") << "two letters begin many words";
}

}  // namespace
}  // namespace icount
