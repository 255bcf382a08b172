#include "icount/stats/callgrind_stats.h"

#include <gtest/gtest.h>

#include "icount/base/error.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

using Rows = std::vector<FunctionCount>;

CallgrindStats stats_of(Rows exclusive, int64_t runs = 1) {
  CallgrindStats::Parts parts;
  parts.number_per_run = runs;
  parts.stmt_exclusive = FunctionCounts(std::move(exclusive), false);
  return CallgrindStats(std::move(parts));
}

std::string delta_error(const CallgrindStats& a, const CallgrindStats& b) {
  try {
    a.delta(b);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kCannotJudge);
    return error.what();
  }
  return "no error";
}

TEST(CallgrindStatsTest, DeltaOfUnequalRunsIsRefusedOrScaledButNeverSilent) {
  CallgrindStats ten = stats_of({{1000, "f"}, {10, "g"}}, 10);
  CallgrindStats three = stats_of({{299, "f"}, {4, "h"}}, 3);
  EXPECT_EQ(delta_error(ten, three),
            "delta of counts for 10 runs and for 3 runs: use the same number of runs on both sides, or request scaled "
            "counts");
  // 299 * 10 / 3 = 996.67 and 4 * 10 / 3 = 13.33, each rounded.
  EXPECT_EQ(ten.delta(three, false, UnequalRuns::kScale).rows(), (Rows{{10, "g"}, {3, "f"}, {-13, "h"}}));
  EXPECT_EQ(ten.delta(three, false, UnequalRuns::kIgnore).rows(), (Rows{{701, "f"}, {10, "g"}, {-4, "h"}}));
  EXPECT_EQ(ten.delta(ten).rows(), Rows{});
}

TEST(CallgrindStatsTest, PerRunFiguresDivideByTheNumberOfRuns) {
  EXPECT_EQ(stats_of({{30, "f"}, {5, "g"}}, 10).counts(), 35);
  EXPECT_DOUBLE_EQ(stats_of({{30, "f"}, {5, "g"}}, 10).counts_per_run(), 3.5);
  EXPECT_THROW(stats_of({}, 0), Error);
}

TEST(CallgrindStatsTest, BetterStandardisationSeesFileFunctionAndObjectApart) {
  CallgrindStats stats =
      stats_of({{8, "/home/me/pytorch/build/../aten/A.cpp:f() [clone .isra.0] [/opt/Python/3.9/lib/x.so]"},
                {4, "./malloc/./malloc/malloc.c:malloc [/usr/lib/libc.so.6]"},
                {2, "a.c:g [/opt/Python/3.9/lib/x.so]"}});
  EXPECT_EQ(stats.as_standardized(standard_file_rules()).stats().rows(),
            (Rows{{8, "build/../aten/A.cpp:f() [clone .isra.0] [x.so]"},
                  {4, "malloc/malloc.c:malloc [libc.so.6]"},
                  {2, "a.c:g [x.so]"}}));
  // The compatible form falls into the object path and loses the clone tag.
  EXPECT_EQ(stats.as_standardized().stats().rows(),
            (Rows{{10, "Python/3.9/lib/x.so]"}, {4, "./malloc/./malloc/malloc.c:malloc"}}));
}

TEST(CallgrindStatsTest, TwoBuildFoldersOfOneProjectLeaveNoDifference) {
  CallgrindStats base = stats_of(
      {{8, "/home/a/proj/src/x.cc:f() [/home/a/bin/prog]"}, {3, "/home/a/proj/src/y.cc:g() [/home/a/bin/prog]"}});
  CallgrindStats head =
      stats_of({{9, "/ci/7/src/x.cc:f() [/ci/7/out/prog]"}, {3, "/ci/7/src/y.cc:g() [/ci/7/out/prog]"}});
  auto [a, b] = standardized_together(base, head);
  EXPECT_EQ(b.delta(a).rows(), (Rows{{1, "/home/a/proj/src/x.cc:f() [prog]"}}));
}

TEST(MakeFunctionCountsTest, KeepsAFunctionThatHoldsEverything) {
  CostGraph graph;
  graph.events = {"Ir"};
  graph.functions.push_back(
      {graph.strings.intern("only"), graph.strings.intern("a.c"), graph.strings.intern("/bin/a")});
  graph.self = {42};
  graph.totals = {42};
  EXPECT_EQ(make_function_counts(graph, 0, false).rows(), (Rows{{42, "a.c:only [/bin/a]"}}));
  EXPECT_EQ(make_function_counts(graph, 0, true).rows(), (Rows{{42, "a.c:only [/bin/a]"}}));
}

TEST(CallgrindStatsTest, FunctionsWithoutACostHaveNoRow) {
  const CostGraph graph = GraphBuilder()
                              .in("a.c")
                              .function("main", 5)
                              .function("f", 0)
                              .calls("main", "f", 2, 7)
                              .function("g", 7)
                              .calls("f", "g", 2, 7)
                              .graph();
  EXPECT_EQ(make_function_counts(graph, 0, false).rows(), (Rows{{7, "a.c:g [prog]"}, {5, "a.c:main [prog]"}}));
  EXPECT_EQ(make_function_counts(graph, 0, true).rows(),
            (Rows{{12, "a.c:main [prog]"}, {7, "a.c:g [prog]"}, {7, "a.c:f [prog]"}}));
}

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
