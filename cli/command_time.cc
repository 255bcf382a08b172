#include "icount/cli/command_time.h"

#include <fmt/format.h>

#include <ostream>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/callgraph/allocations.h"
#include "icount/cli/cuda_fallback.h"
#include "icount/cli/time_options.h"
#include "icount/cli/time_run.h"
#include "icount/console/options.h"
#include "icount/console/out_file.h"
#include "icount/report/device_text.h"
#include "icount/store/measurement_file.h"
#include "icount/timer/autorange.h"
#include "icount/timer/collect_callgrind.h"
#include "icount/timer/steady_timing.h"
#include "icount/timer/stub_timing.h"

namespace icount {
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
std::optional<std::string> find_removed(TimeSource& source, const TimeOptions& options, const CommandContext& context) {
  if (options.cold) return std::nullopt;  // each run walks through a cache first: millions would not end
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

Timed time_one(TimeSource& source, const TaskSpec& spec, const TimeOptions& options, const CommandContext& context) {
  constexpr int64_t kRunsOfNothing = 1'000'000;
  if (options.method == TimeMethod::kTimeit) {
    Measurement measurement = timeit(source, spec, options.number);
    return take(std::move(measurement), find_removed(source, options, context), options);
  }
  if (options.method == TimeMethod::kAdaptive) {
    AdaptiveOptions adaptive;
    adaptive.min_run_time = options.min_run_time;
    adaptive.max_run_time = options.max_run_time;
    const auto removed = find_removed(source, options, context);  // blocks of nothing never have a length
    return take(removed ? timeit(source, spec, kRunsOfNothing) : adaptive_autorange(source, spec, adaptive), removed,
                options);
  }
  return take(time_steadily(source, spec, steady_options(options)), options);
}

ToolchainOptions toolchain_options(const TimeOptions& options) {
  ToolchainOptions toolchain;
  toolchain.compiler = options.compiler;
  toolchain.torch_dir = options.torch_dir;
  toolchain.python = options.python;
  toolchain.python_path = options.python_path;
  toolchain.cxxflags = options.cxxflags;
  toolchain.link_flags = options.link_flags;
  return toolchain;
}

StubTimingOptions stub_options(const TimeOptions& options, const CommandContext& context) {
  StubTimingOptions stub;
  stub.toolchain = toolchain_options(options);
  stub.environment = context.environment;
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

TimeRun time_on_cpu(const TimeOptions& options, const CommandContext& context) {
  const StubTiming timing(options.statements, stub_options(options, context));
  TimeRun run;
  run.surroundings = probe_timing_surroundings(options.pin_core);
  run.timed.resize(options.statements.size());
  for (size_t i = 0; i < options.statements.size(); ++i)
    if (const TimingFailure* failure = timing.failure(i)) run.timed[i].error = failure->error;
  if (options.paired && run.timed[0].error.empty() && run.timed[1].error.empty()) {
    const auto a = timing.open(0), b = timing.open(1);
    run.paired = time_paired(*a, options.specs[0], *b, options.specs[1], steady_options(options));
    run.timed[0] = take(run.paired->a, options);
    run.timed[1] = take(run.paired->b, options);
    add_remark(*a, run.timed[0]);
    add_remark(*b, run.timed[1]);
    return run;
  }
  for (size_t i = 0; i < options.statements.size(); ++i) {
    if (!run.timed[i].error.empty()) continue;
    try {
      const auto source = timing.open(i);
      run.timed[i] = time_one(*source, options.specs[i], options, context);
      add_remark(*source, run.timed[i]);
    } catch (const Error& error) {
      if (context.cancelled && context.cancelled()) throw;
      run.timed[i].error = error.what();
    }
  }
  return run;
}

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
  collect.toolchain = toolchain_options(options);
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

void tell_failure(const TaskSpec& spec, const std::string& error, CommandContext& context) {
  context.err << fmt::format("icount: {}: {}\n", escape_for_terminal(task_row_name(spec)), escape_for_terminal(error));
}

ExitCode run_on_cpu(const TimeOptions& options, CommandContext& context) {
  TimeRun run = time_on_cpu(options, context);
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
    tell_failure(options.specs[i], timed.error, context);
  }
  if (!options.out.empty() && !done.empty()) save_measurements(options.out, done);
  return failed ? ExitCode::kFailure : ExitCode::kOk;
}

ExitCode run_on_cuda(const TimeOptions& options, CommandContext& context) {
  CudaStubOptions cuda = options.cuda_stub;
  cuda.cxxflags = options.cxxflags;
  cuda.link_flags = options.link_flags;
  cuda.use_entropy = options.entropy;
  cuda.synchronises = options.cuda_sync;
  cuda.bytes_moved = options.bytes_moved;
  cuda.flops = options.flops;
  cuda.time_limit = Seconds(options.block_limit);
  const ToolchainOptions toolchain = toolchain_options(options);
  ExitCode code = ExitCode::kOk;
  Json results = Json::array();
  for (size_t i = 0; i < options.statements.size(); ++i) {
    const CudaOutcome outcome = time_on_cuda(options.statements[i], cuda, toolchain, context);
    if (!outcome.measurement) {
      code = ExitCode::kFailure;
      tell_failure(options.specs[i], outcome.error, context);
      results.push_back(Json{{"stmt", options.specs[i].stmt}, {"status", "failed"}, {"error", outcome.error}});
      continue;
    }
    results.push_back(Json{
        {"stmt", options.specs[i].stmt}, {"status", "done"}, {"device_measurement", to_json(*outcome.measurement)}});
    if (!options.json)
      context.out << escape_for_terminal(task_title(options.specs[i])) << '\n'
                  << render_device_measurement(*outcome.measurement) << '\n';
  }
  if (options.json)
    context.out << dump_json(
                       Json{{"schema", {{"name", "icount-time"}, {"version", 1}}}, {"results", std::move(results)}})
                << '\n';
  return code;
}

ExitCode run_time(const ParsedOptions& parsed, CommandContext& context) {
  const TimeOptions options = read_time_options(parsed);
  check_writable(options.out);
  // No compiler of ours sees a Python statement: its blocks are timed, and the clock waits for the device.
  const bool is_python = !options.statements.empty() && options.statements[0].language == Language::kPython;
  return options.cuda && !is_python ? run_on_cuda(options, context) : run_on_cpu(options, context);
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
