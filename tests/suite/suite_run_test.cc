// The suite commands as a user runs them: the examples, kill -9 and --resume, a suite with broken benchmarks. Needs
// Valgrind and a compiler, no LibTorch.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "icount/base/json.h"
#include "icount/suite/suite_record.h"
#include "icount_program.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

TEST_F(SuiteRunTest, TheHeaderOnlyExampleIsCountedWithoutSpread) {
  ProcessOutcome outcome = icount({"suite", "run", kExamples + "run_length/suite.toml", "--out", out()});
  ASSERT_TRUE(outcome.ok()) << outcome.errors;
  EXPECT_NE(outcome.output.find("3 benchmarks: 3 done"), std::string::npos) << outcome.output;
  for (const Result& result : results()) {
    ASSERT_EQ(result.counts.size(), 2u);
    EXPECT_EQ(result.counts[0], result.counts[1]) << result_key(result);
    EXPECT_GT(*result.slope, 1000) << "a thousand characters are not coded in fewer instructions";
    EXPECT_TRUE(unpack_graph(result, "out")) << "the graph is what diff explains with";
  }
}

TEST_F(SuiteRunTest, FoldersOfPythonAndATorchAskedForByNameAreAsInCount) {
  const fs::path suite = write("suite.toml", R"(
[library]
torch = false
[[stmts]]
label = "python"
py_stmt = "y = found_in_a_folder.value"
py_setup = "import found_in_a_folder"
cpp_stmt = "std::string text(100, 'x'); icount::keep(text);"
)");
  fs::create_directory(scratch_.path() / "modules");
  write("modules/found_in_a_folder.py", "value = 1\n");
  const std::string folder = (scratch_.path() / "modules").string();
  const ProcessOutcome outcome = icount({"suite", "run", suite.string(), "--language", "python", "--python-path",
                                         folder, "--repeats", "1", "--out", out()});
  ASSERT_TRUE(outcome.ok()) << outcome.output << outcome.errors;
  // No folder of that name: it would have been built in.
  const ProcessOutcome torch = icount({"suite", "run", suite.string(), "--language", "c++", "--torch", folder, "--out",
                                       (scratch_.path() / "torch.icount").string()});
  EXPECT_NE((torch.output + torch.errors).find("LibTorch"), std::string::npos) << torch.output << torch.errors;
  EXPECT_FALSE(torch.ok());
}

TEST_F(SuiteRunTest, BrokenBenchmarksCostThemselvesAlone) {
  fs::path suite = write("suite.toml", R"(
[library]
torch = false
[run]
number = 10
repeats = 1
timeout_s = 5
retries = 0
[[stmts]]
label = "good"
cpp_stmt = "std::string text(100, 'x'); icount::keep(text);"
[[stmts]]
label = "no such name"
cpp_stmt = "undeclared();"
[[stmts]]
label = "crash"
cpp_stmt = "std::abort();"
[[stmts]]
label = "hang"
cpp_stmt = "for (volatile int i = 0; i >= 0; i = 0) {}"
[[stmts]]
label = "also good"
cpp_stmt = "std::string text(200, 'x'); icount::keep(text);"
)");
  ProcessOutcome outcome = icount({"suite", "run", suite.string(), "--out", out()});
  EXPECT_EQ(outcome.exit_code, 1);
  std::vector<Result> all = results();
  sort_by_position(all);
  std::vector<std::string> states;
  for (const Result& result : all) states.push_back(result.label[0] + ": " + result.status);
  EXPECT_EQ(states, (std::vector<std::string>{"good: done", "no such name: compile-error", "crash: crashed",
                                              "hang: timed-out", "also good: done"}))
      << outcome.output << outcome.errors;
  EXPECT_NE(all[1].error.find("undeclared"), std::string::npos) << all[1].error;
}

TEST_F(SuiteRunTest, SavedResultsKeepLinesSoThatADiffNamesThem) {
  const auto run = [&](const std::string& name, int runs) {
    const std::string suite = fmt::format(R"(
[library]
torch = false
[run]
number = 10
repeats = 1
[[stmts]]
label = "sum"
cpp_stmt = '''
unsigned sum = 7;
for (unsigned i = 0; i < 100; ++i) {{ sum = sum * 3 + i; icount::keep(sum); }}
for (unsigned i = 0; i < {}; ++i) {{ sum = sum * 5 + i; icount::keep(sum); }}
'''
)",
                                          runs);
    const std::string results = (scratch_.path() / (name + ".icount")).string();
    const ProcessOutcome outcome = icount({"suite", "run", write(name + ".toml", suite).string(), "--out", results});
    EXPECT_TRUE(outcome.ok()) << outcome.errors;
    return results;
  };
  const std::string base = run("base", 100), head = run("head", 900);
  const std::vector<Result> saved = load_result_file(base).file.results;
  ASSERT_EQ(saved.size(), 1u);
  const auto graph = unpack_graph(saved[0], base);
  ASSERT_TRUE(graph);
  std::set<uint64_t> lines;
  for (const LineRow& row : graph->lines)
    if (graph->strings.view(row.file) == "stmt") lines.insert(row.line);
  EXPECT_TRUE(lines.contains(2) && lines.contains(3)) << lines.size() << " lines of the statement";
  int64_t sum = 0;
  for (size_t i = 0; i < graph->line_self.size(); i += graph->event_count()) sum += graph->line_self[i];
  EXPECT_EQ(sum, saved[0].counts[0]) << "lines add up to the count";
  const ProcessOutcome diff = icount({"diff", "--no-open", base, head});
  EXPECT_NE(diff.output.find("stmt:3"), std::string::npos) << diff.output << diff.errors;
}

TEST_F(SuiteRunTest, AfterKillNineResumeMeasuresWhatIsMissingAndNothingElse) {
  std::string text = "[library]\ntorch = false\n[run]\nnumber = 10\nrepeats = 1\n";
  for (int i = 0; i < 12; ++i) {
    text += "[[stmts]]\nlabel = \"" + std::to_string(i) + "\"\ncpp_stmt = \"std::string text(" +
            std::to_string(100 + i) + ", 'x'); icount::keep(text);\"\n";
  }
  fs::path suite = write("suite.toml", text);
  // Killed from inside: a result file that has three lines is the sign.
  ProcessSpec killed;
  killed.argv = {"/bin/sh",
                 "-c",
                 "\"$0\" suite run \"$1\" --out \"$2\" --jobs 1 & pid=$!; "
                 "while kill -0 $pid 2>/dev/null; do [ -f \"$2\" ] && [ $(wc -l < \"$2\") -ge 4 ] && kill -9 $pid; "
                 "sleep 0.01; done; wait $pid",
                 kIcount,
                 suite.string(),
                 out()};
  killed.time_limit = kLimit;
  run_process(killed);
  const size_t before = load_result_file(out()).file.results.size();
  ASSERT_GE(before, 3u);
  ProcessOutcome outcome = icount({"suite", "run", suite.string(), "--out", out(), "--resume"});
  ASSERT_TRUE(outcome.ok()) << outcome.errors;
  EXPECT_EQ(results().size(), 12u);
  EXPECT_NE(outcome.errors.find("holds " + std::to_string(before) + " of 12 results"), std::string::npos)
      << outcome.errors;
}

/// So many benchmarks: number i runs i no-operations after a call of a function that has `own` of them.
std::string make_generated_suite(int benchmarks, int own) {
  std::string text = fmt::format(
      "[library]\ntorch = false\n[run]\nnumber = 10\nrepeats = 1\n[setup.s]\n"
      "global_setup = '''__attribute__((noinline)) void called() {{ asm volatile(\".rept {}\\n nop\\n .endr\"); "
      "}}'''\n",
      own);
  for (int i = 0; i < benchmarks; ++i)
    text += fmt::format(
        "[[stmts]]\nlabel = [\"group {}\", \"case {}\"]\nsetup = \"s\"\n"
        "cpp_stmt = '''called(); asm volatile(\".rept {}\\n nop\\n .endr\");'''\n",
        i % 6, i, i);
  return text;
}

TEST_F(SuiteRunTest, SixtyGeneratedBenchmarksFromTheSuiteToTheSharedCause) {
  constexpr int kMany = 60;
  const std::string base = out(), head = (scratch_.path() / "head.json").string();
  const ProcessOutcome run =
      icount({"suite", "run", write("base.toml", make_generated_suite(kMany, 20)).string(), "--out", base});
  ASSERT_TRUE(run.ok()) << run.errors;
  std::vector<Result> all = results();
  sort_by_position(all);
  ASSERT_EQ(all.size(), static_cast<size_t>(kMany));
  for (int i = 1; i < kMany; ++i)
    EXPECT_EQ(*all[i].slope - *all[i - 1].slope, 1) << "one no-operation more, benchmark " << i;
  ASSERT_TRUE(
      icount({"suite", "run", write("head.toml", make_generated_suite(kMany, 27)).string(), "--out", head}).ok());
  const ProcessOutcome diff = icount({"diff", base, head});
  ASSERT_TRUE(diff.ok()) << diff.errors;
  EXPECT_NE(diff.output.find("60 benchmarks compared, 60 changed"), std::string::npos) << diff.output;
  EXPECT_NE(diff.output.find(" in 60 of 60 changed benchmarks, the main cause in 60"), std::string::npos)
      << diff.output;
}

TEST_F(SuiteRunTest, PyTorchsCiFormHasEveryKey) {
  fs::path suite = write("suite.toml",
                         "version = 7\n[library]\ntorch = false\n[run]\nnumber = 10\nrepeats = 2\n[[stmts]]\nlabel = "
                         "\"a\"\ncpp_stmt = \"std::string text(100, 'x'); icount::keep(text);\"\n");
  ASSERT_TRUE(icount({"suite", "run", suite.string(), "--out", out()}).ok());
  ProcessOutcome shown = icount({"suite", "show", "--format", "pytorch-ci", out()});
  ASSERT_TRUE(shown.ok()) << shown.errors;
  Json json = parse_json(shown.output, "ci");
  EXPECT_EQ(json["version"], 7);
  EXPECT_GT(json["start_time"], 0);
  const std::string key =
      R"({"label": ["a"], "autolabels": {"runtime": "Eager", "autograd": "Forward", "language": "C++"}, "num_threads": 1})";
  ASSERT_TRUE(json["values"].contains(key)) << shown.output;
  EXPECT_EQ(json["values"][key]["counts"].size(), 2u);
}

TEST_F(SuiteRunTest, AnEmptySelectionIsNoGreenRun) {
  ProcessOutcome outcome =
      icount({"suite", "run", kExamples + "run_length/suite.toml", "--filter", "no such benchmark"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.errors.find("nothing to run: of the 3 benchmarks of suite run_length none passes the filter"),
            std::string::npos)
      << outcome.errors;
}

TEST_F(SuiteRunTest, ABuildMeasuresWithTheFlagsOfItsTargets) {
  if (find_program("cmake").empty() || find_program("ninja").empty()) GTEST_SKIP() << "no cmake and ninja here";
  const std::string build = (scratch_.path() / "build").string();
  ProcessSpec configure;
  configure.argv = {"cmake", "-S", kExamples + "run_length", "-B", build, "-G", "Ninja", "-DICOUNT_PROGRAM=" + kIcount};
  configure.time_limit = kLimit;
  ProcessOutcome configured = run_process(configure);
  ASSERT_TRUE(configured.ok()) << configured.errors;
  ProcessSpec measure;
  measure.argv = {"cmake", "--build", build, "--target", "run_length_suite"};
  measure.time_limit = kLimit;
  ProcessOutcome measured = run_process(measure);
  ASSERT_TRUE(measured.ok()) << measured.output << measured.errors;
  LoadedResults loaded = load_result_file(fs::path(build) / "run_length_suite.json");
  ASSERT_EQ(loaded.file.results.size(), 1u);
  EXPECT_TRUE(loaded.file.results[0].ok());
}

}  // namespace
}  // namespace icount
