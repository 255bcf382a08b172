// `icount tests BINARY`: the test cases of an existing test binary, counted (timer/count_bench.h).
#include "icount/cli/commands.h"

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/cli/affected_option.h"
#include "icount/cli/case_options.h"
#include "icount/cli/event_options.h"
#include "icount/console/options.h"
#include "icount/console/shared_options.h"
#include "icount/report/bench_report.h"
#include "icount/suite/run_programs.h"
#include "icount/timer/count_hooked.h"

namespace icount {
namespace {

constexpr OptionSpec kTestsOptions[] = {
    {"ctest", "FOLDER", "count each test that ctest lists for this build folder, as a whole program"},
    {"filter", "REGEX", "count only the tests whose name this matches"},
    kAffectedOption,
    kAffectedBaseOption,
    {"repeats", "N",
     "counts to take of each test, each in a fresh process; they tell how it can be judged (default 2)"},
    {"isolate", "", "a separate start of Valgrind for each test"},
    kCaseJumpsOption,
    {"timeout", "SECONDS", "limit for one test, under Valgrind (default 60; 0: none)"},
    kCasePinOption,
    kValgrindOption,
    kCounterOption,
    kHookCompilerOption,
    {"", "", "what to count beside instructions"},
    kEventsOption,
    kCacheOption,
    kSyscallsOption,
    kCallgrindOption,
    {"memory", "",
     "also measure bytes allocated and the peak of each test, by Valgrind's DHAT, in a run of its own of the binary"},
    {"", "", "what to show"},
    {"top", "N", "functions to show for each test (default 0: the table of tests alone)"},
    {"format", "text|markdown|json", "form of the output (default text)"},
    {"raw", "", "print names in full, never shortened"},
    kPathsOption,
    {"out,o", "FILE", "save the whole result, cost graphs included; `icount accept`, `gate` and `diff` read it"},
};

constexpr ExampleSpec kTestsExamples[] = {
    {"icount tests build/unit_tests", "every test of a GoogleTest, Catch2 or doctest binary"},
    {"icount tests build/unit_tests --filter '^Parser' --out head.icount", "some of them, saved"},
    {"icount accept head.icount", "writes tests.expected: what each test may cost"},
    {"icount gate head.icount", "judges later results by it"},
    {"icount tests build/unit_tests -- --data corpus.txt", "a binary that needs arguments"},
    {"icount tests --ctest build", "the tests of a CMake project, each a program"},
};

/// Several at a time.
BenchCount count_folder(const std::string& folder, const BenchOptions& options, CommandContext& context) {
  CtestPrograms programs = load_ctest(folder, context.environment);
  const LabelFilter filter(options.filter);
  std::erase_if(programs.benchmarks, [&](const Benchmark& one) {
    return !filter.matches(one.label.back()) || options.left_out.contains(one.label.back());
  });
  std::erase_if(programs.refused, [&](const RefusedCase& one) { return !filter.matches(one.label); });
  if (programs.benchmarks.empty() && programs.refused.empty() && options.left_out.empty())
    throw Error(ErrorKind::kUsage, fmt::format("no test of {} matches --filter {}", folder, options.filter));
  RunProgramsOptions run;
  run.collect.repeats = options.repeats;
  run.collect.time_limit = options.time_limit;
  run.collect.keep_lines = true;
  run.collect.keep_insides = options.jumps;
  run.collect.callgrind_options = options.callgrind_options;
  run.collect.pins = options.pins;
  run.collect.environment = context.environment;
  run.memory = options.memory;
  run.stopped = context.cancelled;
  BenchCount count = count_ctest(programs, run);
  if (context.cancelled && context.cancelled()) throw Error(ErrorKind::kTool, "interrupted");
  return count;
}

ExitCode run_tests_command(const ParsedOptions& parsed, CommandContext& context) {
  CaseOptions options = read_case_options(parsed);
  options.bench.kind = CaseKind::kTests;
  options.bench.repeats = static_cast<int>(parsed.integer("repeats", 2, 1, 100'000));
  if (parsed.has("ctest") != options.bench.argv.empty()) parsed.problem("give a BINARY or --ctest FOLDER, one of them");
  for (const char* name : {"isolate", "compiler"}) parsed.excludes("ctest", name);
  check_affected(parsed);
  parsed.check();
  options.bench.left_out.merge(find_left_out(parsed, "test", context));
  if (!parsed.has("ctest")) return run_cases(options, make_tests_document, context);
  return answer_cases(options, count_folder(parsed.text("ctest"), options.bench, context), make_tests_document,
                      context);
}

}  // namespace

const CommandSpec& tests_command() {
  static const CommandSpec command = {
      .name = "tests",
      .summary = "count the tests of an existing test binary",
      .arguments = "[BINARY] [-- ARGS...]",
      .description =
          "Counts the instructions of each test case of a binary with GoogleTest, Catch2 or doctest as it is: without "
          "editing or rebuilding it. Each test runs in a process of its own; what its fixture does in SetUp and "
          "TearDown is not counted.\n\nThe tests run twice. A test whose counts agree is exact; one whose counts "
          "differ by at most 5 % is bounded, and what they differ by is allowed for; any other, and one that starts "
          "processes or leaves threads behind, cannot be gated, which is said and never fails. `icount accept` and "
          "`icount gate` make a budget of the counts.\n\nIf a test fails, the exit code is 1. If no test can be "
          "counted, it is 125 and the message says what to change. docs/tests.md has the details.",
      .options = kTestsOptions,
      .examples = kTestsExamples,
      .min_arguments = 0,
      .max_arguments = 1,
      .takes_program = true,
      .run = run_tests_command,
  };
  return command;
}

}  // namespace icount
