#include "icount/timer/bench_run.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <system_error>

#include "icount/base/file.h"
#include "icount/base/text.h"
#include "icount/callgraph/graph_sum.h"
#include "icount/callgrind/command.h"
#include "icount/callgrind/valgrind_log.h"
#include "icount/timer/case_memory.h"
#include "icount/timer/region_parts.h"
#include "icount/timer/unknown_instruction.h"

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
  callgrind.extra.insert(callgrind.extra.end(), spec.callgrind_options.begin(), spec.callgrind_options.end());
  callgrind.extra.push_back(log);
  return make_callgrind_command(valgrind, callgrind);
}

}  // namespace

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

}  // namespace icount
