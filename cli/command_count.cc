// `icount count`: instructions of statements, or of any program.
#include "icount/cli/commands.h"

#include <fmt/format.h>
#include <string_view>
#include <utility>
#include <vector>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <set>

#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/json.h"
#include "icount/base/text.h"
#include "icount/cli/count_options.h"
#include "icount/cli/cuda_fallback.h"
#include "icount/cli/name_options.h"
#include "icount/cli/named_folders.h"
#include "icount/cli/server_option.h"
#include "icount/cli/statement_options.h"
#include "icount/cli/time_options.h"
#include "icount/cli/write_document.h"
#include "icount/console/command_spec.h"
#include "icount/console/shared_options.h"
#include "icount/console/terminal.h"
#include "icount/gate/base_build.h"
#include "icount/gate/commit_sources.h"
#include "icount/gate/git_worktree.h"
#include "icount/harness/statement_needs.h"
#include "icount/harness/stub_source.h"
#include "icount/harness/timer_args.h"
#include "icount/inputs/compare_files.h"
#include "icount/inputs/git_commit.h"
#include "icount/inputs/measure_program.h"
#include "icount/inputs/shown_arguments.h"
#include "icount/report/explanation_document.h"
#include "icount/report/measurement_text.h"
#include "icount/report/results_text.h"
#include "icount/stats/result.h"
#include "icount/store/measurement_file.h"
#include "icount/store/result_file.h"
#include "icount/timer/count_results.h"
#include "icount/timer/steady_timing.h"
#include "icount/timer/stub_timing.h"

namespace icount {
namespace {

// The statements of `icount count` whose work a CUDA device does: Valgrind cannot count them, so they get the device's
// wall-clock times instead. How such a statement is recognized and timed: cli/cuda_fallback.h.

/// Status of a result that has no count because a device does the work, and of one that has no times either.
inline constexpr std::string_view kOnDevice = "on-device", kDeviceFailed = "device-failed";

/// Takes the statements out of the options whose work a CUDA device does: all of them with --device cuda, else those
/// that create a context in a native run.
std::vector<TimerArgs> take_cuda_statements(CountOptions& options, const CommandContext& context);

/// A result without counts whose error says why; `extra` has the device's times, which are also printed, where
/// --no-fallback does not forbid it and they can be measured (else the status is kDeviceFailed).
Result measure_on_device(const TimerArgs& statement, const CountOptions& options, CommandContext& context);

/// For statements that run natively: to see whether they use a device, and to time Python ones on it.
StubTimingOptions native_options(const CountOptions& options, const CommandContext& context) {
  StubTimingOptions native;
  native.toolchain = options.collect.toolchain;
  if (!options.torch_dirs.empty()) native.toolchain.torch_dir = options.torch_dirs[0];
  native.environment = with_cuda_device(context.environment, options.cuda.device);
  native.torch_as_needed = options.collect.torch_as_needed;
  native.block_limit = options.collect.time_limit;
  native.cancelled = context.cancelled;
  return native;
}

/// Fills in the figures of `icount time --device cuda --language python`, or what keeps them away.
void measure_python(const TimerArgs& statement, const CountOptions& options, CommandContext& context, Result& result) {
  StubTimingOptions native = native_options(options, context);
  native.on_device = true;
  try {
    const StubTiming timing({&statement, 1}, std::move(native));
    if (const TimingFailure* failure = timing.failure(0)) {
      result.details = failure->details;
      throw Error(ErrorKind::kTool, failure->error);
    }
    TaskSpec spec{.stmt = statement.stmt, .setup = statement.setup, .global_setup = statement.global_setup};
    spec.num_threads = statement.num_threads;
    const auto source = timing.open(0);
    const SteadyResult timed = time_steadily(*source, clean_spec(std::move(spec), statement.language));
    result.extra = dump_json(Json{{"measurement", to_json(timed.measurement)}});
    if (options.format == OutputFormat::kJson) return;
    context.out << escape_lines_for_terminal(render_measurement(timed.measurement)) << '\n';
    if (const std::string remark = source->remark(); !remark.empty())
      context.out << "  " << escape_for_terminal(remark) << '\n';
    context.out << '\n';
  } catch (const Error& error) {
    if (context.cancelled && context.cancelled()) throw;
    result.status = kDeviceFailed;
    result.error = error.what();
  }
}

std::vector<TimerArgs> take_cuda_statements(CountOptions& options, const CommandContext& context) {
  if (options.on_cuda) return std::exchange(options.statements, {});
  const std::vector<bool> on_cuda = find_cuda_statements(options.statements, native_options(options, context));
  std::vector<TimerArgs> taken, left;
  for (size_t i = 0; i < on_cuda.size(); ++i) (on_cuda[i] ? taken : left).push_back(options.statements[i]);
  options.statements = std::move(left);
  return taken;
}

Result measure_on_device(const TimerArgs& statement, const CountOptions& options, CommandContext& context) {
  Result result = make_failed_result(statement, kOnDevice, {});
  result.error = describe_no_count(result_key(result));
  context.err << "icount: " << escape_for_terminal(result.error)
              << (options.fallback ? "; reporting wall-clock times instead\n" : "\n");
  if (!options.fallback) return result;
  if (statement.language == Language::kPython) {
    measure_python(statement, options, context, result);
    return result;
  }
  CudaStubOptions cuda = options.cuda;
  cuda.cxxflags = options.collect.toolchain.cxxflags;
  cuda.link_flags = options.collect.toolchain.link_flags;
  ToolchainOptions toolchain = options.collect.toolchain;
  if (!options.torch_dirs.empty()) toolchain.torch_dir = options.torch_dirs[0];
  const CudaOutcome outcome = time_on_cuda(statement, cuda, toolchain, context);
  if (outcome.measurement) {
    result.extra = dump_json(Json{{"device_measurement", to_json(*outcome.measurement)}});
    if (options.format != OutputFormat::kJson)
      context.out << escape_for_terminal(result_key(result)) << '\n'
                  << render_device_measurement(*outcome.measurement) << '\n';
    return result;
  }
  result.status = kDeviceFailed;
  result.error = outcome.error;
  result.details = outcome.details;
  return result;
}

}  // namespace

namespace {

constexpr ExampleSpec kCountExamples[] = {
    {"icount count --setup 'auto x = torch::ones({4, 4});' --stmt 'auto y = x * x;'",
     "the cost of a LibTorch statement"},
    {"icount count --setup 'std::string s(100, 0);' --stmt 'icount::keep(s.find(1));'",
     "a plain C++ statement; keep() stops the compiler from removing an unused result"},
    {"icount count --setup 'auto x = torch::ones({4, 4});' --stmt 'auto y = x + x;' --stmt 'auto y = x * 2;' --explain",
     "two ways to write the same thing, and why one costs more"},
    {"icount count --global x=tensor:input.pt --global n=int:3 --stmt 'auto y = x * n;'",
     "values for the statement: a tensor that LibTorch saved, and an integer"},
    {"icount count --stmt 'auto y = torch::ones({8});' --torch /opt/libtorch-2.1 --torch /opt/libtorch-2.2",
     "one statement on two LibTorchs"},
    {"icount count --base-ref main --cxxflag=-Iinclude --global-setup '#include \"map.h\"' --stmt 'use(map());'",
     "a statement at main and in the working tree, and why its cost differs"},
    {"icount count --out base.icount -- ./calc 1+1", "any program, saved for a later diff"},
};

std::string progress_words(const CollectProgress& progress) {
  if (progress.total < 2 || progress.stage == CollectProgress::Stage::kHeader) return progress.text;
  return fmt::format("{} ({} of {})", progress.text, progress.done, progress.total);
}

/// "LibTorch 2.13.0" for each folder of --torch; the folders themselves where versions are equal or not known.
std::vector<std::string> torch_names(const CountOptions& options, const CommandContext& context) {
  std::vector<std::string> names;
  std::set<std::string> distinct;
  for (const std::string& dir : options.torch_dirs) {
    ToolchainOptions toolchain = options.collect.toolchain;
    toolchain.torch_dir = dir;
    names.push_back("LibTorch " + probe_libtorch(toolchain, context.environment).version);
    distinct.insert(names.back());
  }
  return distinct.size() == names.size() && !distinct.contains("LibTorch unknown") ? names : options.torch_dirs;
}

/// All statements in one variant, whose name labels get when it is not empty.
std::vector<Result> collect(const CountOptions& options, const std::string& torch_dir, const std::string& variant,
                            CommandContext& context) {
  StatusLine progress(context.err, context.error_terminal);
  CollectOptions collect = options.collect;
  collect.toolchain.torch_dir = torch_dir;
  collect.keep_lines = true;  // --explain and later diffs prove inlining moves by lines
  collect.environment = context.environment;
  collect.server = make_server_use(options.no_server, true, context);
  collect.cancelled = context.cancelled;
  collect.on_progress = [&](const CollectProgress& now) { progress.say(progress_words(now)); };
  std::vector<CollectResult> collected = collect_callgrind(options.statements, collect);
  std::vector<Result> results;
  for (size_t i = 0; i < collected.size(); ++i) {
    Result result = make_result(options.statements[i], std::move(collected[i]));
    if (!variant.empty()) {
      if (result.label.empty()) result.label = {result_label(result)};
      result.label.push_back(variant);
    }
    results.push_back(std::move(result));
  }
  return results;
}

/// A folder that is the same on both sides.
void check_flags_at_commits(const CountOptions& options, const std::string& top) {
  const ToolchainOptions& toolchain = options.collect.toolchain;
  for (const std::vector<std::string>& flags : {toolchain.cxxflags, toolchain.link_flags})
    for (const std::string& flag : flags)
      if (flag.find(top + "/") != std::string::npos || flag.ends_with(top))
        throw Error(ErrorKind::kUsage,
                    fmt::format("{} names the working tree, not a commit: name it relative to this folder", flag));
}

/// All statements at both commits, from the folder of a worktree that corresponds to this one.
std::vector<Result> collect_at_commits(const CountOptions& options, CommandContext& context) {
  const std::filesystem::path top = git_output(".", {"rev-parse", "--show-toplevel"});
  check_flags_at_commits(options, top.string());
  if (!options.head_ref.empty()) resolve_commit(".", options.head_ref);
  const GitWorktree tree(".", options.base_ref, make_worktrees_folder(context.environment));
  const std::filesystem::path folder = tree.path() / git_output(".", {"rev-parse", "--show-prefix"});
  std::vector<Result> results;
  for (const std::string& reference : {options.base_ref, options.head_ref}) {
    const bool is_here = reference.empty();
    const std::string commit = is_here ? std::string() : resolve_commit(".", reference);
    if (!is_here) tree.checkout(commit);
    const std::string name = is_here ? "working tree" : fmt::format("{} ({})", reference, commit.substr(0, 10));
    if (!is_here && !std::filesystem::is_directory(folder))
      throw Error(ErrorKind::kCannotJudge, fmt::format("{} has no folder that corresponds to this one", name));
    const WorkingFolder there(is_here ? "." : folder);
    run_build_command(options.build, is_here ? top : tree.path(), {}, name, context);
    std::vector<Result> at_one =
        collect(options, options.torch_dirs.empty() ? std::string() : options.torch_dirs[0], name, context);
    results.insert(results.end(), std::make_move_iterator(at_one.begin()), std::make_move_iterator(at_one.end()));
  }
  return results;
}

}  // namespace

ProgramInputOptions input_options(const CountOptions& options, CommandContext& context) {
  ProgramInputOptions input = options.input;
  input.time_limit_s = options.collect.time_limit.count();
  input.cancelled = context.cancelled;
  input.say = [&](const std::string& text) { context.warn(text); };
  return input;
}

std::vector<Result> measure_counts(const CountOptions& options, CommandContext& context) {
  if (!options.program.empty()) {
    MeasureProgramOptions program;
    program.argv = options.program;
    program.working_dir = options.working_dir;
    program.time_limit_s = options.collect.time_limit.count();
    program.repeats = options.collect.repeats;
    program.pins = options.collect.pins;
    program.stacks = options.collect.stacks;
    program.jumps = options.collect.keep_insides;
    program.children = options.children;
    program.per_thread = options.collect.per_thread;
    program.within = options.within;
    program.only_marked = options.only_marked;
    program.label = options.label;
    program.memory = options.memory;
    program.expected_end = options.expected_end;
    program.callgrind_options = options.collect.callgrind_options;
    const ProgramInput spooled(input_options(options, context));
    program.input_file = spooled.path().string();
    return measure_program(program, context);
  }
  if (!options.base_ref.empty()) return collect_at_commits(options, context);
  if (options.torch_dirs.size() < 2)
    return collect(options, options.torch_dirs.empty() ? std::string() : options.torch_dirs[0], {}, context);
  std::vector<Result> results;
  const std::vector<std::string> names = torch_names(options, context);
  for (size_t i = 0; i < names.size(); ++i) {
    std::vector<Result> with_one = collect(options, options.torch_dirs[i], names[i], context);
    results.insert(results.end(), std::make_move_iterator(with_one.begin()), std::make_move_iterator(with_one.end()));
  }
  return results;
}

namespace {

/// Whether a statement without a global set-up did not compile because nothing declares a name in it.
bool lacks_declaration(const Result& result) {
  if (result.status != "compile-error" || !result.task.global_setup.empty()) return false;
  for (const char* words : {"not declared", "not been declared", "undeclared identifier", "unknown type name"})
    if (result.error.find(words) != std::string::npos) return true;
  return false;
}

}  // namespace

void report_failed_counts(const std::vector<Result>& results, const CommandContext& context) {
  constexpr size_t kMostLines = 30;
  for (const Result& result : results) {
    if (result.ok()) continue;
    context.err << "icount: " << escape_for_terminal(result_key(result)) << ": "
                << escape_for_terminal(result.error.empty() ? result.status : result.error) << '\n';
    const auto lines = split_lines(result.details);
    for (size_t i = 0; i < lines.size() && i < kMostLines; ++i)
      context.err << "  | " << escape_for_terminal(lines[i]) << '\n';
    if (lines.size() > kMostLines) context.err << "  | " << lines.size() - kMostLines << " more lines\n";
  }
  if (std::any_of(results.begin(), results.end(), lacks_declaration))
    context.err << "icount: --global-setup '#include \"HEADER\"' declares names for a statement\n";
}

namespace {

/// Which results are compared: each variant with the first for one statement, else each statement with the first one.
std::vector<std::pair<size_t, size_t>> pairs_to_explain(const CountOptions& options, size_t count) {
  std::vector<std::pair<size_t, size_t>> pairs;
  const size_t per_variant = options.statements.size();
  for (size_t i = 1; i < count; ++i) {
    if (!options.has_variants())
      pairs.emplace_back(0, i);
    else if (i >= per_variant)
      pairs.emplace_back(i % per_variant, i);
  }
  return pairs;
}

void explain_differences(const CountOptions& options, const ResultFile& file, CommandContext& context) {
  CompareResultsOptions compare{.force = true};
  std::optional<CommitSources> commits;
  if (!options.base_ref.empty()) {
    commits = load_commit_sources(".", options.base_ref, options.head_ref);
    compare.commits = &*commits;
  }
  for (const auto& [base, head] : pairs_to_explain(options, file.results.size())) {
    const Result& a = file.results[base];
    const Result& b = file.results[head];
    if (a.counts.empty() || b.counts.empty() || !a.ok() || !b.ok()) continue;
    ComparedPair pair = compare_results({result_key(a), &file, &a}, {result_key(b), &file, &b}, compare);
    // Within one run the circumstances are the same but for what follows from the statements themselves.
    if (!options.has_variants()) pair.heading.notes.clear();
    ExplanationView view;
    view.raw = options.view.raw;
    context.out << '\n';
    write_document(context, options.format, [&](size_t width) {
      return make_explanation_document(pair.explanation, pair.heading, view, width);
    });
  }
}

/// What is shown of results with --transform; what is saved keeps its names.
std::vector<Result> with_shown_names(std::vector<Result> results, const std::optional<NameRules>& rules) {
  if (!rules) return results;
  for (Result& result : results)
    if (result.graph) result.graph = std::make_shared<const CostGraph>(transformed(*result.graph, *rules));
  return results;
}

void show(const CountOptions& options, const ResultFile& file, CommandContext& context) {
  const std::vector<Result> shown = with_shown_names(file.results, options.transform);
  if (options.format == OutputFormat::kJson) {
    context.out << dump_json(results_to_json(shown, options.view.filter)) << '\n';
    return;
  }
  write_document(context, options.format,
                 [&](size_t width) { return make_results_document(shown, options.view, width); });
  if (options.explain) explain_differences(options, file, context);
}

/// Wall-clock figures in place of a count are what was promised, unless --no-fallback refused them.
bool is_success(const Result& result, const CountOptions& options) {
  return result.ok() || (result.status == kOnDevice && options.fallback);
}

/// Where the flags of the command line look for headers.
std::vector<std::filesystem::path> include_folders(const CountOptions& options) {
  std::vector<std::filesystem::path> folders;
  for (const std::string& flag : options.collect.toolchain.cxxflags)
    if (flag.starts_with("-I/")) folders.emplace_back(flag.substr(2));
  return folders;
}

ExitCode run_count(const ParsedOptions& parsed, CommandContext& context) {
  check_subject(parsed);
  CountOptions options = read_count_options(parsed);
  warn_of_missing_folders(parsed, "link", context);
  if (options.emit_stub) {
    std::vector<TimerArgs> statements;
    for (const TimerArgs& args : options.statements) statements.push_back(make_cpp_statement(args));
    if (options.collect.torch_as_needed)
      LibTorchNeeds().decide(statements, options.collect.toolchain, context.environment);
    context.out << make_whole_stub(statements);
    return ExitCode::kOk;
  }
  check_writable(options.out_file);
  ResultFile file;
  file.command = "icount " + shell_quote(shown_arguments(context.arguments));
  const std::vector<TimerArgs> on_cuda = take_cuda_statements(options, context);
  if (on_cuda.empty() || !options.statements.empty()) file.results = measure_counts(options, context);
  report_failed_counts(file.results, context);
  const auto counted = std::count_if(file.results.begin(), file.results.end(),
                                     [](const Result& result) { return !result.counts.empty(); });
  const bool is_json = options.format == OutputFormat::kJson;
  if (!is_json && (counted > 0 || file.results.size() > 1)) show(options, file, context);
  for (const TimerArgs& statement : on_cuda) {
    file.results.push_back(measure_on_device(statement, options, context));
    if (file.results.back().status == kDeviceFailed) report_failed_counts({file.results.back()}, context);
  }
  if (is_json) show(options, file, context);
  const bool all_ok = std::all_of(file.results.begin(), file.results.end(),
                                  [&](const Result& result) { return is_success(result, options); });
  if (!options.out_file.empty() && (counted > 0 || !on_cuda.empty())) {
    ResultFile saved = file;
    const std::vector<NamedFolder> folders = probe_named_folders({"."}, include_folders(options), context.environment);
    for (Result& result : saved.results) name_folders(result.fingerprint, folders);
    share_fingerprint(saved);
    save_result_file(options.out_file, saved);
  }
  return all_ok ? ExitCode::kOk : ExitCode::kFailure;
}

}  // namespace

const CommandSpec& count_command() {
  static const CommandSpec command = {
      .name = "count",
      .summary = "count the instructions of statements or of a whole program",
      .arguments = "[-- PROGRAM ARGS...]",
      .description =
          "Counts are in Ir (instructions read): the number of instructions that the CPU executed, as Valgrind's "
          "Callgrind counts them.\n\nicount compiles each statement into a small program, a stub, and runs it under "
          "Valgrind. Only the statement is counted: --number runs of it, after a warm-up. The same statement gives "
          "the same count in every repeat, process and folder, because icount pins the environment, the address space "
          "and the CPU dispatch (--release-pin unpins one of them). Stubs are cached: the same command compiles only "
          "once.\n\n\"per run\" is the count divided by the number of runs. \"slope\" is the marginal cost of one more "
          "run, without what is paid only once. When a statement's result is unused, the compiler may optimize the "
          "statement away, and icount reports it as dead: wrap the result in icount::keep(...). The compiler may also "
          "compute in advance what has constant inputs: put them into variables, and hide their values with "
          "icount::keep(variable) in the set-up.\n\nWith -- PROGRAM ARGS icount counts the whole program with every "
          "process that it starts. The program's own output goes to standard error. The program reads icount's "
          "standard input, unless that is a terminal: icount reads it to its end first, so that every repeat gets the "
          "same bytes. Regions that the program names itself with CALLGRIND_DUMP_STATS_AT(\"NAME\") become results of "
          "their own.",
      .options = count_option_table(),
      .examples = kCountExamples,
      .takes_program = true,
      .run = run_count,
  };
  return command;
}

}  // namespace icount
