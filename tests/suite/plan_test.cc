#include "icount/suite/plan.h"

#include "icount/base/error.h"

namespace icount {
namespace {

std::vector<Benchmark> some() {
  Definitions definitions;
  for (std::string name : {"add", "mul", "sub"}) {
    GroupedStmts stmts;
    stmts.py_stmt = "f()";
    stmts.cpp_stmt = "f();";
    stmts.num_threads = {1, 2};
    definitions.add(Label{"Math", name}, stmts);
  }
  return materialize(definitions, "some");
}

std::vector<std::string> names(const std::vector<Benchmark>& benchmarks) {
  std::vector<std::string> result;
  for (const Benchmark& benchmark : benchmarks) result.push_back(benchmark_name(benchmark));
  return result;
}

std::string usage_error(const PlanOptions& options) {
  try {
    select_benchmarks(some(), options, "some");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return "no error";
}

TEST(PlanTest, FiltersSearchTheNameThatIsShown) {
  EXPECT_EQ(names(select_benchmarks(some(), {.filter = "m.l / C\\+\\+"}, "some")),
            (std::vector<std::string>{"Math / mul / C++", "Math / mul / C++ [2 threads]"}));
  EXPECT_EQ(select_benchmarks(some(), {}, "some").size(), 12u);
  EXPECT_EQ(select_benchmarks(some(), {.languages = {Language::kPython}}, "some").size(), 6u);
}

TEST(PlanTest, ShardsSplitWithoutOverlap) {
  std::vector<std::string> all;
  for (int index = 1; index <= 5; ++index) {
    for (const std::string& name : names(select_benchmarks(some(), {.shard = {index, 5}}, "some"))) all.push_back(name);
  }
  EXPECT_EQ(all.size(), 12u);
  std::vector<std::string> expected = names(some());
  std::sort(all.begin(), all.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(all, expected);
}

TEST(PlanTest, NothingLeftIsAnError) {
  EXPECT_EQ(usage_error({.filter = "div", .languages = {Language::kCpp}}),
            "nothing to run: of the 12 benchmarks of suite some none passes the filter \"div\", language c++; `icount "
            "suite list` shows their names");
}

TEST(PlanTest, ABadExpressionIsAnError) {
  EXPECT_EQ(usage_error({.filter = "a("}), "the filter \"a(\" is not a regular expression: missing ): a(");
}

TEST(PlanTest, ShardTexts) {
  EXPECT_EQ(parse_shard("2/4").index, 2);
  EXPECT_EQ(parse_shard("2/4").count, 4);
  for (std::string_view bad : {"", "2", "0/4", "5/4", "a/b", "1/2/3", "1/0"})
    EXPECT_THROW(parse_shard(bad), Error) << bad;
}

TEST(PlanTest, OversizeThreadRequestsAreNamedAllAtOnce) {
  check_threads(some(), 2);
  try {
    check_threads(some(), 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what())
                    .starts_with("more threads than the 1 available cores (leave these benchmarks out with --filter, "
                                 "or allow more with --cores):\n\"Math / add / Python\" needs 2 threads\n"))
        << error.what();
  }
}

}  // namespace
}  // namespace icount
