// [[programs]]: from the file to benchmarks, and from counted programs to results, with a scripted count. The real
// thing is tests/cli/suite_programs.test.
#include "icount/suite/run_programs.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/suite/definition_file.h"
#include "icount/suite/plan.h"
#include "support/error_of.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::vector<std::string> lines_of(const Suite& suite) {
  std::vector<std::string> lines;
  for (const Benchmark& benchmark : materialize_suite(suite)) {
    std::string line = benchmark_name(benchmark) + ":";
    for (const std::string& word : benchmark.program->run.command) line += " " + word;
    if (!benchmark.program->region.empty()) line += " @" + benchmark.program->region;
    lines.push_back(line);
  }
  return lines;
}

std::string message_of(const std::string& text) {
  return error_of(ErrorKind::kMalformed, [&] { parse_suite(text, "s.toml"); });
}

TEST(ProgramsTest, OneBenchmarkForEachCombinationAndRegionTheLastParameterFastest) {
  const Suite suite = parse_suite(R"(
build = "make"
[[programs]]
label = "sort"
command = ["./app", "{size}", "-d{depth}"]
sizes = [10, 20]
parameters = { depth = [1, 2] }
[[programs]]
label = ["of {kind}", "end"]
command = ["./app", "{kind}"]
parameters = { kind = "a" }
regions = ["parse", "print {kind}"]
)",
                                  "s.toml");
  EXPECT_EQ(lines_of(suite), (std::vector<std::string>{
                                 "sort / size 10 / depth 1: ./app 10 -d1", "sort / size 10 / depth 2: ./app 10 -d2",
                                 "sort / size 20 / depth 1: ./app 20 -d1", "sort / size 20 / depth 2: ./app 20 -d2",
                                 "of a / end / parse: ./app a @parse", "of a / end / print a: ./app a @print a"}));
  ASSERT_EQ(suite.build.size(), 1u);
  EXPECT_EQ(suite.build[0].command, "make");
}

TEST(ProgramsTest, PatternsOfFilesAreThoseBesideTheSuiteByName) {
  const ScratchDir folder;
  for (const char* name : {"b.json", "a.json", "c.txt"}) save_file(folder.path() / name, "");
  save_file(folder.path() / "s.toml", "[[programs]]\nlabel = 'parse'\ncommand = ['cat', '{file}']\nfiles = '*.json'\n");
  const Suite suite = load_suite(folder.path() / "s.toml");
  EXPECT_EQ(lines_of(suite), (std::vector<std::string>{"parse / a.json: cat a.json", "parse / b.json: cat b.json"}));
  EXPECT_EQ(materialize_suite(suite)[0].program->run.folder, folder.path());
}

TEST(ProgramsTest, WhatIsWrongIsSaidWithItsPlace) {
  const std::string head = "[[programs]]\nlabel = 'p'\n";
  EXPECT_PRED2(holds, message_of(head), "\"p\": no command");
  EXPECT_PRED2(holds, message_of(head + "command = './app 1'\n"), "s.toml:3:11: 'command' is a list");
  EXPECT_PRED2(holds, message_of(head + "command = ['x', '{file}']\nfiles = 'none-*'\n"),
               ("s.toml:4:9: no file matches \"none-*\""));
  EXPECT_PRED2(holds, message_of(head + "command = ['x']\nsizes = [1]\n"),
               ("uses the parameter \"size\": {size} stands for its value"));
  EXPECT_PRED2(holds, message_of(head + "command = ['x', '{size}']\nsizes = [1, 1]\n"), "value 1 twice");
  EXPECT_PRED2(holds, message_of(head + "command = ['x', '{size}']\nsizes = [[1]]\n"), "is an array");
  EXPECT_PRED2(holds, message_of(head + "command = ['x', '{size}']\nsizes = []\n"), "has no values");
  EXPECT_PRED2(holds, message_of(head + "command = ['x']\nregions = ['a', 'a']\n"), "named twice");
  EXPECT_PRED2(holds, message_of(head + "command = ['x']\nexit_code = 300\n"), "300");
  EXPECT_PRED2(holds, message_of(head + "command = ['x']\ninptu = 'f'\n"), "'inptu'");
}

TEST(ProgramsTest, ALanguageLeavesProgramsOut) {
  const Suite suite =
      parse_suite("[[programs]]\nlabel = 'p'\ncommand = ['x']\n[[stmts]]\nlabel = 's'\ncpp_stmt = 'f();'\n", "s.toml");
  const std::vector<Benchmark> all = materialize_suite(suite);
  EXPECT_EQ(select_benchmarks(all, {}, "s").size(), 2u);
  const std::vector<Benchmark> chosen = select_benchmarks(all, {.languages = {Language::kCpp}}, "s");
  ASSERT_EQ(chosen.size(), 1u);
  EXPECT_FALSE(chosen[0].program);
}

CostGraph graph_of(int64_t cost) {
  CostGraph graph;
  graph.events = {"Ir"};
  graph.totals = {cost};
  return graph;
}

ProgramCount counted(int64_t cost, int exit_code) {
  ProgramCount count;
  count.outcome.end = ProcessOutcome::End::kExited;
  count.outcome.exit_code = exit_code;
  count.graph = graph_of(cost);
  return count;
}

struct Ran {
  std::vector<Result> results;
  int runs = 0;
};

Ran run(const std::string& text, const std::function<ProgramCount()>& count) {
  const std::vector<Benchmark> benchmarks = materialize_suite(parse_suite(text, "s.toml"));
  Ran ran;
  ran.results.resize(benchmarks.size());
  std::vector<size_t> all;
  for (size_t i = 0; i < benchmarks.size(); ++i) all.push_back(i);
  RunProgramsOptions options;
  options.collect.jobs = 1;
  options.collect.repeats = 2;
  options.on_result = [&](size_t i, Result result, const StatementFiles&) { ran.results[i] = std::move(result); };
  options.stopped = [] { return false; };
  run_programs(benchmarks, all, options, [&](const std::vector<std::string>&, const ProgramCountOptions&) {
    ++ran.runs;
    return count();
  });
  return ran;
}

TEST(ProgramsTest, RegionsOfOneRunShareItAndAMissingOneIsSaid) {
  const Ran ran = run("[[programs]]\nlabel = 'p'\ncommand = ['x']\nregions = ['a', 'b']\n", [] {
    ProgramCount count = counted(100, 0);
    count.regions.regions = {{"a", 3, graph_of(30)}};
    return count;
  });
  EXPECT_EQ(ran.runs, 2) << "one for each repeat";
  EXPECT_EQ(ran.results[0].counts, (std::vector<int64_t>{30, 30}));
  EXPECT_EQ(ran.results[0].entries, 3);
  EXPECT_EQ(result_label(ran.results[0]), "p / a");
  EXPECT_EQ(ran.results[1].status, "no-region");
  EXPECT_PRED2(holds, ran.results[1].error, "it named a");
}

TEST(ProgramsTest, AnotherExitCodeThanTheExpectedOneIsAFailureWithoutAFigure) {
  const std::string text = "[[programs]]\nlabel = 'p'\ncommand = ['x']\nexit_code = 3\n";
  const Ran good = run(text, [] { return counted(100, 3); });
  EXPECT_TRUE(good.results[0].ok());
  EXPECT_EQ(good.results[0].counts.size(), 2u);
  const Ran bad = run(text, [] { return counted(100, 0); });
  EXPECT_EQ(bad.results[0].status, "exited");
  EXPECT_PRED2(holds, bad.results[0].error, "instead of exit status 3");
  EXPECT_TRUE(bad.results[0].counts.empty());
  const Ran none = run(text, []() -> ProgramCount { throw Error(ErrorKind::kTool, "no such program"); });
  EXPECT_EQ(none.results[0].status, "tool-failed");
}

// What ctest lists becomes programs, or is refused with the reason.

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
