#include "icount/cli/run_suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/callgrind/installed_valgrind.h"
#include "icount/cli/named_folders.h"
#include "icount/cli/progress_line.h"
#include "icount/cli/server_option.h"
#include "icount/cli/suite_options.h"
#include "icount/cli/suite_sink.h"
#include "icount/cli/version_text.h"
#include "icount/gate/git_worktree.h"
#include "icount/harness/build_cache.h"
#include "icount/inputs/shown_arguments.h"
#include "icount/store/result_file.h"
#include "icount/suite/batch.h"
#include "icount/suite/bench_cases.h"
#include "icount/suite/library_flags.h"
#include "icount/suite/suite_record.h"
#include "icount/suite/take_over.h"
#include "icount/suite/wall_time.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kDefaultNumber = 100;
constexpr int64_t kDefaultRepeats = 2;
constexpr int64_t kDefaultRetries = 1;
constexpr double kDefaultTimeout = 60;

/// Command line before suite file before default.
CollectOptions collect_options(const SuiteRunOptions& options, const Suite& suite, const CommandContext& context) {
  CollectOptions collect;
  collect.number = options.settings.number.value_or(suite.run.number.value_or(kDefaultNumber));
  collect.repeats = static_cast<int>(options.settings.repeats.value_or(suite.run.repeats.value_or(kDefaultRepeats)));
  collect.time_limit = Seconds(options.settings.timeout_s.value_or(suite.run.timeout_s.value_or(kDefaultTimeout)));
  collect.jobs = options.jobs;
  collect.allow_dead = options.allow_dead;
  collect.warm = options.warm;
  collect.isolate = suite.run.isolate;
  collect.server = make_server_use(!options.finds_server, false, context);
  collect.stacks = options.stacks;
  collect.callgrind_options = options.callgrind_options;
  collect.keep_insides = options.keep_graphs && options.jumps;
  collect.python_calls = options.keep_graphs && options.python_calls;
  collect.keep_lines = options.keep_graphs;  // later diffs name lines and prove inlining moves by them
  collect.environment = context.environment;
  collect.cache_dir = default_cache_dir(context.environment);
  collect.cancelled = context.cancelled;
  collect.toolchain =
      add_library_flags(suite.library, {options.toolchain, context.environment, collect.cache_dir, context.cancelled});
  return collect;
}

/// What every benchmark cost in an earlier run: all its repeats, and what comes before them.
std::map<std::string, double> load_costs(const std::string& file) {
  constexpr double kBesides = 1e6;  // starting a child, reading its profile: instructions that no count has
  std::map<std::string, double> costs;
  for (const Result& result : load_result_file(file).file.results) {
    double cost = kBesides;
    for (const int64_t count : result.counts) cost += static_cast<double>(count);
    costs[result_key(result)] = cost;
  }
  if (costs.empty()) throw Error(ErrorKind::kUsage, fmt::format("--balance {}: it holds no results", file));
  return costs;
}

/// What all shards of this run measure together; nullopt where there are none.
std::optional<ShardOf> shard_of(const std::vector<Benchmark>& benchmarks, PlanOptions plan, const std::string& suite) {
  if (plan.shard.count == 1) return std::nullopt;
  ShardOf shard{plan.shard.index, plan.shard.count, {}};
  plan.shard = {};
  for (const Benchmark& benchmark : select_benchmarks(benchmarks, plan, suite))
    shard.plan.push_back({static_cast<int64_t>(benchmark.position), benchmark_name(benchmark)});
  return shard;
}

ResultFile make_header(const CommandContext& context, const std::string& identity, size_t planned,
                       std::optional<ShardOf> shard) {
  ResultFile header;
  header.shard = std::move(shard);
  header.command = fmt::format("icount {}", shell_quote(shown_arguments(context.arguments)));
  header.planned = static_cast<int64_t>(planned);
  header.fingerprint.set(kSuiteFact, identity, FactClass::kNameOnly);
  return header;
}

IdentityOptions identity_options(const SuiteRunOptions& options, const Suite& suite, const CollectOptions& collect) {
  Valgrind valgrind = choose_valgrind(collect.environment.get(kValgrindVariable).value_or(""));
  choose_counter(collect.environment.get(kCounterVariable).value_or(""), "", valgrind);
  return {.collect = collect,
          .memory = options.memory,
          .keep_graphs = options.keep_graphs,
          .tools = fmt::format("icount {} {}, Valgrind {} {}{}", icount_version(), icount_commit(), valgrind.version,
                               valgrind.path.string(), valgrind.counter_folder.empty() ? "" : ", its own counter"),
          .inputs = suite.inputs.value_or(std::vector<fs::path>())};
}

/// Of an unfinished file's results those stay whose benchmarks have not changed since.
void go_on(const std::vector<Benchmark>& selected, const SuiteRunOptions& options, const Suite& suite,
           BenchmarkIdentities& identities, SuiteSink& sink, CommandContext& context) {
  if (sink.resumed().empty()) return;
  const size_t there = sink.resumed().size();
  Resumed resumed = resume_results(selected, sink.resumed(), identities);
  std::string text = fmt::format("{} holds {} of {} results", options.out, there, selected.size());
  if (!resumed.changed.empty()) text += "; measuring again " + describe(resumed.changed);
  if (!resumed.unknown.empty()) text += "; keeping " + describe(resumed.unknown, " that may have changed");
  context.warn(text);
  const bool reads = std::any_of(resumed.results.begin(), resumed.results.end(),
                                 [](const Result& result) { return result.task.program.empty(); });
  if (!suite.inputs && reads)
    context.warn(fmt::format(
        "files that statements read while they run were not checked: suite {} does not name them (inputs = [...])",
        suite.name));
  sink.keep(std::move(resumed.results));
}

/// Hands what has not changed since the baseline to the sink; the benchmarks that are left to be measured.
std::vector<Benchmark> skip_unchanged(std::vector<Benchmark> benchmarks, const SuiteRunOptions& options,
                                      const Suite& suite, BenchmarkIdentities& identities, SuiteSink& sink,
                                      CommandContext& context) {
  if (options.skip_unchanged.empty() || benchmarks.empty()) return benchmarks;
  if (!suite.inputs)
    throw Error(ErrorKind::kUsage,
                fmt::format("--skip-unchanged: suite {} does not say which files its benchmarks read; add inputs = "
                            "[\"data/*\"] to it, or inputs = [] when they read none",
                            suite.name));
  TakenOver taken =
      take_over(benchmarks, load_result_file(options.skip_unchanged).file, options.skip_unchanged, identities);
  context.warn(describe(taken, options.skip_unchanged));
  for (Result& result : taken.results) sink.take(std::move(result));
  return std::move(taken.rest);
}

BatchSummary measure(const std::vector<Benchmark>& benchmarks, const SuiteRunOptions& options, const Suite& suite,
                     const CollectOptions& collect, BenchmarkIdentities* identities, SuiteSink& sink,
                     CommandContext& context) {
  if (benchmarks.empty()) return {};
  ProgressLine progress(context.err, context.error_terminal);
  BatchOptions batch;
  batch.collect = collect;
  batch.retries = static_cast<int>(options.settings.retries.value_or(suite.run.retries.value_or(kDefaultRetries)));
  batch.keep_graphs = options.keep_graphs;
  batch.memory = options.memory;
  batch.identities = identities;
  batch.cancelled = context.cancelled;
  batch.on_result = [&](const Result& result) { sink.take(result); };
  batch.on_progress = [&](const BatchProgress& now) { progress.show(now); };
  return run_batch(benchmarks, batch);
}

WallTimeSummary measure_times(const std::vector<Benchmark>& benchmarks, const SuiteRunOptions& options,
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

fs::path folder_of_suite(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

}  // namespace

void run_build(const Suite& suite, const CommandContext& context) {
  for (const BuildStep& step : suite.build) {
    const ProcessOutcome outcome =
        run_user_command({"/bin/sh", "-c", step.command}, step.folder, {}, context.cancelled);
    if (context.cancelled && context.cancelled()) throw Error(ErrorKind::kTool, "interrupted");
    if (!outcome.ok())
      throw Error(ErrorKind::kTool,
                  fmt::format("suite {}: build = \"{}\": {}", suite.name, step.command, describe_end(outcome)));
  }
}

namespace {

/// Builds the suite's binaries and puts their cases in the places of its [[bench]] entries. Returns whether it built.
bool expand_cases(LoadedSuite& loaded, const SuiteRunOptions& options, const CommandContext& context) {
  const auto is_bench = [](const Benchmark& benchmark) { return bool(benchmark.bench); };
  if (!options.plan.languages.empty() || std::none_of(loaded.benchmarks.begin(), loaded.benchmarks.end(), is_bench))
    return false;
  run_build(loaded.suite, context);
  ExpandedBenches expanded = expand_benches(std::move(loaded.benchmarks), [&](const BenchBinary& binary) {
    BenchOptions list = bench_options(binary);
    const double limit = options.settings.timeout_s.value_or(loaded.suite.run.timeout_s.value_or(kDefaultTimeout));
    list.time_limit = Seconds(binary.timeout_s.value_or(limit));
    list.environment = context.environment;
    list.toolchain = options.toolchain;
    list.cancelled = context.cancelled;
    return list_bench(list);
  });
  if (context.cancelled && context.cancelled()) throw Error(ErrorKind::kTool, "interrupted");
  for (const std::string& refused : expanded.refused) context.warn("not counted: " + refused);
  loaded.benchmarks = std::move(expanded.benchmarks);
  return true;
}

std::vector<Benchmark> without_programs(std::vector<Benchmark> benchmarks, const CommandContext& context) {
  const auto programs = std::erase_if(benchmarks, [](const Benchmark& benchmark) { return !benchmark.is_statement(); });
  if (programs > 0)
    context.warn(fmt::format("no wall time of {}: --wall-time is for statements",
                             counted(static_cast<int64_t>(programs), "program")));
  return benchmarks;
}

/// A LibTorch that was asked for by name is built in, whatever the suite says.
void build_with_torch(LoadedSuite& loaded) {
  loaded.suite.library.torch = true;
  for (Benchmark& benchmark : loaded.benchmarks)
    if (benchmark.is_statement() && benchmark.timer_args.language != Language::kPython)
      benchmark.timer_args.torch = true;
}

}  // namespace

SuiteRun run_suite(const SuiteRunOptions& options, CommandContext& context) {
  ExpandOptions expand = options.expand;
  expand.model_dir = default_cache_dir(context.environment) / "models";
  expand.model_identity = options.toolchain.torch_dir + '\n' + options.toolchain.python;
  LoadedSuite loaded = load_suite_benchmarks(options.file, expand);
  if (!options.toolchain.torch_dir.empty()) build_with_torch(loaded);
  const bool is_built = expand_cases(loaded, options, context);
  PlanOptions plan = options.plan;
  if (!options.balance.empty()) plan.shard.costs = load_costs(options.balance);
  std::vector<Benchmark> selected = select_benchmarks(loaded.benchmarks, plan, loaded.suite.name);
  check_threads(selected, options.cores);
  SuiteSink sink({options.out, options.file, options.resume,
                  probe_named_folders({folder_of_suite(options.file), "."}, loaded.suite.library.include_dirs,
                                      context.environment)},
                 make_header(context, loaded.identity, selected.size(),
                             shard_of(loaded.benchmarks, options.plan, loaded.suite.name)));
  if (!is_built &&
      std::any_of(selected.begin(), selected.end(), [](const Benchmark& benchmark) { return benchmark.program; }))
    run_build(loaded.suite, context);
  const CollectOptions collect = collect_options(options, loaded.suite, context);
  std::optional<BenchmarkIdentities> identities;
  if (!options.out.empty() || !options.skip_unchanged.empty())
    identities.emplace(identity_options(options, loaded.suite, collect));
  if (identities) go_on(selected, options, loaded.suite, *identities, sink, context);
  std::vector<Benchmark> missing = sink.missing(selected);
  if (identities) missing = skip_unchanged(std::move(missing), options, loaded.suite, *identities, sink, context);
  const BatchSummary summary =
      measure(missing, options, loaded.suite, collect, identities ? &*identities : nullptr, sink, context);
  WallTimeSummary times;
  if (options.wall_time && !summary.cancelled)
    times = measure_times(without_programs(sink.untimed(selected), context), options, collect, sink, context);
  return {.results = sink.take_results(),
          .failed = summary.failed + times.failed,
          .cancelled = summary.cancelled || times.cancelled};
}

}  // namespace icount
