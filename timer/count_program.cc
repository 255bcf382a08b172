#include "icount/timer/count_program.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <set>

#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/folder_entries.h"
#include "icount/base/hash.h"
#include "icount/base/program_paths.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/callgraph/graph_sum.h"
#include "icount/callgrind/carried_valgrind.h"
#include "icount/callgrind/code_reader.h"
#include "icount/callgrind/cost_graph_builder.h"
#include "icount/callgrind/own_counter.h"
#include "icount/callgrind/run.h"
#include "icount/callgrind/user_options.h"
#include "icount/harness/build_cache.h"
#include "icount/harness/build_id.h"
#include "icount/objects/misplaced_code.h"
#include "icount/objects/name_code.h"
#include "icount/stacks/stack_contexts.h"
#include "icount/timer/collect_fingerprint.h"
#include "icount/timer/count_gaps.h"
#include "icount/timer/known_runs.h"
#include "icount/timer/process_cuts.h"
#include "icount/timer/program_conditions.h"
#include "icount/timer/program_sources.h"
#include "icount/timer/stripped_copy.h"
#include "icount/timer/unknown_instruction.h"
#include "icount/timer/within.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

/// Valgrind then looks at each piece of code again before it runs it, which takes a tenth more time.
constexpr const char* kSmcCheckAll = "--smc-check=all";

/// How a process ended, as a result says it.
std::string status_of(const ProcessProfile& process) {
  if (process.end == ProcessProfile::End::kOutlived) return "outlived the program";
  if (process.end == ProcessProfile::End::kSignalled)
    return fmt::format("killed by signal {} ({})", process.code, signal_name(process.code));
  return process.code == 0 ? "done" : fmt::format("exit status {}", process.code);
}

/// All programs that one process ran. What dumps in their midst took from the calls that were active is given back.
CostGraph make_process_graph(std::vector<Profile> programs, KeptCode kept, CodeNamer& namer, FloatingPoint& floating,
                             std::set<std::string>& placed) {
  constexpr std::string_view kAsked = "--dump-";  // by icount, not by the program itself
  std::vector<CostGraph> graphs;
  for (Profile& profile : programs) {
    const bool has_dumps = std::any_of(profile.parts.begin(), profile.parts.end(),
                                       [&](const ProfilePart& part) { return part.trigger.starts_with(kAsked); });
    graphs.push_back(make_cost_graph(std::move(profile), KeptCode::kAll));
    placed.merge(namer.place_code(graphs.back()));
    namer.find_floating_point(graphs.back(), floating);
    (kept == KeptCode::kCostly ? keep_costly_code : keep_code_of_sources)(graphs.back());
    if (has_dumps) complete_inclusive(graphs.back());
  }
  if (graphs.size() == 1) return std::move(graphs[0]);
  std::vector<const CostGraph*> all;
  for (const CostGraph& graph : graphs) all.push_back(&graph);
  return sum_graphs(all);
}

CostGraph sum_of(const std::vector<CountedProcess>& processes) {
  std::vector<const CostGraph*> graphs;
  for (const CountedProcess& process : processes)
    if (!process.graph.events.empty()) graphs.push_back(&process.graph);
  return graphs.size() == 1 ? *graphs[0] : sum_graphs(graphs);
}

/// "; valgrind: Unknown option: --x" where Valgrind did not begin.
std::string refused_option(std::string_view errors) {
  for (const std::string_view line : split_lines(errors))
    if (line.starts_with("valgrind: ")) return fmt::format("; {}", line);
  return {};
}

bool is_ended_by_seccomp(const ProcessOutcome& outcome) {
  return outcome.end == ProcessOutcome::End::kSignalled && outcome.signal == SIGSYS;
}

class ProgramCounter {
 public:
  ProgramCounter(const std::vector<std::string>& argv, const ProgramCountOptions& options)
      : argv_(argv),
        options_(options),
        valgrind_(choose_valgrind(options.environment.get(kValgrindVariable).value_or(""))),
        pins_(program_pins(options.pins)),
        surroundings_(argv.at(0), pins_, options.environment, options.extra_environment) {
    const std::string_view callgrinds = !options.callgrind_options.empty() ? "further events and options of Callgrind"
                                        : options.stacks > 0               ? "call stacks"
                                                                           : "";
    choose_counter(options.environment.get(kCounterVariable).value_or(""), callgrinds, valgrind_);
    parse_.keep_lines = options.keep_lines;
    parse_.keep_insides = options.keep_insides && options.stacks == 0;
  }

  ProgramCount count() {
    const ScratchDir folder;
    if (options_.cache_dir.empty()) return measure(folder.path());
    BuildCache cache(options_.cache_dir);
    const std::string key = make_key();
    if (auto known = load_known_run(cache, key, parse_)) {
      ProgramCount result = make_result(std::move(*known));
      result.from_cache = true;
      return result;
    }
    ProgramCount result = measure(folder.path());
    if (result.outcome.ok() && result.sources.unknown().empty()) keep_run(cache, key, folder.path(), result);
    return result;
  }

 private:
  std::string make_key() const {
    const fs::path program = find_program(argv_.at(0));
    if (program.empty())
      throw Error(ErrorKind::kTool,
                  fmt::format("cannot start {}: {}", argv_.at(0), describe_missing_program(argv_.at(0))));
    std::string text =
        fmt::format("icount-program-6\n{}\n{}\n{}\n{}\n{}\n", shell_quote(argv_), load_file_identity(program),
                    content_hash(load_file(program).view()), valgrind_.version, pins_.to_text());
    if (!pins_.holds(Pin::kEnvironment))
      for (const std::string& entry : options_.environment.block()) text += entry + "\n";
    text += fs::current_path().string() + (options_.follow_children ? " children" : "");
    if (options_.stacks > 0) text += fmt::format(" stacks {}", options_.stacks);
    if (!options_.input_file.empty()) text += " input " + content_hash(load_text(options_.input_file));
    for (const std::string& function : options_.within) text += " within " + function;
    if (parse_.keep_insides) text += " insides";
    if (options_.only_marked) text += " marked";
    for (const std::string& option : options_.callgrind_options) text += " option " + option;
    if (!valgrind_.counter_folder.empty())
      text += " counter " + load_file_identity(valgrind_.counter_folder / kCounterFile);
    for (const std::string& entry : options_.extra_environment) text += " set " + entry;
    text += " in " + options_.working_dir.string();
    return content_hash(text);
  }

  ProgramCount measure(const fs::path& folder) {
    const PinnedSurroundings& surroundings = surroundings_.pinned();
    CallgrindRunSpec spec;
    spec.argv = argv_;
    spec.working_dir = options_.working_dir;
    spec.options = options_.callgrind_options;
    spec.environment = surroundings.environment.block();
    spec.disable_aslr = surroundings.disable_aslr;
    spec.follow_children = options_.follow_children;
    spec.callers = options_.stacks;
    spec.collect_jumps = parse_.keep_insides;
    spec.separate_threads = options_.per_thread;
    spec.own_functions = surroundings_.own_functions();
    spec.instrument_at_start = !options_.only_marked;
    spec.input_file = options_.input_file;
    spec.inherit_output = options_.inherit_output;
    spec.time_limit = options_.time_limit;
    spec.cancelled = options_.cancelled;
    spec.list_system_calls = options_.record_sources || !options_.cache_dir.empty();
    if (options_.within.empty()) return make_recorded(spec, run_whole(spec, folder));
    // Callgrind loses patterns that meet in one function, so it is given whole names, which a first run tells.
    CallgrindRunSpec first = spec;
    first.inherit_output = false;
    const ScratchDir first_folder;
    const CallgrindRun whole = run_whole(first, first_folder.path());
    const FunctionNames functions = find_functions(options_.within, argv_, whole, [&] {
      FunctionNames uncalled;
      CodeNamer namer;
      for (const ProcessProfile& process : whole.processes)
        for (const Profile& profile : process.programs) {
          CostGraph graph = make_cost_graph(Profile(profile), KeptCode::kAll);
          uncalled.merge(namer.place_code(graph));
        }
      return uncalled;
    });
    spec.within.assign(functions.begin(), functions.end());
    CallgrindRun run = run_whole(spec, folder);
    check_calls_within(functions, argv_, whole, run);
    return make_recorded(spec, std::move(run));
  }

  /// With what the program looked at, where that is asked for.
  ProgramCount make_recorded(const CallgrindRunSpec& spec, CallgrindRun run) const {
    const SystemCalls calls = std::move(run.system_calls);
    ProgramCount result = make_result(std::move(run));
    if (spec.list_system_calls) result.sources = record_program_sources(calls, options_.working_dir, result.graph);
    if (result.processes.size() > 1) result.sources.add_unknown("it starts other processes");
    if (stripped_) result.sources.add_unknown("a copy of it was counted");
    return result;
  }

  CallgrindRun run_whole(CallgrindRunSpec spec, const fs::path& folder) {
    CallgrindRun run = run_readable(spec, folder);
    const bool ran_stale_code = run.maps_unlinked_code && !sets_smc_check(options_.callgrind_options);
    if (ran_stale_code) {
      empty_folder(folder);
      spec.options.push_back(kSmcCheckAll);
      run = run_watched(spec, folder);
      run.notes.emplace_back(
          "the program runs code from memory that a memfd or a deleted file backs, as some JIT compilers do; it was "
          "run a second time, with --smc-check=all, and that run is counted");
    }
    if (stripped_) stripped_->stand_in(run);
    if (run.processes.empty())
      throw Error(
          ErrorKind::kTool,
          fmt::format("cannot count {}: {}{}{}", shell_quote(argv_), describe_end(run.outcome),
                      run.outcome.end == ProcessOutcome::End::kTimedOut ? "; --timeout sets the limit" : "",
                      run.unhandled_instruction ? "; " + describe_unknown_instruction(*run.unhandled_instruction)
                      : is_ended_by_seccomp(run.outcome)
                          ? "; a seccomp filter ended it for a system call that Valgrind makes, such as opening the "
                            "profile: build or start it without its sandbox"
                          : refused_option(run.outcome.errors)));
    return run;
  }

  static void empty_folder(const fs::path& folder) {
    for (const fs::path& file : list_folder(folder)) fs::remove_all(file);
  }

  /// Where Valgrind ends itself over the program's debug information, a copy without it runs.
  CallgrindRun run_readable(CallgrindRunSpec& spec, const fs::path& folder) {
    try {
      return run_watched(spec, folder);
    } catch (const Error&) {
      const fs::path program = real_path(find_program(argv_[0]));
      if (find_unreadable_object(load_run_logs(folder)) != program.string()) throw;
      stripped_ = StrippedCopy::make(program, surroundings_.pinned().environment);
      if (!stripped_) throw;
      CallgrindRunSpec again = spec;
      again.argv[0] = stripped_->path().string();
      again.list_system_calls = true;
      empty_folder(folder);
      CallgrindRun run = run_watched(again, folder);
      if (StrippedCopy::is_seen(run)) throw;
      spec = std::move(again);
      return run;
    }
  }

  /// A failure that the program is built for is said as that.
  CallgrindRun run_watched(const CallgrindRunSpec& spec, const fs::path& folder) const {
    const auto fail_for_sanitizer = [&] {
      if (const std::string why = find_sanitizer(find_program(argv_[0])); !why.empty())
        throw Error(ErrorKind::kTool, fmt::format("cannot count {}: {}", shell_quote(argv_), why));
    };
    try {
      CallgrindRun run = run_callgrind(spec, valgrind_, folder, parse_);
      const bool was_stopped =
          run.outcome.end == ProcessOutcome::End::kTimedOut || run.outcome.end == ProcessOutcome::End::kCancelled;
      if (!run.outcome.ok() && !was_stopped) fail_for_sanitizer();
      return run;
    } catch (const Error&) {
      fail_for_sanitizer();
      throw;
    }
  }

  ProgramCount make_result(CallgrindRun run) const {
    ProgramCount result;
    result.outcome = run.outcome;
    result.notes = std::move(run.notes);
    result.not_followed = std::move(run.not_followed);
    result.requests = run.requests;
    if (run.unhandled_instruction) result.notes.push_back(describe_unknown_instruction(*run.unhandled_instruction));
    if (!run.unread_debug_information.empty()) result.notes.push_back(run.unread_debug_information);
    if (run.processes[0].argv.empty()) run.processes[0].argv = argv_;
    CodeNamer namer(regroups_functions(options_.callgrind_options) ? CodePlacing::kAsListed : CodePlacing::kByAddress);
    result.regions = find_program_regions(run, namer);
    FloatingPoint floating;
    std::set<std::string> placed;
    if (!options_.within.empty()) {  // what runs elsewhere decides how often it is called
      for (const ProcessProfile& process : run.processes)
        for (const Profile& profile : process.programs)
          namer.find_floating_point(make_cost_graph(Profile(profile), KeptCode::kAll), floating);
      keep_calls_within(find_functions(options_.within, argv_, run), run);
    }
    if (options_.per_thread) tell_threads(run, result.notes);
    for (ProcessProfile& process : run.processes) {
      CountedProcess counted{std::move(process.argv), process.parent, status_of(process), process.not_counted, {}};
      if (!process.programs.empty()) {
        counted.graph = make_process_graph(std::move(process.programs), options_.code, namer, floating, placed);
        namer.name(counted.graph);
      }
      result.processes.push_back(std::move(counted));
    }
    result.graph = options_.follow_children ? sum_of(result.processes) : result.processes[0].graph;
    if (result.graph.events.empty())
      throw Error(ErrorKind::kTool, fmt::format("cannot count {}: it left no profile", shell_quote(argv_)));
    if (options_.stacks > 0) take_stacks(result);
    for (std::string& note : floating_point_notes(floating)) result.notes.push_back(std::move(note));
    if (!placed.empty()) result.notes.push_back(describe_placed_code(placed));
    add_gap_notes(options_, result);
    for (std::string& note : surroundings_.build_notes()) result.notes.push_back(std::move(note));
    finish(result);
    return result;
  }

  /// Graphs keep functions without contexts; the stacks are those of all processes together.
  void take_stacks(ProgramCount& result) const {
    result.stacks = take_call_stacks(result.graph);
    for (CountedProcess& process : result.processes)
      if (!process.graph.events.empty()) take_call_stacks(process.graph);
  }

  void finish(ProgramCount& result) const {
    result.fingerprint = surroundings_.make_fingerprint(valgrind_, result.outcome.aslr_refused);
    add_counter(valgrind_, result.processes.size() > 1 ? CounterEquality::kNearly : CounterEquality::kEqual,
                result.fingerprint);
    result.fingerprint.set("processes", options_.follow_children ? "all" : "the first",
                           result.processes.size() > 1 ? FactClass::kRefuse : FactClass::kNameOnly);
    add_gap_facts(options_, result);
    if (!options_.input_file.empty()) result.fingerprint.set("stdin", describe_input(), FactClass::kNameOnly);
    if (!options_.extra_environment.empty())
      result.fingerprint.set("environment", shell_quote(options_.extra_environment), FactClass::kRefuse);
    add_option_facts(options_.callgrind_options, result.fingerprint);
    if (options_.per_thread) result.fingerprint.set("markers", "by thread", FactClass::kRefuse);
    if (!options_.within.empty()) result.fingerprint.set("within", shell_quote(options_.within), FactClass::kRefuse);
    if (options_.only_marked) result.fingerprint.set("regions", "marked by the program", FactClass::kRefuse);
    add_routines(result.graph, result.fingerprint);
    add_cores(result.graph, result.fingerprint);
    if (stripped_) result.fingerprint.set("debug information", "left out", FactClass::kNameOnly);
    if (result.outcome.aslr_refused)
      result.notes.push_back(
          "address space randomization could not be disabled (does the container refuse it?); the result records this");
    if (const std::string broken = find_broken_pin(result.graph, pins_); !broken.empty())
      result.notes.push_back(broken);
  }

  std::string describe_input() const {
    const std::string bytes = load_text(options_.input_file);
    return fmt::format("{} bytes, {}", bytes.size(), content_hash(bytes));
  }

  const std::vector<std::string>& argv_;
  const ProgramCountOptions& options_;
  Valgrind valgrind_;
  Pins pins_;
  ProgramSurroundings surroundings_;
  ParseOptions parse_;
  std::optional<StrippedCopy> stripped_;  // what ran instead of the program
};

}  // namespace

ProgramCount count_program(const std::vector<std::string>& argv, const ProgramCountOptions& options) {
  if (argv.empty()) throw Error(ErrorKind::kUsage, "no program given");
  if (options.working_dir.empty() || argv[0].find('/') == std::string::npos)
    return ProgramCounter(argv, options).count();
  std::vector<std::string> there = argv;
  there[0] = (options.working_dir / argv[0]).lexically_normal().string();
  if (there[0].find('/') == std::string::npos) there[0] = "./" + there[0];
  return ProgramCounter(there, options).count();
}

}  // namespace icount
