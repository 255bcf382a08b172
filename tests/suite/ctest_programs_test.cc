// What ctest lists becomes programs, or is refused with the reason.
#include "icount/suite/ctest_programs.h"

#include <gtest/gtest.h>

#include "support/error_of.h"

namespace icount {
namespace {

constexpr std::string_view kList = R"({"kind": "ctestInfo", "tests": [
  {"name": "plain", "command": ["/b/run", "--fast"],
   "properties": [{"name": "WORKING_DIRECTORY", "value": "/b"}, {"name": "ENVIRONMENT", "value": ["A=1", "B=2"]}]},
  {"name": "not built", "properties": []},
  {"name": "off", "command": ["/b/run"], "properties": [{"name": "DISABLED", "value": true}]},
  {"name": "must fail", "command": ["/b/run"], "properties": [{"name": "WILL_FAIL", "value": true}]},
  {"name": "by output", "command": ["/b/run"], "properties": [{"name": "PASS_REGULAR_EXPRESSION", "value": ["ok"]}]},
  {"name": "moves", "command": ["/b/move"]}]})";

TEST(CtestProgramsTest, EachTestThatPassesByItsExitStatusIsAProgram) {
  const CtestPrograms programs = parse_ctest(kList, "list");
  ASSERT_EQ(programs.benchmarks.size(), 2u);
  const ProgramRun& run = programs.benchmarks[0].program->run;
  EXPECT_EQ(run.command, (std::vector<std::string>{"/b/run", "--fast"}));
  EXPECT_EQ(run.environment, (std::vector<std::string>{"A=1", "B=2"}));
  EXPECT_EQ(run.folder, "/b");
  ASSERT_EQ(programs.refused.size(), 4u);
  EXPECT_EQ(programs.refused[0].reason, "its program is not built");
  EXPECT_EQ(programs.refused[3].reason, "its output decides whether it passes (PASS_REGULAR_EXPRESSION)");
  EXPECT_NE(error_of(ErrorKind::kMalformed, [] { parse_ctest("{}", "list"); }).find("list"), std::string::npos);
}

TEST(CtestProgramsTest, EachProgramIsCountedAndClassified) {
  RunProgramsOptions options;
  options.collect.repeats = 2;
  options.stopped = [] { return false; };
  int64_t counted = 1000;
  options.collect.jobs = 1;
  const BenchCount count =
      count_ctest(parse_ctest(kList, "list"), options, [&](const std::vector<std::string>& argv, const auto&) {
        ProgramCount program;
        program.outcome.end = ProcessOutcome::End::kExited;
        program.graph.events = {"Ir"};
        program.graph.totals = {argv[0] == "/b/move" ? counted *= 2 : 500};
        program.processes = {{.argv = argv, .status = "done", .graph = program.graph}};
        return program;
      });
  ASSERT_EQ(count.results.size(), 2u);
  EXPECT_EQ(count.results[0].counts, (std::vector<int64_t>{500, 500}));
  EXPECT_EQ(result_key(count.results[0]), "plain");
  EXPECT_TRUE(is_test(count.results[0]));
  EXPECT_EQ(count.results[1].status, kNotGateable);
}

}  // namespace
}  // namespace icount
