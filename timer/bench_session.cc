#include "icount/timer/bench_session.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <system_error>

#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/text.h"
#include "icount/callgraph/graph_sum.h"
#include "icount/callgrind/code_reader.h"
#include "icount/callgrind/command.h"
#include "icount/callgrind/user_options.h"
#include "icount/callgrind/valgrind_log.h"
#include "icount/harness/bench_hooks.h"
#include "icount/harness/build_cache.h"
#include "icount/harness/elf_file.h"
#include "icount/objects/misplaced_code.h"
#include "icount/stats/iteration_slopes.h"
#include "icount/stats/result.h"
#include "icount/timer/case_memory.h"
#include "icount/timer/collect_fingerprint.h"
#include "icount/timer/count_gaps.h"
#include "icount/timer/region_parts.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHooksFile = "bench_hooks.so";

std::string decode_hex(std::string_view hex) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string text;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) text += static_cast<char>(digit(hex[i]) * 16 + digit(hex[i + 1]));
  return text;
}

/// A wait status as the hooks saw it.
ProcessOutcome outcome_of(int64_t pid, int64_t status) {
  ProcessOutcome outcome;
  outcome.pid = static_cast<int>(pid);
  const int value = static_cast<int>(status);
  outcome.end = WIFSIGNALED(value) ? ProcessOutcome::End::kSignalled : ProcessOutcome::End::kExited;
  if (WIFSIGNALED(value))
    outcome.signal = WTERMSIG(value);
  else
    outcome.exit_code = WEXITSTATUS(value);
  return outcome;
}

/// The numbers behind a line's first word.
std::vector<int64_t> numbers_of(const std::vector<std::string_view>& words) {
  std::vector<int64_t> numbers;
  for (size_t i = 1; i < words.size(); ++i) numbers.push_back(parse_int64(words[i]).value_or(0));
  return numbers;
}

void read_event(std::string_view line, BenchRun& run) {
  const std::vector<std::string_view> words = split(line, ' ');
  if (words[0] == "layout") run.unknown_layout = true;
  if (words[0] == "together") run.is_together = true;
  if (words[0] == "case") {
    run.cases.emplace_back();
    if (words.size() > 2) run.cases.back().name = decode_hex(words[2]);
    return;
  }
  const std::vector<int64_t> numbers = numbers_of(words);
  if (numbers.empty() || numbers[0] < 0 || static_cast<size_t>(numbers[0]) >= run.cases.size()) return;
  BenchCaseRun& one = run.cases[static_cast<size_t>(numbers[0])];
  if (words[0] == "part" && numbers.size() == 7 && numbers[1] >= 0 && numbers[1] <= 2)
    one.parts.push_back({static_cast<BenchPart::Step>(numbers[1]), numbers[2], static_cast<int>(numbers[3]),
                         static_cast<int>(numbers[4]), static_cast<int>(numbers[5]), numbers[6] != 0});
  if (words[0] == "memory" && numbers.size() == 5)
    one.memory = {static_cast<int>(numbers[1]), static_cast<int>(numbers[2]), numbers[3], numbers[4] != 0};
  if (words[0] == "escaped" && numbers.size() == 2)
    one.escape = numbers[1] == 1   ? BenchEscape::kProcess
                 : numbers[1] == 2 ? BenchEscape::kThread
                                   : BenchEscape::kStaleCode;
  if (words[0] == "ran" && numbers.size() == 2) one.ran = numbers[1];
  if (words[0] == "counter" && words.size() == 5)
    one.counters.push_back({decode_hex(words[4]), numbers[1], std::bit_cast<double>(numbers[2])});
  if (words[0] == "ended" && numbers.size() == 3) one.failure = outcome_of(numbers[1], numbers[2]);
  const std::string text = words.size() > 2 ? decode_hex(words.back()) : std::string();
  if (words[0] == "label") one.label = text;
  if (words[0] == "error") one.error = text.empty() ? "skipped with an error" : text;
  if (words[0] == "skipped") one.skipped = text.empty() ? "skipped" : text;
  if (words[0] == "complexity" && numbers.size() == 2) one.complexity_n = numbers[1];
}

/// Looks into the events while the binary runs: a case that takes too long ends the run.
class CaseClock {
 public:
  CaseClock(fs::path events, Seconds limit) : events_(std::move(events)), limit_(limit) {}

  bool expired() {
    if (limit_.count() <= 0) return false;
    std::error_code error;
    const auto size = fs::file_size(events_, error);
    if (!error && size != size_) {
      size_ = size;
      const std::string text = load_text(events_);
      const std::vector<std::string_view> lines = split_lines(text);
      const auto cases =
          std::count_if(lines.begin(), lines.end(), [](std::string_view line) { return line.starts_with("case "); });
      if (cases != cases_) {
        cases_ = cases;
        began_ = Clock::now();
      }
    }
    return expired_ = expired_ || Clock::now() - began_ > limit_;
  }
  bool has_expired() const { return expired_; }

 private:
  using Clock = std::chrono::steady_clock;
  fs::path events_;
  Seconds limit_;
  uintmax_t size_ = 0;
  std::ptrdiff_t cases_ = 0;
  Clock::time_point began_ = Clock::now();
  bool expired_ = false;
};

CostGraph sum_of(std::vector<CostGraph> parts) {
  if (parts.size() == 1) return std::move(parts[0]);
  std::vector<const CostGraph*> all;
  for (const CostGraph& part : parts) all.push_back(&part);
  return sum_graphs(all);
}

std::string load_if_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error) ? load_text(path) : std::string();
}

}  // namespace

const BenchPart* BenchCaseRun::find(BenchPart::Step step) const {
  const auto found = std::find_if(parts.begin(), parts.end(), [&](const BenchPart& part) { return part.step == step; });
  return found == parts.end() ? nullptr : &*found;
}

namespace {

std::vector<std::string> valgrind_command(const BenchRunSpec& spec, const Valgrind& valgrind, const fs::path& folder) {
  const std::string log = fmt::format("--log-file={}", valgrind_path(folder / "log"));
  if (spec.memory) {
    std::vector<std::string> command = make_dhat_command(valgrind.path, fs::path(valgrind_path(folder)) / "dhat.%p");
    // Nothing is to be freed at the end of a process that ends in the middle of a case.
    command.insert(command.end(), {"--run-libc-freeres=no", "--run-cxx-freeres=no", log});
    for (std::string& option : probe_stack_options()) command.push_back(std::move(option));
    return command;
  }
  CallgrindOptions callgrind;
  callgrind.out_file = fs::path(valgrind_path(folder)) / "cg.%p";
  callgrind.collect_jumps = spec.jumps;
  callgrind.instrument_at_start = false;  // the hooks switch it on at main
  callgrind.extra = probe_stack_options();
  if (!valgrind.counter_folder.empty()) callgrind.extra.emplace_back("--children-alike=yes");  // a case forked each
  callgrind.extra.insert(callgrind.extra.end(), spec.callgrind_options.begin(), spec.callgrind_options.end());
  callgrind.extra.push_back(log);
  return make_callgrind_command(valgrind, callgrind);
}

/// Runs it; leaves its files in `folder`, which is empty before. A failing binary is a value.
/// Error{kTool} when it can't be started.
BenchRun run_bench(const BenchRunSpec& spec, const Valgrind& valgrind, const fs::path& folder) {
  save_file(folder / "plan", spec.plan);
  save_file(folder / kBenchOutFile, "");
  std::vector<std::string> further = {"LD_PRELOAD=" + spec.hooks.string(), "ICOUNT_BENCH_DIR=" + folder.string()};
  further.insert(further.end(), spec.extra_environment.begin(), spec.extra_environment.end());
  const PinnedSurroundings surroundings = apply_pins(spec.pins, spec.environment, further);
  ProcessSpec process;
  process.argv = valgrind_command(spec, valgrind, folder);
  process.argv.insert(process.argv.end(), spec.argv.begin(), spec.argv.end());
  process.environment = surroundings.environment.block();
  process.disable_aslr = surroundings.disable_aslr;
  process.working_dir = spec.working_dir;
  CaseClock clock(folder / "events", spec.case_limit);
  process.cancelled = [&] { return clock.expired() || (spec.cancelled && spec.cancelled()); };

  BenchRun run;
  run.outcome = run_process(process);
  run.case_timed_out = clock.has_expired() && run.outcome.end == ProcessOutcome::End::kCancelled;
  const std::string events = load_if_there(folder / "events");
  for (const std::string_view line : split_lines(events)) read_event(line, run);
  std::optional<ProcessOutcome> ended = run.outcome;
  for (const BenchCaseRun& one : run.cases)
    if (one.failure) ended = one.failure;
  if (ended->end == ProcessOutcome::End::kSignalled && ended->signal == SIGILL)
    if (const auto unknown = find_unhandled_instruction(load_if_there(folder / "log"), ended->pid))
      run.unhandled_instruction = describe_unknown_instruction(*unknown);
  return run;
}

/// What a region cost in the benchmark itself: without the hooks' own functions and without those that were active
/// around the region. Error{kIo} when the part is not whole.
CostGraph load_bench_region(const fs::path& folder, const BenchPart& part) {
  ParseOptions parse;
  parse.keep_lines = true;
  parse.keep_insides = true;  // of a profile without jumps nothing is kept
  std::vector<CostGraph> parts;
  for (int number = part.first_part; number <= part.part; number += 2)
    parts.push_back(load_region(folder, part.pid, number, parse, RegionStart::kAfterLastPart, KeptCode::kAll));
  CostGraph graph = sum_of(std::move(parts));
  remove_functions(graph, [&](FunctionIndex f) { return graph.object(f).ends_with(kHooksFile); });
  remove_outer_callers(graph);
  if (part.first_part < part.part) complete_inclusive(graph);
  if (part.is_toggled)
    graph.call_counts = {false, "the case pauses its timing very often, and calls were counted throughout"};
  return graph;
}

}  // namespace

namespace {

/// The binary keeps its folder and its arguments: they are what was asked for.
Pins bench_pins(Pins pins) {
  for (const Pin pin : {Pin::kWorkingDir, Pin::kArgv})
    if (pins.holds(pin)) pins.released.push_back(pin);
  return pins;
}

void add_slope(Result& result, const BenchRegion& few, const BenchRegion& many) {
  if (many.iterations <= few.iterations) return;
  const auto difference = static_cast<double>(many.graph.totals[0] - few.graph.totals[0]);
  result.slope = difference / static_cast<double>(many.iterations - few.iterations);
  result.fixed = static_cast<double>(many.graph.totals[0]) - *result.slope * static_cast<double>(many.iterations);
}

/// Index of the repeat with the (lower) median count.
size_t median_of(const std::vector<int64_t>& counts) {
  std::vector<int64_t> sorted = counts;
  std::sort(sorted.begin(), sorted.end());
  const int64_t median = sorted[(sorted.size() - 1) / 2];
  return static_cast<size_t>(std::find(counts.begin(), counts.end(), median) - counts.begin());
}

}  // namespace

fs::path find_binary(const std::string& name, const fs::path& folder) {
  std::error_code error;
  const fs::path there = !folder.empty()                       ? folder / name
                         : name.find('/') == std::string::npos ? fs::path(".") / name
                                                               : fs::path(name);
  const bool is_file = name.find('/') != std::string::npos || fs::is_regular_file(there, error);
  return find_program(is_file ? there.string() : name);
}

BenchSession::BenchSession(const BenchOptions& options, BenchFramework framework, bool is_stripped)
    : options_(options),
      framework_(framework),
      is_stripped_(is_stripped),
      valgrind_(choose_valgrind(options.environment.get(kValgrindVariable).value_or(""))),
      pins_(bench_pins(options.pins)),
      binary_(fs::absolute(find_binary(options.argv.at(0), options.working_dir))),
      namer_(regroups_functions(options.callgrind_options) ? CodePlacing::kAsListed : CodePlacing::kByAddress) {
  choose_counter(options.environment.get(kCounterVariable).value_or(""),
                 options.callgrind_options.empty() ? "" : "further events and options of Callgrind", valgrind_);
  BuildCache cache(default_cache_dir(options.environment));
  hooks_ = build_bench_hooks(probe_compiler(options.toolchain, options.environment), cache);
}

std::string BenchSession::command_text() const { return shell_quote(options_.argv); }

BenchRun BenchSession::run(const std::vector<std::string>& arguments, const std::string& plan, const fs::path& folder) {
  return run(make_spec(arguments, plan), folder);
}

BenchRun BenchSession::run_memory(const std::vector<std::string>& arguments, const std::string& plan,
                                  const fs::path& folder) {
  BenchRunSpec spec = make_spec(arguments, "memory 1\n" + plan);
  spec.memory = true;
  return run(spec, folder);
}

BenchRunSpec BenchSession::make_spec(const std::vector<std::string>& arguments, const std::string& plan) const {
  BenchRunSpec spec;
  spec.argv = {binary_.string()};
  spec.argv.insert(spec.argv.end(), options_.argv.begin() + 1, options_.argv.end());
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.hooks = hooks_;
  spec.plan = plan;
  if (options_.number > 0) spec.plan += fmt::format("number {}\n", options_.number);
  spec.pins = pins_;
  spec.jumps = options_.jumps;
  spec.environment = options_.environment;
  spec.extra_environment = options_.extra_environment;
  spec.working_dir = options_.working_dir;
  spec.callgrind_options = options_.callgrind_options;
  spec.case_limit = options_.time_limit;
  spec.cancelled = options_.cancelled;
  return spec;
}

BenchRun BenchSession::run(const BenchRunSpec& spec, const fs::path& folder) {
  BenchRun run = run_bench(spec, valgrind_, folder);
  if (run.outcome.end == ProcessOutcome::End::kCancelled && !run.case_timed_out)
    throw Error(ErrorKind::kTool, fmt::format("counting {} was interrupted", command_text()));
  aslr_refused_ |= run.outcome.aslr_refused;
  return run;
}

ProcessOutcome BenchSession::run_natively(const std::vector<std::string>& arguments) const {
  const PinnedSurroundings surroundings = apply_pins(pins_, options_.environment, options_.extra_environment);
  ProcessSpec process;
  process.working_dir = options_.working_dir;
  process.argv = {binary_.string()};
  process.argv.insert(process.argv.end(), options_.argv.begin() + 1, options_.argv.end());
  process.argv.insert(process.argv.end(), arguments.begin(), arguments.end());
  process.environment = surroundings.environment.block();
  process.time_limit = options_.time_limit;
  process.cancelled = options_.cancelled;
  return run_process(process);
}

bool BenchSession::is_wanted(const std::vector<std::string>& label) const {
  return options_.only.empty() || std::find(options_.only.begin(), options_.only.end(), label) != options_.only.end();
}

void BenchSession::take_failure(const BenchRun& run, const BenchCaseRun& one, MeasuredCase& measured) const {
  if (one.escape == BenchEscape::kProcess)
    measured.fail(
        "forked",
        "the case starts processes, which are not counted; `icount count` counts a program with its processes");
  if (one.escape == BenchEscape::kThread)
    measured.fail("escaped",
                  "a thread that the case starts outlives its loop, so the loop's cost depends on timing; join the "
                  "thread inside the loop");
  if (one.escape == BenchEscape::kStaleCode && !sets_smc_check(options_.callgrind_options))
    measured.fail("stale-code",
                  "the case runs code from memory that a memfd or a deleted file backs, as some JIT compilers do: "
                  "where such code is rewritten, Valgrind runs the old code; count it with --callgrind-option "
                  "--smc-check=all");
  if (!one.failure) return;
  BenchRun as_run;
  as_run.outcome = *one.failure;
  if (as_run.outcome.signal == SIGILL) as_run.unhandled_instruction = run.unhandled_instruction;
  const auto [status, error] = describe_failure(as_run, options_);
  measured.fail(status, error);
}

void BenchSession::take_regions(const fs::path& folder, const BenchCaseRun& one, MeasuredCase& measured) const {
  using Step = BenchPart::Step;
  const auto take = [&](Step step, std::optional<BenchRegion>& region) {
    if (const BenchPart* part = one.find(step)) region = {part->iterations, load_bench_region(folder, *part)};
  };
  take(Step::kFew, measured.few);
  take(Step::kMany, measured.many);
}

Result BenchSession::make_result(const std::string& label, std::vector<MeasuredCase> repeats, const Json& extra) {
  Result result;
  result.label = {label};
  result.task.stmt = label;
  result.task.language = to_text(framework_);
  for (const MeasuredCase& repeat : repeats) {
    if (repeat.status != "done" && result.ok()) {
      result.status = repeat.status;
      result.error = repeat.error;
    }
    if (repeat.many) result.counts.push_back(repeat.many->graph.totals[0]);
  }
  if (!result.ok()) result.counts.clear();
  if (result.counts.empty()) {
    if (result.ok()) {
      result.status = "failed";
      result.error =
          options_.kind == CaseKind::kTests ? "it ended without running its body" : "it ended without running its loop";
    }
    result.extra = dump_json(extra, -1);
    return result;
  }
  MeasuredCase& chosen = repeats[median_of(result.counts)];
  result.event = chosen.many->graph.events.front();
  result.number_per_run = chosen.many->iterations;
  if (chosen.few) add_slope(result, *chosen.few, *chosen.many);
  result.fingerprint = make_fingerprint(chosen.many->graph, chosen.many->iterations);
  const std::set<std::string> placed = namer_.place_code(chosen.many->graph);
  FloatingPoint floating;
  namer_.find_floating_point(chosen.many->graph, floating);
  namer_.find_fast_math(binary_.string(), floating);
  result.notes = floating_point_notes(floating);
  if (!placed.empty()) result.notes.push_back(describe_placed_code(placed));
  keep_costly_code(chosen.many->graph);
  namer_.name(chosen.many->graph);
  result.graph = std::make_shared<const CostGraph>(std::move(chosen.many->graph));
  add_figures(result);
  if (aslr_refused_)
    result.notes.push_back(
        "address space randomization could not be disabled (does the container refuse it?); the result records this");
  result.extra = dump_json(extra, -1);
  return result;
}

Fingerprint BenchSession::make_fingerprint(const CostGraph& graph, int64_t iterations) const {
  Fingerprint facts;
  facts.set("language", to_text(framework_), FactClass::kRefuse);
  facts.set("valgrind", valgrind_.version, FactClass::kRefuse);
  add_counter(valgrind_, CounterEquality::kNearly, facts);
  facts.set("pins", pins_.to_text() + (aslr_refused_ ? ", but aslr was refused" : ""), FactClass::kRefuse);
  facts.set("hooks", std::to_string(kBenchHooksVersion), FactClass::kRefuse);
  facts.set(kIterationsFact, std::to_string(iterations), FactClass::kRefuse);
  facts.set("libc", load_libc_identity(), FactClass::kNameOnly);
  const CompilerRecord record = load_compiler_record(binary_);
  if (!record.compilers.empty()) facts.set("compiler", record.compilers, FactClass::kNameOnly);
  if (!record.options.empty()) facts.set("flags", record.options, FactClass::kNameOnly);
  add_option_facts(options_.callgrind_options, facts);
  add_routines(graph, facts);
  add_cores(graph, facts);
  return facts;
}

void BenchSession::fail_before_cases(const BenchRun& run) const {
  const auto lines = split_lines(trim(run.outcome.errors));
  throw Error(ErrorKind::kTool, fmt::format("cannot count {}: it ended before its first case: {}{}", command_text(),
                                            describe_failure(run, options_).second,
                                            lines.empty() ? "" : ": " + escape_for_terminal(lines.back())));
}

std::pair<std::string, std::string> BenchSession::describe_failure(const BenchRun& run, const BenchOptions& options) {
  if (run.case_timed_out)
    return {"timed-out", fmt::format("it did not end within {} s; --timeout sets the limit for one case",
                                     options.time_limit.count())};
  if (!run.unhandled_instruction.empty()) return {"unhandled-instruction", run.unhandled_instruction};
  if (run.outcome.end == ProcessOutcome::End::kSignalled) return {"crashed", describe_end(run.outcome)};
  return {"exited", fmt::format("the binary ended in this case with {}", describe_end(run.outcome))};
}

}  // namespace icount
