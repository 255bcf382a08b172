#include "icount/cli/command_suite_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <thread>

#include "icount/base/error.h"
#include "icount/cli/progress_line.h"
#include "icount/cli/suite_options.h"
#include "icount/cli/suite_sink.h"
#include "icount/harness/build_cache.h"
#include "icount/inputs/suite_times.h"
#include "icount/report/suite_text.h"
#include "icount/suite/batch.h"
#include "icount/suite/library_flags.h"
#include "icount/suite/suite_record.h"
#include "icount/suite/wall_time.h"

namespace icount {
namespace {

constexpr OptionSpec kOptions[] = {
    {"", "", "which benchmarks"},
    {"filter", "REGEX", "only benchmarks whose name contains a match (RE2); `icount suite list` shows the names"},
    {"language", "LANG", "only c++, torchscript or python; may be repeated or a list with commas", true},
    {"shard", "I/N", "only part I of N equal parts, for several machines"},
    {"no-torchscript", "", "leave out TorchScript variants"},
    {"", "", "how they are measured"},
    {"number", "N", "runs in one count (default: the suite's, else 100)"},
    {"repeats", "N", "counts of each benchmark, every one in a fresh process (default: the suite's, else 2)"},
    {"timeout", "TIME", "limit for one count, such as 90 or 2m (default: the suite's, else 60 s)"},
    {"retries", "N", "further attempts for what timed out or lost its server (default: the suite's, else 1)"},
    {"jobs", "N", "counts in flight (default: the number of cores)"},
    {"no-warm", "",
     "run set-up and warm-up for every count anew: slower, and the counts are the same (docs/measuring.md)"},
    {"stacks", "N",
     "record call stacks, N callers with every function (1 to 64): for flame graphs and `icount export`; counts stay "
     "the same"},
    {"allow-dead", "", "count statements of which the compiler left nothing, instead of failing them"},
    {"cores", "N", "largest number of threads that a benchmark may ask for (default: the number of cores)"},
    {"wall-time", "", "also take wall times, after the counts: natively, on cores of their own"},
    {"min-run-time", "TIME", "of all blocks of one wall time (default 0.2 s)"},
    {"", "", "what they are built with"},
    {"torch", "DIR", "the LibTorch to measure (default: ICOUNT_TORCH, the active Python's, the system's)"},
    {"python", "PROGRAM",
     "the Python for Python statements and for scripting modules (default: the one beside --torch, else python3)"},
    {"compiler", "PROGRAM", "the C++ compiler (default: clang++ where there is one, else g++)"},
    {"cxxflag", "FLAG", "a further flag for the compiler", true},
    {"link-flag", "FLAG", "a further flag or library for the linker", true},
    {"", "", "what becomes of the results"},
    {"out,o", "FILE", "write each result here as it comes"},
    {"resume", "", "go on with an unfinished FILE of --out: measure only what it lacks"},
    {"no-graphs", "", "keep the costliest functions instead of whole cost graphs; `icount diff` can then not explain"},
};

constexpr ExampleSpec kExamples[] = {
    {"icount suite run suite/standard.toml --out a.json", "the standard set on the LibTorch that is found"},
    {"icount suite run suite/standard.toml --torch ~/libtorch --out b.json",
     "the same on another build; `icount diff a.json b.json` compares them"},
    {"icount suite run suite/standard.toml --out a.json --resume", "go on after an interrupt"},
    {"icount suite run my.toml --filter 'parse' --repeats 5", "some benchmarks, results only shown"},
};

constexpr int64_t kDefaultNumber = 100;
constexpr int64_t kDefaultRepeats = 2;
constexpr int64_t kDefaultRetries = 1;
constexpr double kDefaultTimeout = 60;
constexpr double kDefaultMinRunTime = 0.2;
constexpr int64_t kMost = 1'000'000'000;

struct RunOptions {
  std::string file;
  PlanOptions plan;
  RunSettings settings;  ///< the command line's; the suite's and the defaults fill what is absent
  ExpandOptions expand;
  ToolchainOptions toolchain;
  std::string out;
  bool resume = false;
  bool keep_graphs = true;
  bool allow_dead = false;
  bool warm = true;
  int stacks = 0;
  bool wall_time = false;
  double min_run_time = kDefaultMinRunTime;
  int jobs = 1;
  int cores = 1;
};

std::optional<int64_t> optional_integer(const ParsedOptions& parsed, std::string_view name, int64_t least) {
  if (!parsed.has(name)) return std::nullopt;
  return parsed.integer(name, least, least, kMost);
}

RunOptions read_options(const ParsedOptions& parsed) {
  RunOptions options;
  if (!parsed.arguments().empty()) options.file = parsed.arguments()[0];
  options.plan = read_plan_options(parsed);
  options.settings = {optional_integer(parsed, "number", 1), optional_integer(parsed, "repeats", 1), std::nullopt,
                      optional_integer(parsed, "retries", 0)};
  if (parsed.has("timeout")) options.settings.timeout_s = parsed.seconds("timeout", kDefaultTimeout);
  options.expand.torchscript = !parsed.has("no-torchscript");
  options.toolchain.torch_dir = parsed.text("torch");
  options.toolchain.python = parsed.text("python");
  options.toolchain.compiler = parsed.text("compiler");
  options.toolchain.cxxflags = parsed.texts("cxxflag");
  options.toolchain.link_flags = parsed.texts("link-flag");
  options.out = parsed.text("out");
  options.resume = parsed.has("resume");
  options.warm = !parsed.has("no-warm");
  options.stacks = static_cast<int>(parsed.integer("stacks", 0, 1, 64));
  options.wall_time = parsed.has("wall-time");
  options.min_run_time = parsed.seconds("min-run-time", kDefaultMinRunTime);
  options.allow_dead = parsed.has("allow-dead");
  options.keep_graphs = !parsed.has("no-graphs");
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  options.jobs = static_cast<int>(parsed.integer("jobs", cores, 1, 1024));
  options.cores = static_cast<int>(parsed.integer("cores", cores, 1, 1'000'000));
  if (options.resume && options.out.empty()) parsed.problem("--resume needs the unfinished file as --out");
  parsed.check();
  return options;
}

/// Command line before suite file before default.
CollectOptions collect_options(const RunOptions& options, const Suite& suite, const CommandContext& context) {
  CollectOptions collect;
  collect.number = options.settings.number.value_or(suite.run.number.value_or(kDefaultNumber));
  collect.repeats = static_cast<int>(options.settings.repeats.value_or(suite.run.repeats.value_or(kDefaultRepeats)));
  collect.time_limit = Seconds(options.settings.timeout_s.value_or(suite.run.timeout_s.value_or(kDefaultTimeout)));
  collect.jobs = options.jobs;
  collect.allow_dead = options.allow_dead;
  collect.warm = options.warm;
  collect.stacks = options.stacks;
  collect.environment = context.environment;
  collect.cache_dir = default_cache_dir(context.environment);
  collect.cancelled = context.cancelled;
  collect.toolchain =
      add_library_flags(suite.library, {options.toolchain, context.environment, collect.cache_dir, context.cancelled});
  return collect;
}

ResultFile make_header(const CommandContext& context, const std::string& identity, size_t planned) {
  ResultFile header;
  header.command = fmt::format("icount {}", shell_quote(context.arguments));
  header.planned = static_cast<int64_t>(planned);
  header.fingerprint.set(kSuiteFact, identity, FactClass::kNameOnly);
  return header;
}

BatchSummary measure(const std::vector<Benchmark>& benchmarks, const RunOptions& options, const Suite& suite,
                     const CollectOptions& collect, SuiteSink& sink, CommandContext& context) {
  if (benchmarks.empty()) return {};
  ProgressLine progress(context.err, context.error_terminal);
  BatchOptions batch;
  batch.collect = collect;
  batch.retries = static_cast<int>(options.settings.retries.value_or(suite.run.retries.value_or(kDefaultRetries)));
  batch.keep_graphs = options.keep_graphs;
  batch.cancelled = context.cancelled;
  batch.on_result = [&](const Result& result) { sink.take(result); };
  batch.on_progress = [&](const BatchProgress& now) { progress.show(now); };
  return run_batch(benchmarks, batch);
}

WallTimeSummary measure_times(const std::vector<Benchmark>& benchmarks, const RunOptions& options,
                              const CollectOptions& collect, SuiteSink& sink, CommandContext& context) {
  WallTimeOptions wall;
  wall.timing.toolchain = collect.toolchain;
  wall.timing.environment = collect.environment;
  wall.timing.cache_dir = collect.cache_dir;
  wall.timing.block_limit = collect.time_limit;
  wall.timing.cancelled = context.cancelled;
  wall.min_run_time = options.min_run_time;
  int widest = 1;
  for (const Benchmark& benchmark : benchmarks) widest = std::max(widest, benchmark.timer_args.num_threads);
  wall.cores = choose_timing_cores(probe_allowed_cores(), widest);
  ProgressLine progress(context.err, context.error_terminal);
  std::vector<std::string> failures;
  wall.on_time = [&](size_t i, const Measurement& measurement) { sink.take_time(benchmarks[i], measurement); };
  wall.on_failure = [&](size_t i, const std::string& why) {
    failures.push_back(fmt::format("no wall time of {}: {}", benchmark_name(benchmarks[i]), why));
  };
  wall.on_progress = [&](const BatchProgress& now) { progress.show(now); };
  const WallTimeSummary summary = run_wall_times(benchmarks, wall);
  progress.clear();
  for (const std::string& failure : failures) context.warn(failure);
  return summary;
}

ExitCode run_suite_run(const ParsedOptions& parsed, CommandContext& context) {
  RunOptions options = read_options(parsed);
  options.expand.model_dir = default_cache_dir(context.environment) / "models";
  options.expand.model_identity = options.toolchain.torch_dir + '\n' + options.toolchain.python;
  const LoadedSuite loaded = load_suite_benchmarks(options.file, options.expand);
  std::vector<Benchmark> selected = select_benchmarks(loaded.benchmarks, options.plan, loaded.suite.name);
  check_threads(selected, options.cores);
  SuiteSink sink({options.out, options.file, options.resume}, make_header(context, loaded.identity, selected.size()));
  if (sink.resumed() > 0)
    context.warn(fmt::format("{} holds {} of {} results, going on", options.out, sink.resumed(), selected.size()));
  const CollectOptions collect = collect_options(options, loaded.suite, context);
  const BatchSummary summary = measure(sink.missing(selected), options, loaded.suite, collect, sink, context);
  WallTimeSummary times;
  if (options.wall_time && !summary.cancelled)
    times = measure_times(sink.untimed(selected), options, collect, sink, context);
  const std::vector<Result> results = sink.take_results();
  render_suite_text(context.out, results, load_times(results), context.terminal.style);
  if (summary.cancelled || times.cancelled) {
    context.warn(options.out.empty()
                     ? "interrupted"
                     : fmt::format("interrupted; the same command with --resume goes on with {}", options.out));
    return ExitCode::kFailure;
  }
  return summary.failed + times.failed > 0 ? ExitCode::kFailure : ExitCode::kOk;
}

}  // namespace

const CommandSpec& suite_run_command() {
  static const CommandSpec command = {
      .name = "suite run",
      .summary = "count the instructions of every benchmark of a suite file",
      .arguments = "FILE",
      .description =
          "FILE is a suite in TOML (docs/suite.md); suite/standard.toml is the standard set for LibTorch. All "
          "benchmarks of a language share one "
          "server under Valgrind, each count is a fork of it. A benchmark that does not compile, crashes or hangs "
          "costs itself alone and is "
          "listed with its own message; the exit code is then 1.\n\n"
          "With --out each result is on the disk as soon as it is there: after an interrupt or a crash the same "
          "command with --resume goes on.\n\n"
          "Options given here win over the suite's [run] section. Python statements and modules that only Python can "
          "script need a Python "
          "with torch; without one they are skipped and listed.",
      .options = kOptions,
      .examples = kExamples,
      .min_arguments = 1,
      .max_arguments = 1,
      .run = run_suite_run,
  };
  return command;
}

}  // namespace icount
