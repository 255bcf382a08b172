// `icount bench BINARY`: the cases of an existing benchmark binary, counted (timer/count_bench.h).
#include "icount/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <string>

#include "icount/base/command_line.h"
#include "icount/base/text.h"
#include "icount/cli/event_options.h"
#include "icount/cli/named_folders.h"
#include "icount/cli/pins_option.h"
#include "icount/cli/write_document.h"
#include "icount/console/options.h"
#include "icount/console/shared_options.h"
#include "icount/console/terminal.h"
#include "icount/inputs/shown_arguments.h"
#include "icount/report/bench_report.h"
#include "icount/store/result_file.h"
#include "icount/timer/count_bench.h"

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
    {"no-jumps", "",
     "do not record jumps: a few percent faster, but what happens inside functions stays unknown to later diffs"},
    {"timeout", "SECONDS", "limit for one case, under Valgrind (default 60; 0: none)"},
    {"release-pin", "NAME", "unpin one part of the environment: env, aslr, hash-seed, bind-now, aten, libc", true},
    kValgrindOption,
    kCounterOption,
    {"compiler", "PROGRAM", "C++ compiler for the hooks (default: CXX, else c++)"},
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

struct BenchCommandOptions {
  BenchOptions bench;
  OutputFormat format = OutputFormat::kText;
  ResultsView view;
  std::string out_file;
};

BenchCommandOptions read_bench_options(const ParsedOptions& parsed) {
  BenchCommandOptions options;
  options.bench.argv = parsed.arguments();
  for (const std::string& word : parsed.program()) options.bench.argv.push_back(word);
  options.bench.filter = parsed.text("filter");
  options.bench.functions = parsed.text("case");
  if (parsed.has("case") && options.bench.functions.empty()) parsed.problem("--case needs a pattern");
  options.bench.number = parsed.has("number") ? parsed.integer("number", 100, 3, 1'000'000'000) : 0;
  options.bench.repeats = static_cast<int>(parsed.integer("repeats", 1, 1, 100'000));
  options.bench.isolate = parsed.has("isolate");
  options.bench.memory = parsed.has("memory");
  options.bench.jumps = !parsed.has("no-jumps");
  options.bench.time_limit = Seconds(parsed.seconds("timeout", 60));
  options.bench.toolchain.compiler = parsed.text("compiler");
  options.bench.callgrind_options = read_event_options(parsed);
  read_pins(parsed, options.bench.pins);
  options.format = static_cast<OutputFormat>(parsed.choice("format", {"text", "markdown", "json"}));
  options.view.top = static_cast<size_t>(parsed.integer("top", 0, 0, 1'000'000'000));
  options.view.raw = parsed.has("raw");
  options.out_file = parsed.text("out");
  if (parsed.has("out") && options.out_file.empty()) parsed.problem("--out needs a file name");
  parsed.check();
  return options;
}

/// What is noted of cases, each note once with the cases that it is of.
std::map<std::string, std::string> cases_by_note(const BenchCount& count) {
  std::map<std::string, std::string> cases;
  for (const Result& result : count.results)
    for (const std::string& note : result.notes)
      cases[note] += (cases.contains(note) && !cases[note].empty() ? ", " : "") + result_key(result);
  return cases;
}

void report_failures(const BenchCount& count, const CommandContext& context) {
  for (const std::string& note : count.notes) context.warn(note);
  for (const auto& [note, cases] : cases_by_note(count)) context.warn(fmt::format("{}: {}", cases, note));
  for (const Result& result : count.results)
    if (!result.ok())
      context.err << "icount: " << escape_for_terminal(result_key(result)) << ": "
                  << escape_for_terminal(result.error.empty() ? result.status : result.error) << '\n';
}

void save(const std::string& path, std::vector<Result> results, const CommandContext& context) {
  ResultFile file;
  file.command = "icount " + shell_quote(shown_arguments(context.arguments));
  file.results = std::move(results);
  const std::vector<NamedFolder> folders = probe_named_folders({"."}, {}, context.environment);
  for (Result& result : file.results) name_folders(result.fingerprint, folders);
  share_fingerprint(file);
  save_result_file(path, file);
}

ExitCode run_bench_command(const ParsedOptions& parsed, CommandContext& context) {
  BenchCommandOptions options = read_bench_options(parsed);
  check_writable(options.out_file);
  options.bench.environment = context.environment;
  options.bench.cancelled = context.cancelled;
  BenchCount count;
  {
    StatusLine progress(context.err, context.error_terminal);
    options.bench.say = [&](const std::string& text) { progress.say(text); };
    count = count_bench(options.bench);
  }
  report_failures(count, context);
  if (options.format == OutputFormat::kJson)
    context.out << dump_json(bench_to_json(count)) << '\n';
  else
    write_document(context, options.format,
                   [&](size_t width) { return make_bench_document(count, options.view, width); });
  const bool all_ok = std::all_of(count.results.begin(), count.results.end(),
                                  [](const Result& result) { return result.ok() || result.status == "skipped"; });
  const bool any = std::any_of(count.results.begin(), count.results.end(),
                               [](const Result& result) { return !result.counts.empty(); });
  if (!options.out_file.empty() && any) save(options.out_file, count.results, context);
  if (count.results.empty()) return ExitCode::kCannotJudge;  // every case was refused
  return all_ok ? ExitCode::kOk : ExitCode::kFailure;
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
