// `icount bench BINARY`: the cases of an existing benchmark binary, counted (timer/count_bench.h).
#include "icount/cli/commands.h"

#include "icount/cli/case_options.h"
#include "icount/cli/event_options.h"
#include "icount/console/options.h"
#include "icount/console/shared_options.h"
#include "icount/report/bench_report.h"

namespace icount {
namespace {

constexpr OptionSpec kBenchOptions[] = {
    {"filter", "REGEX", "count only the cases whose name this matches"},
    {"case", "PATTERN",
     "count the binary's functions without parameters that match (* and ?), in place of a framework's cases"},
    {"number", "N",
     "iterations of the larger of two regions, at least 3 (default 100; 10 or 3 where an iteration is expensive)"},
    {"repeats", "N", "counts to take of each case, each in a fresh process (default 1)"},
    {"isolate", "", "a separate start of Valgrind for each case"},
    kCaseJumpsOption,
    {"timeout", "SECONDS", "limit for one case, under Valgrind (default 60; 0: none)"},
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
     "also measure bytes allocated and the peak of each case, by Valgrind's DHAT, in a run of its own of the binary"},
    {"", "", "what to show"},
    {"top", "N", "functions to show for each case (default 0: the table of cases alone)"},
    {"format", "text|markdown|json", "form of the output (default text)"},
    {"raw", "", "print names in full, never shortened"},
    kPathsOption,
    {"out,o", "FILE", "save the whole result, cost graphs included; `icount diff`, `gate` and `report` read it"},
};

constexpr ExampleSpec kBenchExamples[] = {
    {"icount bench build/my_benchmark --out base.icount", "every case of a Google Benchmark binary, saved"},
    {"icount bench build/my_benchmark --filter 'BM_parse'", "some of them"},
    {"icount bench build/my_benchmark --events cache,branch", "misses of simulated caches and branches, too"},
    {"icount bench build/my_benchmark --memory", "bytes, blocks and the peak of each case, too"},
    {"icount bench build/my_benchmark -- --data corpus.txt", "a binary that needs arguments"},
    {"icount bench build/tests -- '[!benchmark]'",
     "the benchmarks of a Catch2 binary, whose tests of this tag are hidden"},
    {"icount bench build/my_program --case 'bench_*'", "functions without parameters, called in place of main"},
};

CaseOptions read_bench_options(const ParsedOptions& parsed) {
  CaseOptions options = read_case_options(parsed);
  options.bench.functions = parsed.text("case");
  if (parsed.has("case") && options.bench.functions.empty()) parsed.problem("--case needs a pattern");
  options.bench.number = parsed.has("number") ? parsed.integer("number", 100, 3, 1'000'000'000) : 0;
  options.bench.repeats = static_cast<int>(parsed.integer("repeats", 1, 1, 100'000));
  parsed.check();
  return options;
}

ExitCode run_bench_command(const ParsedOptions& parsed, CommandContext& context) {
  return run_cases(read_bench_options(parsed), make_bench_document, context);
}

}  // namespace

const CommandSpec& bench_command() {
  static const CommandSpec command = {
      .name = "bench",
      .summary = "count the cases of an existing benchmark binary",
      .arguments = "BINARY [-- ARGS...]",
      .description =
          "Counts the instructions of one iteration for every case of a benchmark binary as it is: without editing or "
          "rebuilding it. icount knows Google Benchmark, Catch2 and nanobench. With --case it calls plain "
          "functions.\n\nEach case runs three times in one "
          "process of its own: with one iteration to warm up, with two, and with many. \"per iteration\" is "
          "what a further iteration costs, \"fixed\" what does not grow with their number. What runs between "
          "PauseTiming and ResumeTiming is not counted. Cases with several threads are not counted, and icount says "
          "so.\n\nA case that crashes or takes longer than --timeout does not affect the others: the exit code is 1. "
          "If no hook fires (a stripped static binary, link-time optimization), the exit code is "
          "125 and the message says what to change. docs/bench.md has the details.",
      .options = kBenchOptions,
      .examples = kBenchExamples,
      .min_arguments = 1,
      .max_arguments = 1,
      .takes_program = true,
      .run = run_bench_command,
  };
  return command;
}

}  // namespace icount
