// Benchmark binaries as they are, counted: every form that a framework knows, cases that fail, binaries that are none.
#include "icount/timer/count_bench.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/callgrind/installed_valgrind.h"
#include "icount/stats/result.h"
#include "support/places.h"
#include "timer/collect_fixture.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

/// A program of tests/testdata/programs as the build has made it; empty where its library is not installed.
fs::path built_program(std::string_view name) {
  const fs::path program = fs::path(binary_dir()) / "tests/programs" / name;
  return fs::exists(program) ? program : fs::path();
}

class CountBenchTest : public testing::Test {
 protected:
  void SetUp() override {
    ICOUNT_NEEDS("valgrind");
    binary_ = built_program("google_cases");
    if (binary_.empty()) GTEST_SKIP() << "no Google Benchmark here";
  }
  BenchOptions options(std::vector<std::string> arguments = {}) const {
    BenchOptions options;
    options.argv = {binary_.string()};
    options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
    options.environment = current_environment();
    options.time_limit = Seconds(600);
    return options;
  }

  fs::path binary_;
};

const Result& find(const BenchCount& count, const std::string& label) {
  for (const Result& result : count.results)
    if (result_label(result) == label) return result;
  throw Error(ErrorKind::kMalformed, "no case " + label);
}

double slope(const BenchCount& count, const std::string& label) { return find(count, label).slope.value_or(-1); }

std::map<std::string, std::vector<int64_t>> counts_of(const BenchCount& count) {
  std::map<std::string, std::vector<int64_t>> counts;
  for (const Result& result : count.results) counts[result_label(result)] = result.counts;
  return counts;
}

TEST_F(CountBenchTest, EveryFormOfGoogleBenchmarkIsCountedPerIteration) {
  const BenchCount count = count_bench(options());
  EXPECT_EQ(count.framework, "google-benchmark");
  ASSERT_EQ(count.results.size(), 29u);
  for (const Result& result : count.results) EXPECT_TRUE(result.ok()) << result_label(result) << result.error;
  const double loop = slope(count, "BM_nops<10>") - 10;  // what the range-for itself costs
  EXPECT_GE(loop, 1);
  EXPECT_LE(loop, 4);
  EXPECT_EQ(slope(count, "BM_nops<110>"), loop + 110);
  EXPECT_NEAR(slope(count, "odd/name<with>,all:kinds (of) [signs]"), loop + 90, 0.5);
  EXPECT_NEAR(slope(count, "BM_nops<20>/repeats:1"), loop + 20, 0.5);
  EXPECT_NEAR(slope(count, "BM_nops<30>/repeats:2"), loop + 30, 0.5);
  EXPECT_NEAR(slope(count, "BM_nops<40>/repeats:5"), loop + 40, 0.5);
  EXPECT_NEAR(slope(count, "BM_nops<140>/repeats:4"), loop + 140, 0.5) << "it reports aggregates only";
  EXPECT_NEAR(slope(count, "BM_nops<150>"), loop + 150, 0.5) << "Setup and Teardown get a State, too";
  EXPECT_NEAR(slope(count, "BM_nops<60>/iterations:7"), loop + 60, 0.5);
  EXPECT_NEAR(slope(count, "BM_nops<80>/min_time:0.010"), loop + 80, 0.5);
  EXPECT_NEAR(slope(count, "BM_keep_running"), loop + 110, 4);
  EXPECT_NEAR(slope(count, "BM_batch"), 100, 2);   // 800 nops for 8 iterations
  EXPECT_NEAR(slope(count, "BM_pause"), 110, 20);  // not the 2,000 nops and the vector
  EXPECT_NEAR(slope(count, "lambda/3") - slope(count, "lambda/2"), slope(count, "lambda/2") - slope(count, "lambda/1"),
              0.5);
  EXPECT_EQ(find(count, "BM_nops<60>/iterations:7").number_per_run, 7);
  EXPECT_EQ(find(count, "BM_nops<50>/iterations:1").number_per_run, 1);
  EXPECT_FALSE(find(count, "BM_nops<50>/iterations:1").slope);
  EXPECT_GT(slope(count, "Filled/copy/1000"), slope(count, "Filled/copy/64"));
  EXPECT_GT(slope(count, "BM_captured/long_text"), 100);
  ASSERT_EQ(count.refused.size(), 1u);
  EXPECT_EQ(count.refused[0].label, "BM_nops<70>/threads:2");
  EXPECT_NE(count.refused[0].reason.find("2 threads"), std::string::npos);
  const Json extra = parse_json(find(count, "Filled/copy/1000").extra, "extra");
  EXPECT_EQ(extra["counters"].dump(), R"({"depth":7.0,"items":1000.0,"rate":12.0})");
  ASSERT_EQ(count.complexities.size(), 1u);
  EXPECT_EQ(count.complexities[0].label, "BM_linear");
  EXPECT_EQ(count.complexities[0].big_o, "N");
  EXPECT_NEAR(count.complexities[0].coefficient, 53, 2);
}

TEST_F(CountBenchTest, CountsAreTheSameInAnyFolderAndAlone) {
  BenchOptions some = options();
  some.filter = "copy/64|captured|linear/16$|nops<110>|grow|blocks";
  const auto first = counts_of(count_bench(some));
  some.repeats = 2;
  const BenchCount twice = count_bench(some);
  for (const Result& result : twice.results) EXPECT_EQ(count_spread(result), 0) << result_label(result);
  const ScratchDir folder("icount-a-longer-name-than-the-first");
  fs::copy_file(binary_, folder.path() / "moved");
  some.argv[0] = (folder.path() / "moved").string();
  some.repeats = 1;
  some.environment.set("SOME_VARIABLE_THAT_IS_NOT_THERE_OTHERWISE", std::string(1000, 'x'));
  EXPECT_EQ(counts_of(count_bench(some)), first);
  some.isolate = true;
  const BenchCount alone = count_bench(some);
  EXPECT_EQ(counts_of(alone), first) << "no case meets what an earlier one left on the heap";
  some.isolate = false;
  some.filter = "blocks/2";
  EXPECT_EQ(count_bench(some).results.at(0).counts, first.at("BM_blocks/2")) << "nor what cases left that did not run";
}

TEST_F(CountBenchTest, ListedCasesAreThoseThatAreCountedAndAChoiceOfThemCountsTheSame) {
  BenchOptions some = options();
  const BenchList list = list_bench(some);
  EXPECT_EQ(list.labels.size(), 29u);
  ASSERT_EQ(list.refused.size(), 1u);
  some.only = {{"BM_nops<110>"}, {"lambda/2"}};
  const BenchCount count = count_bench(some);
  ASSERT_EQ(count.results.size(), 2u);
  EXPECT_EQ(result_label(count.results[0]), "BM_nops<110>");
  EXPECT_EQ(slope(count, "lambda/2"), 32);
}

TEST_F(CountBenchTest, TheGraphHoldsTheCaseAndNothingAroundIt) {
  BenchOptions one = options();
  one.filter = "^BM_pause$";
  const BenchCount count = count_bench(one);
  const CostGraph& graph = *count.results.at(0).graph;
  check_cost_graph(graph);
  EXPECT_EQ(graph.totals[0], count.results[0].counts[0]);
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) {
    EXPECT_EQ(graph.object(f).find("bench_hooks"), std::string::npos);
    EXPECT_NE(graph.name(f), "main");
    EXPECT_EQ(graph.name(f).find("operator new"), std::string::npos) << "the vector is made while the timing pauses";
  }
}

TEST_F(CountBenchTest, AllocationsAreThoseOfTheLoopAlone) {
  BenchOptions some = options();
  some.filter = "BM_pause|BM_nops<10>$";
  const BenchCount count = count_bench(some);
  EXPECT_EQ(find_figure(find(count, "BM_nops<10>"), "allocations"), 0) << "so few instructions are a whole count, too";
  EXPECT_EQ(find_figure(find(count, "BM_pause"), "allocations"), 0);
  const Result& alike = find(count, "BM_pause_alike");
  EXPECT_EQ(find_figure(alike, "allocations"), 6 * 100) << "calls in a pause are none of the loop's";
  EXPECT_EQ(find_figure(alike, "frees"), 6 * 100);
  check_cost_graph(*alike.graph);
  EXPECT_EQ(alike.graph->totals[0], alike.counts[0]);
  EXPECT_NEAR(*find(count, "BM_pause_often").slope, 330, 40) << "300 pauses";
  EXPECT_FALSE(find_figure(find(count, "BM_pause_often"), "allocations")) << "unknown is not none";
}

TEST_F(CountBenchTest, FurtherEventsAreCountedToo) {
  BenchOptions some = options();
  some.filter = "BM_pause_alike";
  some.environment.set(kCounterVariable, "callgrind");
  const auto plain = counts_of(count_bench(some));
  some.callgrind_options = {"--cache-sim=yes", "--branch-sim=yes", "--collect-systime=yes"};
  const BenchCount count = count_bench(some);
  EXPECT_EQ(counts_of(count), plain);
  const CostGraph& graph = *count.results.at(0).graph;
  EXPECT_GT(graph.totals.at(*graph.event_index("Dr")), 100);
  EXPECT_GT(graph.totals.at(*graph.event_index("Bc")), 100);
  EXPECT_EQ(graph.totals.at(*graph.event_index("sysCount")), 0);
}

TEST_F(CountBenchTest, ACaseThatFailsCostsItselfAlone) {
  const auto check = [&](const std::string& option, const std::string& label, const std::string& status,
                         const std::string& error, double limit) {
    BenchOptions some = options({option});
    some.filter = "BM_nops<1?10>$|lambda/1|" + label;
    some.time_limit = Seconds(limit);
    const BenchCount count = count_bench(some);
    ASSERT_EQ(count.results.size(), 4u) << option;
    EXPECT_EQ(find(count, label).status, status);
    EXPECT_NE(find(count, label).error.find(error), std::string::npos) << find(count, label).error;
    EXPECT_TRUE(find(count, label).counts.empty());
    EXPECT_TRUE(find(count, "lambda/1").ok()) << "it comes behind the case that fails";
    EXPECT_TRUE(find(count, "BM_nops<110>").ok());
  };
  check("--crash", "crash", "crashed", "SIGSEGV", 600);
  check("--exit", "exit", "exited", "ended in this case", 600);
  check("--skip", "skip", "failed", "nothing to do", 600);
  check("--hang", "hang", "timed-out", "--timeout", 20);
}

TEST_F(CountBenchTest, ACaseThatAProcessOrAThreadEscapesFromHasNoCount) {
  BenchOptions some = options({"--escape"});
  some.filter = "^(child|thread|jit|pause)/";
  const BenchCount count = count_bench(some);
  ASSERT_EQ(count.results.size(), 4u);
  EXPECT_EQ(find(count, "jit/iterations:3").status, "stale-code");
  EXPECT_EQ(find(count, "child/iterations:3").status, "forked");
  EXPECT_TRUE(find(count, "child/iterations:3").counts.empty());
  EXPECT_EQ(find(count, "thread/iterations:3").status, "escaped");
  EXPECT_TRUE(find(count, "pause/iterations:3").ok()) << find(count, "pause/iterations:3").error;
}

TEST_F(CountBenchTest, ExpensiveCasesRunLessOften) {
  BenchOptions some = options({"--costly"});
  some.filter = "costly|BM_nops<110>";
  const BenchCount count = count_bench(some);
  EXPECT_EQ(find(count, "costly").number_per_run, 10);
  EXPECT_EQ(find(count, "BM_nops<110>").number_per_run, 100);
  some.number = 4;
  EXPECT_EQ(find(count_bench(some), "costly").number_per_run, 4);
}

TEST_F(CountBenchTest, OutputOfItsOwnAndEqualNamesDoNotConfuse) {
  BenchOptions some = options({"--chatter", "--duplicate"});
  some.filter = "BM_nops<10>$";
  const BenchCount count = count_bench(some);
  ASSERT_EQ(count.results.size(), 2u);
  EXPECT_EQ(result_label(count.results[1]), "BM_nops<10> #2");
  EXPECT_NEAR(*count.results[1].slope - *count.results[0].slope, 5, 0.5);
}

TEST_F(CountBenchTest, PlainFunctionsAreCalledInPlaceOfMain) {
  BenchOptions some = options();
  some.argv = {built_program("plain_functions").string()};
  ASSERT_FALSE(some.argv[0].empty());
  some.functions = "*bench_*";
  const BenchCount count = count_bench(some);
  EXPECT_EQ(count.framework, "functions");
  ASSERT_EQ(count.results.size(), 4u) << "one of the five has a parameter";
  EXPECT_EQ(slope(count, "bench_hundred_and_ten") - slope(count, "bench_ten"), 100);
  EXPECT_EQ(find(count, "bench_crash").status, "crashed");
  EXPECT_TRUE(find(count, "text::bench_copy").ok()) << "it is called behind the one that crashes";
  some.functions = "no_such_*";
  EXPECT_THROW(count_bench(some), Error);
}

/// bytes, blocks, peak_bytes, peak_blocks, end_bytes
std::vector<std::optional<int64_t>> memory_of(const BenchCount& count, const std::string& label) {
  std::vector<std::optional<int64_t>> figures;
  for (const std::string_view name : kMemoryFigures) figures.push_back(find_figure(find(count, label), name));
  return figures;
}

TEST_F(CountBenchTest, TheMemoryOfACaseIsThatOfItsRegionAlone) {
  BenchOptions some = options();
  some.argv = {built_program("memory_functions").string()};
  ASSERT_FALSE(some.argv[0].empty());
  some.functions = "bench_*";
  some.number = 10;
  const auto plain = counts_of(count_bench(some));
  some.memory = true;
  const BenchCount count = count_bench(some);
  EXPECT_EQ(counts_of(count), plain);
  using Figures = std::vector<std::optional<int64_t>>;
  EXPECT_EQ(memory_of(count, "bench_freed"), (Figures{34'000, 20, 3'400, 2, 0}));
  EXPECT_EQ(memory_of(count, "bench_kept"), (Figures{1'000, 10, 1'000, 10, 1'000})) << "a peak is of all iterations";
  EXPECT_EQ(memory_of(count, "bench_resized"), (Figures{400, 20, 30, 1, 0}));
  EXPECT_EQ(memory_of(count, "bench_nothing"), (Figures{0, 0, 0, 0, 0}));
  EXPECT_EQ(memory_of(count, "bench_gives_back"), (Figures{0, 0, 0, 0, 0}));
  EXPECT_FALSE(memory_of(count, "bench_crash")[0]) << "and those behind it have theirs";
  for (const Result& result : count.results) EXPECT_TRUE(result.notes.empty()) << result_key(result);
}

TEST_F(CountBenchTest, MemoryThatAPauseMayHoldIsNotKnown) {
  BenchOptions some = options();
  some.filter = "BM_pause$|BM_pause_alike|Filled/copy/64|BM_batch";
  some.memory = true;
  const BenchCount count = count_bench(some);
  for (const char* label : {"BM_pause", "BM_pause_alike"}) {
    EXPECT_FALSE(memory_of(count, label)[0]) << label;
    ASSERT_EQ(find(count, label).notes.size(), 1u) << label;
    EXPECT_NE(find(count, label).notes[0].find("its memory is not known"), std::string::npos);
  }
  EXPECT_EQ(memory_of(count, "Filled/copy/64")[0], 25'600) << "64 numbers, 100 times; not the fixture's";
  EXPECT_EQ(memory_of(count, "Filled/copy/64")[2], 256);
  EXPECT_EQ(memory_of(count, "BM_batch")[0], 0);
}

TEST_F(CountBenchTest, CasesOfCatch2AreCountedUnderTheNamesOfTheirTests) {
  BenchOptions some = options();
  some.argv = {built_program("catch_cases").string()};
  if (some.argv[0].empty()) GTEST_SKIP() << "no Catch2 version 2 here";
  const BenchCount count = count_bench(some);
  EXPECT_EQ(count.framework, "catch2");
  ASSERT_EQ(count.results.size(), 5u);
  EXPECT_EQ(slope(count, "bodies of <nops> / a hundred & ten") - slope(count, "bodies of <nops> / ten"), 100);
  EXPECT_NEAR(slope(count, "bodies of <nops> / prepared"), 60, 5) << "not what comes before measure()";
  EXPECT_GT(slope(count, "of a template - double / string"), 50);
  some.filter = "template - int|ten$";
  const BenchCount chosen = count_bench(some);
  ASSERT_EQ(chosen.results.size(), 3u);
  EXPECT_EQ(counts_of(chosen).at("of a template - int / string"), counts_of(count).at("of a template - int / string"));
  EXPECT_EQ(list_bench(some).labels.size(), 5u);
  some.filter = "no such case";
  EXPECT_THROW(count_bench(some), Error);
}

TEST_F(CountBenchTest, CasesOfNanobenchAreCountedAndOneThatCrashesCostsItselfAlone) {
  BenchOptions some = options();
  some.argv = {built_program("nano_cases").string()};
  some.memory = true;
  ASSERT_FALSE(some.argv[0].empty());
  const BenchCount count = count_bench(some);
  EXPECT_EQ(count.framework, "nanobench");
  ASSERT_EQ(count.results.size(), 3u);
  EXPECT_EQ(slope(count, "a hundred and ten") - slope(count, "ten"), 100);
  EXPECT_EQ(find_figure(find(count, "ten"), "bytes"), 0);
  EXPECT_TRUE(count.notes.empty()) << "the binary's own run has called each benchmark";
  some.filter = "hundred";
  EXPECT_EQ(counts_of(count_bench(some)).at("a hundred and ten"), counts_of(count).at("a hundred and ten"));
  some.filter.clear();
  some.argv.push_back("--crash");
  const BenchCount crashed = count_bench(some);
  EXPECT_EQ(find(crashed, "second").status, "crashed");
  EXPECT_EQ(counts_of(crashed).at("a hundred and ten"), counts_of(count).at("a hundred and ten"));
  EXPECT_EQ(find_figure(find(crashed, "a hundred and ten"), "bytes"), 0) << "behind the one that crashes";
}

BenchOptions tests_of(BenchOptions options, const std::string& program) {
  options.kind = CaseKind::kTests;
  options.argv = {built_program(program).string()};
  options.repeats = 2;
  return options;
}

int64_t once(const BenchCount& count, const std::string& label) { return find(count, label).counts.at(0); }

TEST_F(CountBenchTest, TestsOfGoogleTestAreCountedWithoutTheirFixtures) {
  BenchOptions some = tests_of(options(), "gtest_cases");
  ASSERT_FALSE(some.argv[0].empty());
  const BenchCount count = count_bench(some);
  EXPECT_EQ(count.framework, "googletest");
  ASSERT_EQ(count.results.size(), 15u) << "all but the one that is disabled";
  const int64_t call = once(count, "Nops.Ten") - 10;
  EXPECT_GE(call, 1);
  EXPECT_LE(call, 4);
  EXPECT_EQ(once(count, "Nops.Hundred"), call + 110);
  EXPECT_EQ(once(count, "Filled.Sixty"), call + 60);
  EXPECT_EQ(once(count, "Typed/0.Sizes"), call + 70);
  EXPECT_NEAR(once(count, "Of/Numbered.Loops/1") - once(count, "Of/Numbered.Loops/0"), 120, 20) << "twice 50 nops";
  EXPECT_NEAR(once(count, "Alone.Second"), once(count, "Alone.First"), 2) << "it meets nothing of the first one";
  EXPECT_EQ(find_figure(find(count, "Filled.Allocates"), "allocations"), 1);
  EXPECT_EQ(find(count, "Odd.Fails").status, "failed");
  EXPECT_NE(find(count, "Odd.Fails").error.find("on purpose"), std::string::npos) << find(count, "Odd.Fails").error;
  EXPECT_EQ(find(count, "Odd.Skips").status, "skipped");
  EXPECT_EQ(find(count, "Odd.Crashes").status, "crashed");
  for (const char* label : {"Odd.Forks", "Odd.Moves"}) {
    EXPECT_EQ(find(count, label).status, kNotGateable) << label;
    EXPECT_TRUE(find(count, label).counts.empty()) << label;
  }
  EXPECT_TRUE(find(count, "Odd.JoinsItsThread").ok()) << find(count, "Odd.JoinsItsThread").error;
  some.filter = "^(Filled|Alone)";
  const auto all = counts_of(count);
  for (const auto& [label, counts] : counts_of(count_bench(some))) EXPECT_EQ(counts, all.at(label)) << label;
}

TEST_F(CountBenchTest, TheMemoryOfATestIsThatOfItsBody) {
  BenchOptions some = tests_of(options(), "gtest_cases");
  some.filter = "^Filled";
  some.memory = true;
  const BenchCount count = count_bench(some);
  ASSERT_EQ(count.results.size(), 2u);
  EXPECT_EQ(memory_of(count, "Filled.Sixty")[0], 0) << "the fixture's are not counted";
  EXPECT_EQ(memory_of(count, "Filled.Allocates")[0], 512) << "twice what the fixture took";
}

TEST_F(CountBenchTest, TestsOfCatch2AndDoctestAreCountedWithAllTheirSections) {
  for (const char* program : {"catch_tests", "doctest_cases"}) {
    const BenchOptions some = tests_of(options(), program);
    if (some.argv[0].empty()) continue;  // its header is not here
    const BenchCount count = count_bench(some);
    const std::string suite = count.framework == "doctest" ? "suite / " : "";
    const int64_t call = once(count, "ten") - 10;
    EXPECT_EQ(once(count, "a hundred & ten"), call + 110) << program;
    EXPECT_NEAR(once(count, suite + "of a fixture"), call + 60, 40) << program;
    EXPECT_GE(once(count, "sections"), 3000) << program;
    EXPECT_EQ(find(count, "fails").status, "failed") << program;
    if (count.framework == "doctest") {
      EXPECT_EQ(count.results.size(), 7u);
      EXPECT_EQ(once(count, "suite / of a template<char>"), call + 70);
      EXPECT_TRUE(find(count, "fails as it should").ok());
    } else {
      EXPECT_EQ(count.results.size(), 6u) << "no benchmark is a case of its own";
      EXPECT_TRUE(find(count, "has a benchmark").ok()) << "and nothing in it depends on the clock";
    }
  }
}

TEST_F(CountBenchTest, WhatCannotBeCountedIsSaidInALine) {
  const auto error_of = [&](const BenchOptions& asked) {
    try {
      count_bench(asked);
    } catch (const Error& error) {
      return fmt::format("{} {}", static_cast<int>(error.kind()), error.what());
    }
    return std::string("no error");
  };
  const auto expect = [&](const BenchOptions& asked, ErrorKind kind, const std::string& words) {
    const std::string error = error_of(asked);
    EXPECT_EQ(error.rfind(std::to_string(static_cast<int>(kind)), 0), 0u) << error;
    EXPECT_NE(error.find(words), std::string::npos) << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  };
  BenchOptions asked = options();
  asked.filter = "no such case";
  expect(asked, ErrorKind::kUsage, "matches --filter no such case");
  expect(options({"--needs-a-value"}), ErrorKind::kTool, "pass arguments that it needs after --");
  asked = options();
  asked.argv = {"true"};
  expect(asked, ErrorKind::kCannotJudge, "no benchmark framework");
  asked.argv = {"/no/such/binary"};
  expect(asked, ErrorKind::kTool, "no such program");
  const ScratchDir folder;
  const fs::path script = folder.path() / "script";
  save_file(script, "#!/bin/sh\n");
  fs::permissions(script, fs::perms::owner_all);
  asked.argv = {script.string()};
  expect(asked, ErrorKind::kMalformed, "not a 64-bit ELF executable");
}

}  // namespace
}  // namespace icount
