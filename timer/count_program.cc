#include "icount/timer/count_program.h"

#include <fmt/format.h>
#include <signal.h>
#include <map>
#include <system_error>

#include <algorithm>
#include <set>

#include "icount/base/command_line.h"
#include "icount/base/compression.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/hash.h"
#include "icount/base/program_paths.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/callgraph/graph_sum.h"
#include "icount/callgrind/code_reader.h"
#include "icount/callgrind/installed_valgrind.h"
#include "icount/callgrind/run.h"
#include "icount/callgrind/traced_calls.h"
#include "icount/callgrind/user_options.h"
#include "icount/harness/build_cache.h"
#include "icount/harness/elf_file.h"
#include "icount/objects/misplaced_code.h"
#include "icount/objects/name_code.h"
#include "icount/stacks/stack_contexts.h"
#include "icount/timer/collect_fingerprint.h"
#include "icount/timer/count_gaps.h"
#include "icount/timer/program_conditions.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

// A copy of a program without debug information, which is counted where Valgrind ends itself over it (split DWARF 5).
// Its code lies at the same addresses and its functions have the same names.

class StrippedCopy {
 public:
  /// nullopt where no such copy can stand for `program`: there is no strip, or libraries are searched beside it.
  static std::optional<StrippedCopy> make(const std::filesystem::path& program, const Environment& environment);

  std::filesystem::path path() const { return folder_.path() / program_.filename(); }
  /// Whether the run, whose system calls were listed, shows that the program went by where its file lies.
  static bool is_seen(const CallgrindRun& run) { return run.system_calls.own_file; }
  /// The profiles say the program where they say the copy; with a note.
  void stand_in(CallgrindRun& run) const;

 private:
  explicit StrippedCopy(std::filesystem::path program) : program_(std::move(program)), folder_("icount-stripped") {}

  std::filesystem::path program_;
  ScratchDir folder_;
};

std::optional<StrippedCopy> StrippedCopy::make(const fs::path& program, const Environment& environment) {
  fs::path strip = find_program("strip");
  if (strip.empty()) strip = find_program("llvm-strip");
  if (strip.empty()) return std::nullopt;
  StrippedCopy copy(program);
  const ProcessOutcome outcome =
      run_process({.argv = {strip.string(), "-g", "-o", copy.path().string(), program.string()}});
  const NeededLibraries there = load_needed_libraries(program, environment);
  const NeededLibraries here = load_needed_libraries(copy.path(), environment);
  if (!outcome.ok() || here.libraries != there.libraries || here.unknown != there.unknown) return std::nullopt;
  return copy;
}

void StrippedCopy::stand_in(CallgrindRun& run) const {
  const std::string from = path().string();
  for (ProcessProfile& process : run.processes) {
    if (!process.argv.empty() && process.argv[0] == from) process.argv[0] = program_.string();
    for (Profile& profile : process.programs) {
      const StringId copy = profile.strings.intern(from), program = profile.strings.intern(program_.string());
      for (Function& function : profile.functions)
        if (function.object == copy) function.object = program;
      if (profile.command.starts_with(from)) profile.command.replace(0, from.size(), program_.string());
    }
  }
  run.notes.push_back(fmt::format(
      "Valgrind cannot read the debug information of {}, so a copy without it (strip -g) was counted: there "
      "are no source lines, and what the program does with its own path, which is another one, is counted "
      "for the copy's; compile it with -gdwarf-4 and without -gsplit-dwarf",
      program_.string()));
}

// Whole programs that were counted before: the profiles of a run, kept in the build cache with what they stand on.

std::optional<CallgrindRun> load_run(BuildCache& cache, const std::string& key, const ParseOptions& parse) {
  const auto entry = cache.find_unchanged(key);
  if (!entry) return std::nullopt;
  CallgrindRun run = load_callgrind_run(*entry / "run", parse);
  if (run.processes.empty()) return std::nullopt;
  run.outcome.aslr_refused = load_text(*entry / "aslr") == "refused";
  return run;
}

/// The run that was kept under `key`. nullopt when there is none, when anything that it looked at is another one now
/// (harness/reuse.h), or when the entry cannot be read.
std::optional<CallgrindRun> load_known_run(BuildCache& cache, const std::string& key, const ParseOptions& parse) {
  try {
    return load_run(cache, key, parse);
  } catch (const Error&) {  // an entry of another form is none
    return std::nullopt;
  }
}

/// Keeps the files of a run, which lie in `folder`, with what it looked at, all of which is known.
void keep_run(BuildCache& cache, const std::string& key, const fs::path& folder, const ProgramCount& result) {
  cache.get_unchanged(key, [&](const fs::path& entry) {
    fs::create_directory(entry / "run");
    for (const fs::path& file : list_folder(folder))
      save_file(entry / "run" / file.filename(), compress_zstd(load_text(file)));
    save_file(entry / BuildCache::kSources, result.sources.to_text());
    save_file(entry / "aslr", result.outcome.aslr_refused ? "refused" : "off");
    return true;
  });
}

// What the count of a whole program stands on besides its own file, arguments and environment: what it opened and
// looked for while it was counted.

/// `folder`: its working directory; `graph` names what was loaded without a call of its own.
ReuseRecord record_program_sources(const SystemCalls& calls, const fs::path& folder, const CostGraph& graph) {
  ReuseRecord record;
  const fs::path base = folder.empty() ? fs::current_path() : fs::absolute(folder);
  std::set<fs::path> files;
  for (const std::string& file : calls.files) files.insert(base / file);
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    if (graph.object(f).starts_with('/')) files.insert(fs::path(graph.object(f)));
  for (const fs::path& file : files) {
    // The loader's list of libraries: those that it leads to are opened themselves.
    if (file == "/etc/ld.so.cache" || is_valgrinds(file)) continue;
    std::error_code error;
    if (fs::is_regular_file(file, error))
      record.add_file(file);
    else if (fs::exists(file, error))
      record.add_status(file);
    else
      record.add_absent(file);
  }
  for (const std::string& path : calls.folders) record.add_folder(base / path);
  for (const std::string& path : calls.looked_at) record.add_status(base / path);
  if (!calls.unknown.empty()) record.add_unknown(calls.unknown);
  return record;
}

// What of a run's processes is counted where the user asked for a part: calls within functions (--within), and the part
// of each thread (--per-thread).

/// A note with the part of each thread, for every process that has several. Callgrind's dumps are of the calling thread
/// alone then, so that a copy keeps what the other threads had counted before the fork: it can't be counted.
void tell_threads(CallgrindRun& run, std::vector<std::string>& notes) {
  std::vector<bool> threaded;
  for (ProcessProfile& process : run.processes) {
    std::map<int64_t, int64_t> by_thread;
    for (const Profile& profile : process.programs)
      for (const ProfilePart& part : profile.parts) by_thread[part.thread] += part.totals.at(0);
    std::erase_if(by_thread, [](const auto& thread) { return thread.second == 0; });
    const bool is_first = threaded.empty();
    threaded.push_back(by_thread.size() > 1);
    if (process.is_copy && threaded[static_cast<size_t>(process.parent)]) {
      process.programs.erase(process.programs.begin());
      process.not_counted =
          "with --per-thread, a forked copy of a process with threads cannot be distinguished from its parent";
    } else if (by_thread.size() > 1) {
      std::string note = is_first ? "by thread:" : fmt::format("by thread of {}:", shell_quote(process.argv));
      for (const auto& [thread, cost] : by_thread)
        note += fmt::format("{} {} in {}", note.ends_with(':') ? "" : ",", with_thousands(cost),
                            thread == by_thread.begin()->first ? "the main thread" : fmt::format("thread {}", thread));
      notes.push_back(std::move(note));
    }
  }
}

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
    result.chance = std::move(run.chance);
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
    if (!result.chance.sources.empty())
      result.fingerprint.set(kChanceFact, fmt::format("{}", fmt::join(result.chance.sources, ", ")),
                             FactClass::kNameOnly);
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
