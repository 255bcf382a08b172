// `icount time`: statements by the wall clock, through native stub servers or on a CUDA device.
#include "icount/cli/commands.h"

#include <fmt/format.h>
#include <utility>

#include <ostream>

#include "icount/base/error.h"
#include "icount/base/json.h"
#include "icount/base/text.h"
#include "icount/callgraph/allocations.h"
#include "icount/cli/cuda_fallback.h"
#include "icount/cli/same_launch.h"
#include "icount/cli/statement_options.h"
#include "icount/cli/time_options.h"
#include "icount/cli/time_run.h"
#include "icount/console/command_spec.h"
#include "icount/console/options.h"
#include "icount/console/shared_options.h"
#include "icount/report/measurement_text.h"
#include "icount/store/measurement_file.h"
#include "icount/timer/autorange.h"
#include "icount/timer/collect_callgrind.h"
#include "icount/timer/steady_timing.h"
#include "icount/timer/stub_timing.h"

namespace icount {
namespace {

// `icount time --device cuda` for statements that nvcc compiles: a program for each, its figures printed. Python
// statements are timed in blocks, by cli/command_time.cc, like those of the CPU.

/// One line that says why a statement has no figures.
void tell_time_failure(const TaskSpec& spec, const std::string& error, CommandContext& context);

/// kFailure when one of them could not be timed; the others' figures are printed all the same.
ExitCode time_on_device(const TimeOptions& options, CommandContext& context);

void tell_time_failure(const TaskSpec& spec, const std::string& error, CommandContext& context) {
  context.err << fmt::format("icount: {}: {}\n", escape_for_terminal(task_row_name(spec)), escape_for_terminal(error));
}

/// What a proof says, and what the timings add to it.
std::string proof_text(const LaunchProof& proof, const std::vector<double>& hot_medians) {
  if (proof.same && hot_medians.empty()) return "same: " + proof.text + "; not timed (--time-anyway times them)";
  std::string text;
  if (hot_medians.size() == 2 && hot_medians[0] > 0)
    text = fmt::format("against takes {:.4g} times as long as stmt, by hot medians taken one after the other: ",
                       hot_medians[1] / hot_medians[0]);
  return text + (proof.same ? "noise, as " : "not known to be the same: ") + proof.text;
}

ExitCode time_on_device(const TimeOptions& options, CommandContext& context) {
  CudaStubOptions cuda = options.cuda_stub;
  cuda.cxxflags = options.cxxflags;
  cuda.link_flags = options.link_flags;
  cuda.use_entropy = options.entropy;
  cuda.synchronises = options.cuda_sync;
  cuda.bytes_moved = options.bytes_moved;
  cuda.flops = options.flops;
  cuda.time_limit = Seconds(options.block_limit);
  const ToolchainOptions toolchain = time_toolchain(options);
  ExitCode code = ExitCode::kOk;
  Json results = Json::array();
  std::optional<LaunchProof> proof;
  if (options.paired) proof = compare_launches(options.statements[0], options.statements[1], cuda, context);
  const bool is_timed = !proof || !proof->same || options.time_anyway;
  std::vector<double> hot_medians;
  for (size_t i = 0; i < options.statements.size(); ++i) {
    if (!is_timed) {
      results.push_back(Json{{"stmt", options.specs[i].stmt}, {"status", "same"}});
      continue;
    }
    const CudaOutcome outcome = time_on_cuda(options.statements[i], cuda, toolchain, context);
    if (!outcome.measurement) {
      code = ExitCode::kFailure;
      tell_time_failure(options.specs[i], outcome.error, context);
      results.push_back(Json{{"stmt", options.specs[i].stmt}, {"status", "failed"}, {"error", outcome.error}});
      continue;
    }
    Json item{
        {"stmt", options.specs[i].stmt}, {"status", "done"}, {"device_measurement", to_json(*outcome.measurement)}};
    hot_medians.push_back(outcome.measurement->median_hot());
    if (options.specs[i].label) item["label"] = *options.specs[i].label;
    if (options.specs[i].sub_label) item["sub_label"] = *options.specs[i].sub_label;
    results.push_back(std::move(item));
    if (!options.json)
      context.out << escape_for_terminal(task_title(options.specs[i])) << '\n'
                  << render_device_measurement(*outcome.measurement) << '\n';
  }
  Json json{{"schema", {{"name", "icount-time"}, {"version", 1}}}, {"results", std::move(results)}};
  if (proof) {
    json["same"] = proof->same;
    json["proof"] = proof->text;
    if (!options.json) context.out << escape_for_terminal(proof_text(*proof, hot_medians)) << '\n';
  }
  if (options.json) context.out << dump_json(json) << '\n';
  return code;
}

}  // namespace

namespace {

constexpr ExampleSpec kTimeExamples[] = {
    {"icount time --setup 'auto x = torch::ones({64, 64});' --stmt 'auto y = x + x;' --num-threads 1,2",
     "one statement with one and two threads"},
    {"icount time --setup 'std::vector<int> v(1000);' --stmt 'std::vector<int> w = v; icount::keep(w);' "
     "--ci 1%",
     "until the 95 % interval of the median is within 1 %"},
    {"icount time --setup 'auto x = torch::rand({100});' --stmt 'x.sum();' --against 'x.mean();'",
     "two statements, interleaved, and their ratio"},
    {"icount time --instructions --setup 'std::string s(100, 0);' --stmt 'icount::keep(s.find(1));'",
     "instruction counts beside the times"},
    {"icount time --stmt 'auto y = x * w;' --setup '...' --description new --out new.json && icount compare old.json "
     "new.json",
     "save timings, then compare them in a table"},
};

SteadyOptions steady_options(const TimeOptions& options) {
  SteadyOptions steady;
  steady.ci = options.ci;
  steady.min_run_time = options.min_run_time;
  steady.max_run_time = options.max_run_time;
  return steady;
}

/// A removed statement is a failure, as it is for `icount count`; its figures are shown all the same.
Timed take(SteadyResult result, const TimeOptions& options) {
  Timed timed;
  if (result.reason == StopReason::kRemoved && !options.allow_dead)
    timed.error = result.why + "; use its result, as in icount::keep(y), or pass --allow-dead";
  timed.measurement = std::move(result.measurement);
  timed.notes = std::move(result.notes);
  timed.notes.insert(timed.notes.begin(), result.why);
  return timed;
}

/// Why there is nothing to time; nullopt as well for one that fails after more runs than were asked for: it is there.
std::optional<std::string> find_removed(TimeSource& source, const CommandContext& context) {
  try {
    return probe_removed(source);
  } catch (const Error&) {
    if (context.cancelled && context.cancelled()) throw;
    return std::nullopt;
  }
}

/// The same for timings that search no number of runs.
Timed take(Measurement measurement, const std::optional<std::string>& removed, const TimeOptions& options) {
  Timed timed;
  timed.measurement = std::move(measurement);
  if (!removed) return timed;
  timed.notes.push_back(*removed);
  if (!options.allow_dead) timed.error = *removed + "; use its result, as in icount::keep(y), or pass --allow-dead";
  return timed;
}

constexpr int64_t kRunsOfNothing = 1'000'000;

Timed time_one(TimeSource& source, const TaskSpec& spec, const TimeOptions& options, const CommandContext& context) {
  if (options.method == TimeMethod::kTimeit) {
    Measurement measurement = timeit(source, spec, options.number);
    // Cold runs each walk through a cache first: millions would not end, and TimedOnCpu has asked before.
    return take(std::move(measurement), options.cold ? std::nullopt : find_removed(source, context), options);
  }
  if (options.method == TimeMethod::kAdaptive) {
    AdaptiveOptions adaptive;
    adaptive.threshold = options.threshold;
    adaptive.min_run_time = options.min_run_time;
    adaptive.max_run_time = options.max_run_time;
    // Blocks of nothing never have a length.
    const auto removed = options.cold ? std::nullopt : find_removed(source, context);
    return take(removed ? timeit(source, spec, kRunsOfNothing) : adaptive_autorange(source, spec, adaptive), removed,
                options);
  }
  return take(time_steadily(source, spec, steady_options(options)), options);
}

StubTimingOptions stub_options(const TimeOptions& options, const CommandContext& context) {
  StubTimingOptions stub;
  stub.toolchain = time_toolchain(options);
  stub.environment = with_cuda_device(context.environment, options.cuda_stub.device);
  stub.torch_as_needed = options.torch_dir.empty();
  stub.block_limit = Seconds(options.block_limit);
  stub.pin_core = options.pin_core;
  stub.cold_bytes = options.cold ? probe_cold_bytes() : 0;
  stub.waits_for_device = options.cuda_sync;
  stub.on_device = options.cuda;
  stub.cancelled = context.cancelled;
  if (context.error_terminal.is_terminal)
    stub.on_progress = [&context](const std::string& text) { context.err << text << "...\n" << std::flush; };
  return stub;
}

void add_remark(const TimeSource& source, Timed& timed) {
  if (std::string remark = source.remark(); !remark.empty()) timed.notes.push_back(std::move(remark));
}

/// The statements one after the other, or in pairs.
class TimedOnCpu {
 public:
  TimedOnCpu(const TimeOptions& options, const CommandContext& context)
      : options_(options), context_(context), timing_(options.statements, stub_options(options, context)) {
    if (!options.cold) return;
    StubTimingOptions warm = stub_options(options, context);
    warm.cold_bytes = 0;
    warm_.emplace(options.statements, std::move(warm));
  }

  TimeRun run() {
    run_.surroundings = probe_timing_surroundings(options_.pin_core);
    if (options_.cuda) run_.surroundings["device"] = "cuda";
    if (options_.cuda_stub.device) run_.surroundings["cuda_device"] = *options_.cuda_stub.device;
    run_.timed.resize(options_.statements.size());
    for (size_t i = 0; i < run_.timed.size(); ++i)
      if (const TimingFailure* failure = timing_.failure(i)) run_.timed[i].error = failure->error;
    if (options_.paired) {
      for (size_t i = 0; i < run_.timed.size(); i += 2) pair(i);
    } else {
      for (size_t i = 0; i < run_.timed.size(); ++i) single(i);
    }
    for (size_t i = 0; i < run_.timed.size(); ++i) run_.timed[i].built = timing_.build_of(i);
    return std::move(run_);
  }

 private:
  /// Cold runs of nothing hardly end, so warm ones answer for them; true when they did.
  bool take_removed(size_t i) {
    if (!warm_ || has_end(i)) return false;
    const auto source = warm_->open(i);
    const auto removed = find_removed(*source, context_);
    if (removed) run_.timed[i] = take(timeit(*source, options_.specs[i], kRunsOfNothing), removed, options_);
    return removed.has_value();
  }

  void single(size_t i) {
    if (!run_.timed[i].error.empty()) return;
    try {
      if (take_removed(i)) return;
      const auto source = timing_.open(i);
      run_.timed[i] = time_one(*source, options_.specs[i], options_, context_);
      add_remark(*source, run_.timed[i]);
    } catch (const Error& error) {
      if (context_.cancelled && context_.cancelled()) throw;
      run_.timed[i].error = error.what();
    }
  }

  bool has_end(size_t i) const { return run_.timed[i].measurement || !run_.timed[i].error.empty(); }

  /// Statements first and first + 1 in turns; where one of them can't be timed, the other alone.
  void pair(size_t first) {
    std::string problem;
    try {
      const bool one_removed = take_removed(first), other_removed = take_removed(first + 1);
      if (!one_removed && !other_removed && !has_end(first) && !has_end(first + 1)) return take_turns(first);
    } catch (const Error& error) {
      if (context_.cancelled && context_.cancelled()) throw;
      problem = error.what();  // of one of them: each alone says whose
    }
    for (const size_t i : {first, first + 1})
      if (!has_end(i)) single(i);
    if (problem.empty() || !run_.timed[first].error.empty() || !run_.timed[first + 1].error.empty()) return;
    for (const size_t i : {first, first + 1}) run_.timed[i].error = "could not be timed interleaved: " + problem;
  }

  void take_turns(size_t first) {
    const auto a = timing_.open(first), b = timing_.open(first + 1);
    PairedResult paired =
        time_paired(*a, options_.specs[first], *b, options_.specs[first + 1], steady_options(options_));
    run_.ratios.push_back({options_.specs[first].num_threads, paired.ratio, paired.interval});
    run_.timed[first] = take(std::move(paired.a), options_);
    run_.timed[first + 1] = take(std::move(paired.b), options_);
    add_remark(*a, run_.timed[first]);
    add_remark(*b, run_.timed[first + 1]);
  }

  const TimeOptions& options_;
  const CommandContext& context_;
  StubTiming timing_;
  std::optional<StubTiming> warm_;  // for cold timings: whether there is anything to time
  TimeRun run_;
};

/// Counts of the statements that could be timed; one that can't be counted keeps its time and has an error.
void count_instructions(const TimeOptions& options, const CommandContext& context, TimeRun& run) {
  std::vector<TimerArgs> statements;
  std::vector<size_t> members;
  for (size_t i = 0; i < run.timed.size(); ++i) {
    if (!run.timed[i].measurement) continue;
    statements.push_back(options.statements[i]);
    members.push_back(i);
  }
  if (members.empty()) return;
  CollectOptions collect;
  collect.allow_dead = options.allow_dead;
  collect.torch_as_needed = options.torch_dir.empty();
  collect.toolchain = time_toolchain(options);
  collect.environment = context.environment;
  collect.cancelled = context.cancelled;
  try {
    for (const CollectResult& counted : collect_callgrind(statements, collect)) {
      Timed& timed = run.timed[members[counted.index]];
      if (counted.status == CollectStatus::kDone) {
        timed.instructions = counted.per_run;
        if (const auto counts = count_allocations(counted.graph); counts && counted.number_per_run > 0)
          timed.allocations = static_cast<double>(counts->allocations) / static_cast<double>(counted.number_per_run);
      } else {
        timed.error = "timed, but its instructions were not counted: " + counted.error;
      }
    }
  } catch (const Error& error) {
    if (context.cancelled && context.cancelled()) throw;
    for (const size_t member : members)
      run.timed[member].error = fmt::format("timed, but its instructions were not counted: {}", error.what());
  }
}

ExitCode run_on_cpu(const TimeOptions& options, CommandContext& context) {
  TimeRun run = TimedOnCpu(options, context).run();
  if (options.instructions) count_instructions(options, context, run);
  if (options.json)
    context.out << dump_json(time_run_to_json(run, options)) << '\n';
  else
    render_time_run(context.out, run, options);
  std::vector<Measurement> done;
  bool failed = false;
  for (size_t i = 0; i < run.timed.size(); ++i) {
    const Timed& timed = run.timed[i];
    if (timed.measurement) done.push_back(with_metadata(timed, run.surroundings));
    if (timed.error.empty()) continue;
    failed = true;
    tell_time_failure(options.specs[i], timed.error, context);
  }
  if (!options.out.empty() && !done.empty()) save_measurements(options.out, done);
  return failed ? ExitCode::kFailure : ExitCode::kOk;
}

ExitCode run_time(const ParsedOptions& parsed, CommandContext& context) {
  const TimeOptions options = read_time_options(parsed);
  warn_of_missing_folders(parsed, "link", context);
  check_writable(options.out);
  // No compiler of ours sees a Python statement: its blocks are timed, and the clock waits for the device.
  const bool is_python = !options.statements.empty() && options.statements[0].language == Language::kPython;
  return options.cuda && !is_python ? time_on_device(options, context) : run_on_cpu(options, context);
}

}  // namespace

const CommandSpec& time_command() {
  static const CommandSpec command = {
      .name = "time",
      .summary = "measure the wall time of statements, on the CPU or a CUDA device",
      .arguments = "",
      .description =
          "Each statement is compiled into a stub and runs natively in a process of its own: set-up, a warm-up run, "
          "then blocks of runs. The block length is chosen like torch.utils.benchmark's blocked_autorange does. icount "
          "takes blocks until --min-run-time is reached, or until the median is within the --ci interval. The first, "
          "cold block is discarded and reported.\n\nA statement whose time does not grow with the number "
          "of runs was optimized away by the compiler. That is a failure, as in `icount count`, unless --allow-dead is "
          "given. Use the statement's result, as in icount::keep(y).",
      .options = time_option_table(),
      .examples = kTimeExamples,
      .run = run_time,
  };
  return command;
}

}  // namespace icount
