#include "cli/command_suite_run.h"

#include <fmt/format.h>

#include <ctime>
#include <optional>
#include <ostream>
#include <set>
#include <thread>

#include "base/error.h"
#include "cli/progress_line.h"
#include "cli/suite_options.h"
#include "harness/build_cache.h"
#include "report/suite_text.h"
#include "store/result_file.h"
#include "suite/batch.h"
#include "suite/library_flags.h"
#include "suite/suite_record.h"
#include "suite/work_order.h"

namespace icount {
namespace {

constexpr OptionSpec kOptions[] = {
    {"", "", "Which benchmarks:"},
    {"filter", "REGEX", "only benchmarks whose name contains a match (RE2); `icount suite list` shows the names"},
    {"language", "LANG", "only c++, torchscript or python; may be repeated or a list with commas", true},
    {"shard", "I/N", "only part I of N equal parts, for several machines"},
    {"no-torchscript", "", "leave out TorchScript variants"},
    {"", "", "How they are measured:"},
    {"number", "N", "runs in one count (default: the suite's, else 100)"},
    {"repeats", "N", "counts of each benchmark, every one in a fresh process (default: the suite's, else 2)"},
    {"timeout", "TIME", "limit for one count, such as 90 or 2m (default: the suite's, else 60 s)"},
    {"retries", "N", "further attempts for what timed out or lost its server (default: the suite's, else 1)"},
    {"jobs", "N", "counts in flight (default: the number of cores)"},
    {"warm", "", "run every benchmark once before the server forks and put its memory back: several times faster, counts as without"},
    {"stacks", "N", "record call stacks, N callers with every function (1 to 64): for flame graphs and `icount export`; counts stay the same"},
    {"allow-dead", "", "count statements of which the compiler left nothing, instead of failing them"},
    {"cores", "N", "largest number of threads that a benchmark may ask for (default: the number of cores)"},
    {"", "", "What they are built with:"},
    {"torch", "DIR", "the LibTorch to measure (default: ICOUNT_TORCH, the active Python's, the system's)"},
    {"python", "PROGRAM", "the Python for Python statements and for scripting modules (default: the one beside --torch, else python3)"},
    {"compiler", "PROGRAM", "the C++ compiler (default: clang++ where there is one, else g++)"},
    {"cxxflag", "FLAG", "a further flag for the compiler", true},
    {"link-flag", "FLAG", "a further flag or library for the linker", true},
    {"", "", "What becomes of the results:"},
    {"out,o", "FILE", "write each result here as it comes"},
    {"resume", "", "go on with an unfinished FILE of --out: measure only what it lacks"},
    {"no-graphs", "", "keep the costliest functions instead of whole cost graphs; `icount diff` can then not explain"},
};

constexpr ExampleSpec kExamples[] = {
    {"icount suite run suite/standard.toml --out a.json", "the standard set on the LibTorch that is found"},
    {"icount suite run suite/standard.toml --torch ~/libtorch --out b.json", "the same on another build; `icount diff a.json b.json` compares them"},
    {"icount suite run suite/standard.toml --out a.json --resume", "go on after an interrupt"},
    {"icount suite run my.toml --filter 'parse' --repeats 5", "some benchmarks, results only shown"},
};

constexpr int64_t kDefaultNumber = 100;
constexpr int64_t kDefaultRepeats = 2;
constexpr int64_t kDefaultRetries = 1;
constexpr double kDefaultTimeout = 60;
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
  bool warm = false;
  int stacks = 0;
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
  options.settings = {optional_integer(parsed, "number", 1), optional_integer(parsed, "repeats", 1), std::nullopt, optional_integer(parsed, "retries", 0)};
  if (parsed.has("timeout")) options.settings.timeout_s = parsed.seconds("timeout", kDefaultTimeout);
  options.expand.torchscript = !parsed.has("no-torchscript");
  options.toolchain.torch_dir = parsed.text("torch");
  options.toolchain.python = parsed.text("python");
  options.toolchain.compiler = parsed.text("compiler");
  options.toolchain.cxxflags = parsed.texts("cxxflag");
  options.toolchain.link_flags = parsed.texts("link-flag");
  options.out = parsed.text("out");
  options.resume = parsed.has("resume");
  options.warm = parsed.has("warm");
  options.stacks = static_cast<int>(parsed.integer("stacks", 0, 1, 64));
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
  collect.toolchain = add_library_flags(suite.library, {options.toolchain, context.environment, collect.cache_dir, context.cancelled});
  return collect;
}

/// The results of one run: where they go, and what an earlier run left.
class ResultSink {
 public:
  ResultSink(const RunOptions& options, const ResultFile& header) : path_(options.out), suite_file_(options.file) {
    if (path_.empty()) return;
    auto existing = options.resume ? ResultAppender::Existing::kResume : ResultAppender::Existing::kReplace;
    appender_.emplace(path_, header, existing);
    results_ = appender_->resumed().results;
    resumed_ = results_.size();
  }

  /// Those without a result yet.
  std::vector<Benchmark> missing(std::vector<Benchmark> benchmarks) const {
    std::set<std::string> there;
    for (const Result& result : results_) there.insert(parse_record(result.extra).key);
    std::erase_if(benchmarks, [&](const Benchmark& benchmark) { return there.contains(work_order_key(benchmark)); });
    return benchmarks;
  }

  void take(Result result) {
    SuiteRecord record = parse_record(result.extra);
    record.unix_time = static_cast<int64_t>(std::time(nullptr));
    record.file = suite_file_;
    result.extra = record_text(record);
    check_alike(result);
    if (appender_) appender_->append(result);
    result.graph = nullptr;  // they are in the file; the table needs none
    result.stacks = nullptr;
    results_.push_back(std::move(result));
  }

  std::vector<Result> take_results() { return std::move(results_); }
  size_t resumed() const { return resumed_; }

 private:
  /// A resumed file must go on under the conditions it was begun under.
  void check_alike(const Result& result) {
    if (resumed_ == 0 || !result.ok()) return;
    for (size_t i = 0; i < resumed_; ++i) {
      const Result& before = results_[i];
      if (!before.ok() || before.task.language != result.task.language || before.task.num_threads != result.task.num_threads) continue;
      Comparability answer = comparable(before.fingerprint, result.fingerprint);
      std::vector<std::string> why = answer.refusals;
      why.insert(why.end(), answer.differences.begin(), answer.differences.end());
      if (why.empty()) return;
      throw Error(ErrorKind::kCannotJudge, fmt::format("{} was begun under other conditions, it can't be gone on with: {}", path_, fmt::join(why, "; ")));
    }
  }

  std::string path_, suite_file_;
  std::optional<ResultAppender> appender_;
  std::vector<Result> results_;
  size_t resumed_ = 0;
};

ResultFile make_header(const CommandContext& context, const std::string& identity, size_t planned) {
  ResultFile header;
  header.command = fmt::format("icount {}", shell_quote(context.arguments));
  header.planned = static_cast<int64_t>(planned);
  header.fingerprint.set(kSuiteFact, identity, FactClass::kNameOnly);
  return header;
}

BatchSummary measure(const std::vector<Benchmark>& benchmarks, const RunOptions& options, const Suite& suite, ResultSink& sink, CommandContext& context) {
  ProgressLine progress(context.err, context.error_terminal);
  BatchOptions batch;
  batch.collect = collect_options(options, suite, context);
  batch.retries = static_cast<int>(options.settings.retries.value_or(suite.run.retries.value_or(kDefaultRetries)));
  batch.keep_graphs = options.keep_graphs;
  batch.cancelled = context.cancelled;
  batch.on_result = [&](const Result& result) { sink.take(result); };
  batch.on_progress = [&](const BatchProgress& now) { progress.show(now); };
  return run_batch(benchmarks, batch);
}

ExitCode run_suite_run(const ParsedOptions& parsed, CommandContext& context) {
  RunOptions options = read_options(parsed);
  options.expand.model_dir = default_cache_dir(context.environment) / "models";
  options.expand.model_identity = options.toolchain.torch_dir + '\n' + options.toolchain.python;
  const LoadedSuite loaded = load_suite_benchmarks(options.file, options.expand);
  std::vector<Benchmark> selected = select_benchmarks(loaded.benchmarks, options.plan, loaded.suite.name);
  check_threads(selected, options.cores);
  ResultSink sink(options, make_header(context, loaded.identity, selected.size()));
  std::vector<Benchmark> missing = sink.missing(selected);
  if (sink.resumed() > 0) context.warn(fmt::format("{} holds {} of {} results, going on", options.out, sink.resumed(), selected.size()));
  BatchSummary summary;
  if (!missing.empty()) summary = measure(missing, options, loaded.suite, sink, context);
  std::vector<Result> results = sink.take_results();
  sort_by_position(results);
  render_suite_text(context.out, results, context.terminal.style);
  if (summary.cancelled) {
    context.warn(options.out.empty() ? "interrupted" : fmt::format("interrupted; the same command with --resume goes on with {}", options.out));
    return ExitCode::kFailure;
  }
  return summary.failed > 0 ? ExitCode::kFailure : ExitCode::kOk;
}

}  // namespace

const CommandSpec& suite_run_command() {
  static const CommandSpec command = {
      .name = "suite run",
      .summary = "count the instructions of every benchmark of a suite file",
      .arguments = "FILE",
      .description =
          "FILE is a suite in TOML (docs/suite.md); suite/standard.toml is the standard set for LibTorch. All benchmarks of a language share one "
          "server under Valgrind, each count is a fork of it. A benchmark that does not compile, crashes or hangs costs itself alone and is "
          "listed with its own message; the exit code is then 1.\n\n"
          "With --out each result is on the disk as soon as it is there: after an interrupt or a crash the same command with --resume goes on.\n\n"
          "Options given here win over the suite's [run] section. Python statements and modules that only Python can script need a Python "
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
