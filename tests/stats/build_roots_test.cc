#include "icount/stats/build_roots.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

TEST(BuildRootsTest, AreFoundByComparingBothSides) {
  std::vector<std::string_view> base{"/home/a/proj/src/x.cc", "/home/a/proj/src/y.cc", "/home/a/proj/include/x.h",
                                     "/usr/include/c++/12/vector", "???"};
  std::vector<std::string_view> head{"/ci/42/src/x.cc", "/ci/42/src/y.cc", "/ci/42/include/x.h",
                                     "/usr/include/c++/12/vector", "???"};
  std::vector<RootPair> roots = find_build_roots(base, head);
  ASSERT_EQ(roots, (std::vector<RootPair>{{"/home/a/proj/", "/ci/42/"}}));
  EXPECT_EQ(to_base_root("/ci/42/src/x.cc", roots), "/home/a/proj/src/x.cc");
  EXPECT_EQ(to_base_root("/ci/42/src/new.cc", roots), "/home/a/proj/src/new.cc");
  EXPECT_EQ(to_base_root("/usr/include/c++/12/vector", roots), "/usr/include/c++/12/vector");
}

TEST(BuildRootsTest, PutThePairThatSettlesMostFirst) {
  std::vector<std::string_view> base{"/a/lib/p.c", "/b/src/x.c", "/b/src/y.c"};
  std::vector<std::string_view> head{"/c/lib/p.c", "/d/src/x.c", "/d/src/y.c"};
  EXPECT_EQ(find_build_roots(base, head), (std::vector<RootPair>{{"/b/", "/d/"}, {"/a/", "/c/"}}));
}

TEST(BuildRootsTest, DoNotGuessBetweenEqualCandidates) {
  std::vector<std::string_view> base{"/a/one/x.c"};
  std::vector<std::string_view> head{"/b/two/x.c", "/b/three/x.c"};
  EXPECT_TRUE(find_build_roots(base, head).empty());
  std::vector<std::string_view> one{"/a/src/x.c"}, two{"/b/src/x.c", "/c/src/x.c"};
  EXPECT_TRUE(find_build_roots(one, two).empty());
}

TEST(BuildRootsTest, KnowRelativeAndAbsoluteSpellings) {
  std::vector<std::string_view> base{"/proj/src/x.c", "/proj/src/y.c"};
  std::vector<std::string_view> head{"src/x.c", "src/y.c"};
  std::vector<RootPair> roots = find_build_roots(base, head);
  ASSERT_EQ(roots, (std::vector<RootPair>{{"/proj/", ""}}));
  EXPECT_EQ(to_base_root("src/z.c", roots), "/proj/src/z.c");
  EXPECT_EQ(to_base_root("/usr/x.h", roots), "/usr/x.h");
}

TEST(BuildRootsTest, AreNoneForEqualSides) {
  std::vector<std::string_view> files{"/a/x.c", "/a/y.c"};
  EXPECT_TRUE(find_build_roots(files, files).empty());
}

TEST(BuildRootsTest, AFileNameAloneCountsWhereItIsTheOnlyOne) {
  const std::vector<std::string_view> base{"/a/x"}, head{"/b/x"}, two{"/a/x", "/c/x"};
  EXPECT_EQ(find_build_roots(base, head), (std::vector<RootPair>{{"/a/", "/b/"}}));
  EXPECT_TRUE(find_build_roots(two, head).empty());
}

}  // namespace
}  // namespace icount
