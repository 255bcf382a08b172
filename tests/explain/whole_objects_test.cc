// Causes that are joined because an object was built with link-time optimisation.
#include "icount/explain/claims/relations.h"
#include "icount/report/cause_sentence.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "joined_pair.h"

namespace icount {
namespace {

/// scan of /bin/prog calls five functions of another file, which one side inlined.
class WholeObjectsTest : public testing::Test {
 protected:
  static GraphBuilder graph() {
    GraphBuilder built;
    built.in("scan.c", "/bin/prog").function("scan", 100).in("list.c", "/bin/prog");
    for (int i = 0; i < 5; ++i) {
      const std::string name = fmt::format("f{}", i);
      built.function(name, 10).calls("scan", name, 5);
    }
    return built;
  }
  static GroupedCause cause(int64_t delta, std::array<std::string_view, 2> objects) {
    GroupedCause made{{.delta = delta, .facts = fact::Said{fmt::format("{}", delta)}}, {}, objects};
    return made;
  }
  static std::vector<GroupedCause> joined(std::vector<GroupedCause> causes, bool into_caller = true) {
    const JoinedPair pair(graph(), graph());
    InliningMove move;
    move.caller = pair.node("scan");
    move.into_caller = into_caller;
    for (int i = 0; i < 5; ++i) move.lost_edges.push_back(pair.edge("scan", fmt::format("f{}", i)));
    join_other_builds(pair.joined, pair.flow, {move}, causes);
    return causes;
  }
};

TEST_F(WholeObjectsTest, AllThatHappensBecomesOneCause) {
  const auto one = joined({cause(60, {"/bin/prog", "/bin/prog"}), cause(-40, {"/lib/a.so", "/lib/a.so"})});
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].cause.kind, CauseKind::kSum);
  EXPECT_EQ(one[0].cause.delta, 20);
  EXPECT_EQ(one[0].cause.function, "prog");
  EXPECT_EQ(cause_sentence(one[0].cause),
            "`prog` is now built with link-time optimisation: 5 functions are now inlined into other files' functions");
  ASSERT_EQ(one[0].cause.inside.size(), 2u);
  EXPECT_EQ(cause_sentence(one[0].cause.inside[0]), "60");
  EXPECT_EQ(cause_sentence(joined({cause(60, {"/bin/prog", ""})}, false).at(0).cause),
            "`prog` is no longer built with link-time optimisation: 5 functions are no longer inlined into other "
            "files' functions");
}

TEST_F(WholeObjectsTest, WhereHalfOfItHappensThere) {
  const std::array<std::string_view, 2> there = {"/bin/prog", "/bin/prog"}, elsewhere = {"/lib/a.so", "/lib/a.so"};
  EXPECT_EQ(joined({cause(50, there), cause(-50, elsewhere)}).size(), 1u);
  EXPECT_EQ(joined({cause(49, there), cause(-51, elsewhere)}).size(), 2u);
  EXPECT_EQ(joined({cause(-50, {"/bin/prog", ""}), cause(50, elsewhere)}).size(), 1u) << "on one side";
  EXPECT_EQ(joined({cause(-50, {"", "/bin/prog"}), cause(50, elsewhere)}).size(), 1u);
  EXPECT_TRUE(joined({}).empty());
}

/// Twenty-four functions of three lines each, of which some run lines that the others do not, or cost more on their
/// ends.
struct Build {
  int with_more_lines = 0, with_dearer_ends = 0;
  uint64_t moved = 0;  ///< by so many lines
  int alone = 0;       ///< functions that this build has beside the twenty-four
  std::string_view alone_names = "g";
};

CostGraph built(const Build& how) {
  GraphBuilder graph;
  graph.in("main.c", "/bin/prog").line("main", "main.c", 3, 100);
  for (int i = 0; i < 24; ++i) {
    const std::string name = fmt::format("f{}", i), file = fmt::format("f{}.c", i);
    const int64_t ends = i < how.with_dearer_ends ? 60 : 40;
    graph.in(file, "/bin/prog");
    graph.line(name, file, 10 + how.moved, ends).line(name, file, 12 + how.moved, 200);
    graph.line(name, file, 14 + how.moved, ends).calls("main", name, 20);
    if (i < how.with_more_lines) graph.line(name, file, 11 + how.moved, 40);
  }
  for (int i = 0; i < how.alone; ++i) {
    const std::string name = fmt::format("{}{}", how.alone_names, i);
    graph.in("small.c", "/bin/prog").line(name, "small.c", static_cast<uint64_t>(i + 1), 30).calls("f0", name, 5);
  }
  return graph.graph();
}

std::string first_sentence(const Build& base, const Build& head) {
  return cause_sentence(explain(built(base), built(head)).causes.at(0));
}

TEST(OtherBuildTest, SameSourceWithMoreLinesInManyFunctionsHasAssertions) {
  const std::string end = ": 8 of the 25 functions in both builds changed in cost";
  EXPECT_EQ(first_sentence({}, {.with_more_lines = 8}),
            "`prog` was built differently (probably with assertions, without -DNDEBUG)" + end);
  EXPECT_EQ(first_sentence({.with_more_lines = 8}, {}),
            "`prog` was built differently (probably without assertions, with -DNDEBUG)" + end);
  EXPECT_EQ(first_sentence({}, {.with_dearer_ends = 8}),
            "`prog` was built differently (probably with -fstack-protector)" + end);
  EXPECT_EQ(first_sentence({.with_dearer_ends = 8}, {}),
            "`prog` was built differently (probably without -fstack-protector)" + end);
}

TEST(OtherBuildTest, FunctionsThatTheOtherSideInlinesAreABuildWithoutOptimisation) {
  const auto guessed = [](const Build& base, const Build& head, std::string_view guess) {
    return first_sentence(base, head).find(guess) != std::string::npos;
  };
  const Build dearer{.with_dearer_ends = 24};
  Build head = dearer;
  head.alone = 60;
  EXPECT_TRUE(guessed({}, head, "(probably without optimisation)"));
  EXPECT_TRUE(guessed(head, {}, "(probably with optimisation, was without)"));
  EXPECT_FALSE(guessed({.alone = 20, .alone_names = "h"}, head, "optimisation")) << "both have their own";
  head.alone = 10;
  EXPECT_FALSE(guessed({}, head, "optimisation")) << "fewer than the functions of both";
}

TEST(OtherBuildTest, OtherSourceOrFewFunctionsAreNoBuild) {
  EXPECT_EQ(first_sentence({}, {.with_more_lines = 7}).find("differently"), std::string::npos);
  EXPECT_EQ(first_sentence({}, {.with_more_lines = 8, .moved = 2}).find("differently"), std::string::npos);
}

}  // namespace
}  // namespace icount
