#include "icount/base/problems.h"

#include <gtest/gtest.h>

#include "support/error_of.h"

namespace icount {
namespace {

TEST(ProblemsTest, APlaceIsToldAsFarAsItIsKnown) {
  EXPECT_EQ(to_text({"f", 3, 7}), "f:3:7");
  EXPECT_EQ(to_text({"f", 3, 0}), "f:3");
  EXPECT_EQ(to_text({"f", 0, 7}), "f");
  EXPECT_EQ(to_text({"", 3, 7}), "");
}

TEST(ProblemsTest, AreInTheOrderOfTheFilesAndTheirPlaces) {
  Problems problems;
  EXPECT_EQ(error_of([&] { problems.throw_if_any("it"); }), "no error");
  problems.add({"b", 9, 1}, "first file, last");
  problems.add({"a", 1, 1}, "second file");
  problems.add({"b", 2, 8}, "line 2, behind");
  problems.add({"b", 2, 3}, "line 2, before");
  problems.add({"b", 2, 3}, "line 2, before");
  problems.add({}, "nowhere");
  EXPECT_EQ(problems.size(), 6u);
  EXPECT_EQ(error_of(ErrorKind::kMalformed, [&] { problems.throw_if_any("two files"); }),
            "5 problems in two files:\nb:2:3: line 2, before\nb:2:8: line 2, behind\nb:9:1: first file, last\n"
            "a:1:1: second file\nnowhere");
}

TEST(ProblemsTest, OneIsToldAlone) {
  Problems problems;
  problems.add({"f", 1, 2}, "wrong");
  problems.add({"f", 1, 2}, "wrong");
  EXPECT_EQ(error_of(ErrorKind::kMalformed, [&] { problems.throw_if_any("f"); }), "f:1:2: wrong");
}

}  // namespace
}  // namespace icount
