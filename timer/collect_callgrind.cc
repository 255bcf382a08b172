#include "icount/timer/collect_callgrind.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <system_error>
#include <utility>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/hash.h"
#include "icount/base/parallel.h"
#include "icount/base/text.h"
#include "icount/callgrind/installed_valgrind.h"
#include "icount/harness/build.h"
#include "icount/harness/build_cache.h"
#include "icount/harness/compile.h"
#include "icount/harness/elf_file.h"
#include "icount/harness/python_stub.h"
#include "icount/harness/statement_needs.h"
#include "icount/harness/stub_source.h"
#include "icount/timer/collect_batch.h"
#include "icount/timer/warm_server.h"

namespace icount {
namespace fs = std::filesystem;

void StatementFiles::add(const ReuseRecord& record) {
  if (unknown.empty()) unknown = record.unknown();
  const std::string text = record.to_text();
  for (const std::string_view line : split_lines(text))
    if (!line.starts_with("unknown ")) lines.emplace_back(line);
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
}

const fs::path& StatementFileRecorder::resolved(const fs::path& path) {
  const auto [at, is_new] = resolved_.try_emplace(path);
  if (is_new) at->second = real_path(path);
  return at->second;
}

const ReuseRecord& StatementFileRecorder::sources(const fs::path& object) {
  const auto at = records_.find(object);
  return at != records_.end() ? at->second : records_.emplace(object, load_sources(object)).first->second;
}

StatementFiles StatementFileRecorder::record(size_t statement, std::span<const LoadedObject> loaded) {
  if (!needed_) {
    needed_.emplace();
    for (const fs::path& library : load_needed_libraries(sources_.executable, sources_.environment).libraries)
      needed_->insert(real_path(library));
  }
  if (loaded.empty()) return {{}, "the loaded libraries are not known"};
  std::set<fs::path> files;
  const fs::path executable = real_path(sources_.executable);
  for (const LoadedObject& object : loaded) {
    const fs::path& path = resolved(object.path);
    if (is_valgrinds(path) || path == executable) continue;
    if (!needed_->contains(path))
      return {{}, fmt::format("it loads {} while it runs (dlopen)", path.filename().string())};
    files.insert(object.path);
  }
  ReuseRecord record;
  for (const fs::path& file : files) {
    if (identities_.of(file).empty()) return {{}, fmt::format("{} can no longer be read", file.string())};
    record.add_file(file);
  }
  if (const auto object = sources_.objects.find(statement); object != sources_.objects.end())
    record.add_all(sources(object->second));
  record.add_all(sources(sources_.executable));
  StatementFiles found;
  found.add(record);
  return found;
}

namespace {

// The Python statements of one collect_callgrind call: one server with torch and one without, as the statements need.
// Between collect_callgrind (C++ stubs) and collect_batch (any server); builds with harness/python_stub.

struct PythonCollection {
  std::span<const TimerArgs> statements;
  const Valgrind& valgrind;
  const Compiler& compiler;  ///< for the server's own compiled half
  BuildCache& cache;
  const CollectOptions& options;
};

// Recording the calls between Python functions: how the run beside the counted ones is made, and what is made of its
// profile. docs/decisions/0009 has the reasons.

/// What the recording of a statement came to: its calls, or why there are none.
struct PythonRecording {
  CostGraph calls;
  std::string problem;  ///< empty: there are calls
};

constexpr int kFirstWithTrampoline = 12;
constexpr int64_t kFirstFolder = 8;  // descriptor, as in harness/python_stub.cc
constexpr std::string_view kOpenFolder = "/proc/self/fd/";

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";

/// Patterns for all C functions but those that a thread, a signal or the recording itself begins with (clone,
/// signal_handler, icount_stub::Server, its handler in an unnamed namespace): Callgrind crashes where the first
/// function of a call stack has a group.
std::vector<std::string> grouped_names() {
  std::vector<std::string> patterns = {"<*", "~*"};
  for (const char first : kLetters) {
    const char without = first == 'c' ? 'l' : first == 'i' ? 'c' : first == 's' ? 'i' : '\0';
    if (without == '\0') {
      patterns.push_back(fmt::format("{}*", first));
      continue;
    }
    for (const char second : std::string(kLetters) + "0123456789")
      if (second != without) patterns.push_back(fmt::format("{}{}*", first, second));
  }
  return patterns;
}

/// All C functions are one group, within which Callgrind begins no new context, so that C code keeps the context of the
/// function that the evaluator called. The evaluator is a group of its own and needs only its trampoline; trampolines
/// have no name but their address, as have entries of linkage tables, which break the group: hence eight callers.
std::vector<std::string> context_options() {
  std::vector<std::string> options = {"--separate-callers=8", "--separate-recs=1", "--dump-instr=no", "--dump-line=no",
                                      "--collect-jumps=no"};
  for (const std::string& pattern : grouped_names()) options.push_back("--fn-group1=" + pattern);
  options.emplace_back("--fn-group2=*PyEval_EvalFrameDefault*");
  options.emplace_back("--separate-callers1=*PyEval_EvalFrameDefault*");
  return options;
}

/// "/proc/self/fd/8/app.py" -> "app.py" in the folder that was open there.
std::string file_as_known(const std::string& file, const std::vector<std::string>& folders, const std::string& here) {
  if (!file.starts_with(kOpenFolder)) return file;
  const size_t slash = file.find('/', kOpenFolder.size());
  if (slash == std::string::npos) return file;
  const auto number = parse_int64(std::string_view(file).substr(kOpenFolder.size(), slash - kOpenFolder.size()));
  if (!number || *number < kFirstFolder || *number - kFirstFolder >= static_cast<int64_t>(folders.size())) return file;
  const std::string& folder = folders[static_cast<size_t>(*number - kFirstFolder)];
  return folder == here ? file.substr(slash + 1) : folder + file.substr(slash);
}

/// Whether calls are to be recorded and this interpreter can: CPython 3.12 or newer.
bool records_python_calls(const CollectOptions& options, const PythonInterpreter& python) {
  return options.python_calls && python.minor >= kFirstWithTrampoline && options.markers == Markers::kDump &&
         !options.per_thread;
}

/// One run, whose contexts tell below which trampoline C code ran. Nobody hears of its results. Without torch in a
/// server of its own, which runs set-ups before Callgrind's instrumentation begins: below it they would cost seconds,
/// as each Python function has its own copy of Callgrind's tables. Only the start of torch costs more.
CollectOptions recording_options(const CollectOptions& options, bool torch) {
  CollectOptions recording = options;
  recording.repeats = 1;
  recording.slope = false;
  recording.keep_lines = false;
  recording.keep_insides = false;
  recording.stacks = 0;
  recording.keep_dir.clear();
  recording.callgrind_options = context_options();
  recording.on_result = nullptr;
  if (!torch) recording.server.use = SessionUse::kOff;
  return recording;
}

/// `stub`: has the folders that the server had open, whose names in files are descriptors; a file in `here` has a
/// relative name.
PythonRecording take_python_recording(CollectResult recorded, const PythonStub& stub, const std::string& here) {
  std::vector<std::string> folders = {stub.home};
  folders.insert(folders.end(), stub.folders.begin(), stub.folders.end());
  PythonRecording taken;
  std::vector<PythonFunction> functions;
  for (PythonFunction& function : recorded.python_functions) {
    if (function.address == 0) {
      taken.problem = function.name;
      continue;
    }
    function.file = file_as_known(function.file, folders, here);
    functions.push_back(std::move(function));
  }
  if (recorded.status != CollectStatus::kDone)
    taken.problem = recorded.error.empty() ? std::string(to_text(recorded.status)) : recorded.error;
  if (functions.empty() && taken.problem.empty()) taken.problem = "the interpreter reported no function";
  if (taken.problem.empty()) taken.calls = make_python_calls(recorded.graph, functions);
  return taken;
}

using Members = std::vector<size_t>;

/// The working directory is ".", wherever it lies.
std::string describe_folders(const std::vector<std::string>& folders) {
  const std::string here = std::filesystem::current_path().string();
  std::string text;
  for (const std::string& folder : folders) text += (text.empty() ? "" : ":") + (folder == here ? "." : folder);
  return text;
}

class PythonCollector {
 public:
  PythonCollector(const PythonCollection& collection, std::vector<CollectResult>& results)
      : collection_(collection), options_(collection.options), results_(results) {}

  void run(std::span<const size_t> members) {
    const auto& statements = collection_.statements;
    const bool any_torch =
        std::any_of(members.begin(), members.end(), [&](size_t member) { return wants_torch(statements[member]); });
    path_ = python_path(options_.toolchain, options_.environment);
    python_ = probe_python(choose_python(options_.toolchain.python, options_.environment), any_torch, path_,
                           &collection_.cache);
    const TorchSplit split = split_by_torch(statements, members, python_);
    for (const size_t member : split.refused) fail(member, describe_missing_torch(python_), {});
    for (const size_t member : split.without)
      if (wants_torch(statements[member]))
        results_[member].notes.push_back(fmt::format("measured without torch, which {} can't import ({})",
                                                     python_.path.string(), python_.torch_error));
    measure(split.without, false);
    measure(split.with, true);
  }

 private:
  void fail(size_t member, std::string error, std::string details) {
    CollectResult& result = results_[member];
    result.status = CollectStatus::kCompileError;
    result.error = std::move(error);
    result.details = std::move(details);
    result.number_per_run = options_.number;
    if (options_.on_result) options_.on_result(result);
  }

  void measure(const Members& members, bool torch) {
    if (members.empty()) return;
    say(fmt::format("counting {} with Python {}{}", counted(members.size(), "statement"), python_.version,
                    torch ? " and torch " + python_.torch_version : std::string()),
        members);
    PythonStubOptions stub_options;
    stub_options.number = options_.number;
    stub_options.torch = torch;
    stub_options.preload = options_.toolchain.python_preload;
    stub_options.path = path_;
    stub_options.here = std::filesystem::current_path().string();
    const PythonStub stub = make_python_stub(collection_.statements, members, python_, collection_.compiler,
                                             collection_.cache, stub_options);
    for (const BuildFailure& failure : stub.failures) fail(failure.statement, failure.error, failure.details);
    if (stub.statements.empty()) return;
    record_calls(stub.statements, stub_options);
    CollectOptions options = options_;
    options.on_result = [&](const CollectResult& result) { give_out(result.index); };
    run_batches(stub, torch, options, results_);
  }

  /// Before anything is counted, so that each result goes out whole.
  void record_calls(const Members& members, PythonStubOptions stub_options) {
    recorded_.clear();
    if (!records_python_calls(options_, python_)) return;
    stub_options.calls = true;
    const CollectOptions options = recording_options(options_, stub_options.torch);
    std::vector<CollectResult> results(results_.size());
    try {
      const PythonStub stub = make_python_stub(collection_.statements, members, python_, collection_.compiler,
                                               collection_.cache, stub_options);
      say(fmt::format("recording calls of Python functions in {}", counted(members.size(), "statement")), members);
      run_batches(stub, stub_options.torch, options, results);
      for (const size_t member : stub.statements)
        recorded_[member] = take_python_recording(std::move(results[member]), stub, stub_options.here);
    } catch (const Error& error) {
      for (const size_t member : members) recorded_[member].problem = error.what();
    }
  }

  void give_out(size_t member) {
    CollectResult& result = results_[member];
    const auto recorded = recorded_.find(member);
    if (recorded != recorded_.end() && result.status == CollectStatus::kDone) {
      if (recorded->second.problem.empty())
        result.python_calls = std::move(recorded->second.calls);
      else
        result.notes.push_back("the calls of Python functions could not be recorded, explanations name C functions: " +
                               recorded->second.problem);
    }
    if (options_.on_result) options_.on_result(result);
  }

  void run_batches(const PythonStub& stub, bool torch, const CollectOptions& options,
                   std::vector<CollectResult>& results) {
    ServerProgram server{stub.prefix, stub.program, stub.library, true, {}};
    server.facts.push_back({"Python", python_.build, FactClass::kNameOnly});
    if (torch) server.facts.push_back({"LibTorch", python_.torch_version, FactClass::kNameOnly});
    if (!stub.folders.empty())
      server.facts.push_back({"Python path", describe_folders(stub.folders), FactClass::kNameOnly});
    Toolchain toolchain;
    toolchain.compiler = collection_.compiler;
    server.file = (stub.folder.path() / "plan").string();
    std::optional<PythonStub> empty;
    if (may_use_warm_server(options, stub.statements.size() * static_cast<size_t>(options.repeats))) {
      if (stub.folders.empty()) server.warm = make_warm_program(stub, torch, empty);
      const std::string note = cold_start_note("it imports from " + describe_folders(stub.folders));
      for (const size_t member : stub.statements)
        if (!stub.folders.empty()) results[member].notes.push_back(note);
    }
    run_collect_batch({collection_.statements, stub.statements, server, toolchain, collection_.valgrind, options},
                      results);
  }

  /// The same server with a plan of no statements, which `empty` keeps until it has started.
  WarmServerProgram make_warm_program(const PythonStub& stub, bool torch, std::optional<PythonStub>& empty) {
    WarmServerProgram warm;
    warm.program = stub.program;
    warm.identity = fmt::format("python {} {}\ntorch {}\nlibrary {}\nserver {}\n", python_.path.string(), python_.build,
                                torch ? python_.torch_version : "none", stub.library, stub.server_identity);
    warm.description =
        fmt::format("Python {}{}", python_.version, torch ? " with torch " + python_.torch_version : std::string()) +
        (stub.calls ? ", recording calls" : "");
    warm.watched = {python_.path, stub.library};
    warm.list_watched = list_modules_command(python_, torch);
    warm.make_prefix = [this, torch, calls = stub.calls, &empty] {
      PythonStubOptions none;
      none.preload = options_.toolchain.python_preload;
      none.calls = calls;
      none.torch = torch;
      empty = make_python_stub({}, {}, python_, collection_.compiler, collection_.cache, none);
      return empty->prefix;
    };
    return warm;
  }

  void say(const std::string& text, const Members& members) const {
    if (options_.on_progress) options_.on_progress({CollectProgress::Stage::kServer, text, 0, members.size()});
  }

  const PythonCollection& collection_;
  const CollectOptions& options_;
  std::vector<CollectResult>& results_;
  PythonInterpreter python_;
  std::vector<std::string> path_;
  std::map<size_t, PythonRecording> recorded_;  ///< by statement
};

/// Measures `members` and stores their results. A statement that names torch while the interpreter has none is a
/// compile error that says so; one that does not is measured without, with a note. Error{kTool} when there is no usable
/// interpreter.
void collect_python(const PythonCollection& collection, std::span<const size_t> members,
                    std::vector<CollectResult>& results) {
  PythonCollector(collection, results).run(members);
}

constexpr std::string_view kStatusNames[] = {"done",    "dead",          "compile-error", "threw",
                                             "crashed", "exited",        "timed-out",     "unhandled-instruction",
                                             "forked",  "wrong-library", "server-lost",   "cancelled"};

void check_options(const CollectOptions& options) {
  auto refuse = [](std::string_view what, int64_t value) {
    throw Error(ErrorKind::kUsage, fmt::format("{} must be at least 1, not {}", what, value));
  };
  if (options.number < 1) refuse("the number of runs", options.number);
  if (options.repeats < 1) refuse("the number of repeats", options.repeats);
  if (options.jobs < 1) refuse("the number of children in flight", options.jobs);
}

void say(const CollectOptions& options, CollectProgress::Stage stage, const std::string& text, size_t total) {
  if (options.on_progress) options.on_progress({stage, text, 0, total});
}

class Collection {
 public:
  Collection(std::span<const TimerArgs> statements, const CollectOptions& options)
      : options_(options),
        valgrind_(choose_valgrind(options.environment.get(kValgrindVariable).value_or(""))),
        cache_(options.cache_dir.empty() ? default_cache_dir(options.environment) : options.cache_dir),
        results_(statements.size()) {
    const std::string_view callgrinds = !options.callgrind_options.empty() ? "further events and options of Callgrind"
                                        : options.stacks > 0               ? "call stacks"
                                        : options.markers == Markers::kToggle ? "PyTorch's way of counting"
                                                                              : "";
    choose_counter(options.environment.get(kCounterVariable).value_or(""), callgrinds, valgrind_);
    for (size_t i = 0; i < results_.size(); ++i) results_[i].index = i;
    for (size_t i = 0; i < statements.size(); ++i) lower(statements[i], i);
    if (options.torch_as_needed) needs_.decide(statements_, options.toolchain, options.environment);
  }

  std::vector<CollectResult> run() {
    make_keep_folder();
    measure_where([&](size_t member) { return results_[member].error.empty(); });
    const std::vector<size_t> again = needs_.take_second_builds();
    for (const size_t member : again) statements_[member].torch = true;
    const auto is_again = [&](size_t member) { return std::binary_search(again.begin(), again.end(), member); };
    if (!again.empty()) measure_where(is_again);
    return std::move(results_);
  }

 private:
  void measure_where(const std::function<bool(size_t)>& wanted) {
    std::vector<StubPlan> plans = plan_stubs(statements_, {.isolate = options_.isolate});
    for (StubPlan& plan : plans) {
      for (auto& unit : plan.units) std::erase_if(unit, [&](size_t member) { return !wanted(member); });
      std::erase_if(plan.units, [](const auto& unit) { return unit.empty(); });
    }
    std::erase_if(plans, [](const StubPlan& plan) { return plan.units.empty(); });
    std::vector<std::optional<BuildOutcome>> built(plans.size());
    if (options_.isolate) built = build_at_once(plans);
    for (size_t i = 0; i < plans.size(); ++i) {
      if (is_python(plans[i]))
        measure_python(plans[i]);
      else
        measure(plans[i], options_.isolate ? std::move(built[i]) : build(plans[i], options_.jobs));
    }
  }

  bool is_python(const StubPlan& plan) const { return statements_[plan.units[0][0]].language == Language::kPython; }

  /// Of isolated statements each is a plan, and all but one core would wait while a plan is compiled.
  std::vector<std::optional<BuildOutcome>> build_at_once(std::span<const StubPlan> plans) {
    std::vector<std::optional<BuildOutcome>> built(plans.size());
    for (const StubPlan& plan : plans)
      if (!is_python(plan)) toolchain_for(plan.torch);
    run_parallel(plans.size(), options_.jobs, [&](size_t i) {
      if (!is_python(plans[i])) built[i] = build(plans[i], 1);
    });
    return built;
  }

  /// TorchScript and globals become C++; the language stays, for it is part of the fingerprint.
  void lower(const TimerArgs& args, size_t index) {
    TimerArgs lowered = args;
    try {
      lowered = make_cpp_statement(args);
      lowered.language = args.language;
      lowered.toggle_loop = options_.markers == Markers::kToggle;
    } catch (const Error& error) {
      fail(index, CollectStatus::kCompileError, error.what(), {});
    }
    statements_.push_back(std::move(lowered));
  }

  void measure_python(const StubPlan& plan) {
    std::vector<size_t> members;
    for (const auto& unit : plan.units) members.insert(members.end(), unit.begin(), unit.end());
    const Compiler compiler = probe_compiler(options_.toolchain, options_.environment);
    const PythonCollection python{statements_, valgrind_, compiler, cache_, options_};
    collect_python(python, members, results_);
  }

  const Toolchain& toolchain_for(bool torch) {
    auto& toolchain = toolchains_[torch ? 1 : 0];
    if (!toolchain) toolchain = find_toolchain(options_.toolchain, torch, options_.environment, needs_.found());
    return *toolchain;
  }

  BuildOptions build_options(int jobs) {
    BuildOptions build;
    build.jobs = jobs;
    build.cancelled = options_.cancelled;
    build.on_progress = [&](const std::string& text) { progress(CollectProgress::Stage::kHeader, text, 1); };
    return build;
  }

  /// From several threads.
  void progress(CollectProgress::Stage stage, const std::string& text, size_t total) {
    const std::lock_guard lock(progress_);
    say(options_, stage, text, total);
  }

  /// nullopt when interrupted.
  std::optional<BuildOutcome> build(const StubPlan& plan, int jobs) {
    size_t statements = 0;
    for (const auto& unit : plan.units) statements += unit.size();
    progress(CollectProgress::Stage::kCompile, "compiling " + counted(statements, "statement"), plan.units.size());
    try {
      return build_stub(statements_, plan, toolchain_for(plan.torch), cache_, build_options(jobs));
    } catch (const Error&) {
      if (!options_.cancelled || !options_.cancelled()) throw;
      return std::nullopt;
    }
  }

  void measure(const StubPlan& plan, std::optional<BuildOutcome> outcome) {
    if (!outcome) {
      for (const auto& unit : plan.units)
        for (const size_t member : unit) fail(member, CollectStatus::kCancelled, "interrupted", {});
      return;
    }
    const BuildOutcome& built = *outcome;
    const Toolchain& toolchain = toolchain_for(plan.torch);
    for (const BuildFailure& failure : built.failures) {
      if (needs_.wants_second_build(failure.statement, failure.details)) continue;
      const std::string missing = needs_.explain_failure(failure.statement, failure.details);
      fail(failure.statement, CollectStatus::kCompileError, missing.empty() ? failure.error : missing, failure.details);
    }
    keep_source(plan);
    if (built.statements.empty()) return;
    name_units(built);
    say(options_, CollectProgress::Stage::kMeasure, "counting " + counted(built.statements.size(), "statement"),
        built.statements.size());
    ServerProgram server{.program = {built.executable.string()}, .object = built.executable.string()};
    server.file = std::filesystem::canonical(built.executable).string();
    if ((plan.torch || options_.server.plain) &&
        may_use_warm_server(options_, built.statements.size() * static_cast<size_t>(options_.repeats)))
      server.warm = make_warm_program(toolchain, build_options(options_.jobs));
    StatementFileRecorder files(
        {built.executable, built.objects, toolchain, apply_pins(options_.pins, options_.environment).environment});
    run_collect_batch(
        {statements_, built.statements, server, toolchain, valgrind_, options_, options_.keep_files ? &files : nullptr},
        results_);
  }

  /// What the compiler saw of a unit, a statement that failed is not in it.
  void name_units(const BuildOutcome& built) {
    std::map<std::filesystem::path, Members> units;
    for (const auto& [member, object] : built.objects) units[object].push_back(member);
    for (const auto& [object, members] : units) {
      std::string texts;
      for (const size_t member : members)
        texts += fmt::format("{}\x1e{}\x1e{}\x1f", statements_[member].setup, statements_[member].stmt,
                             statements_[member].backward);
      const std::string name = members.size() == 1
                                   ? std::string("its own")
                                   : fmt::format("shared with {} ({})", counted(members.size() - 1, "other statement"),
                                                 content_hash(texts).substr(0, 8));
      for (const size_t member : members) statements_[member].unit = name;
    }
  }

  /// The same server without statements: only what was built without the user's flags is the same for all.
  WarmServerProgram make_warm_program(Toolchain toolchain, const BuildOptions& build) {
    toolchain.cxxflags.clear();
    toolchain.link_flags.clear();
    const std::string program = std::filesystem::canonical(build_server_program(toolchain, cache_, build)).string();
    WarmServerProgram warm;
    warm.program = {program};
    warm.identity = fmt::format("program {}\n{}", program, toolchain.identity());
    warm.description = toolchain.torch ? "LibTorch " + toolchain.torch->version : "plain C++";
    warm.watched = {program};
    if (toolchain.torch)
      for (const char* library : {"libtorch_cpu.so", "libtorch.so", "libc10.so"})
        warm.watched.push_back(toolchain.torch->lib_dir / library);
    return warm;
  }

  void make_keep_folder() const {
    if (options_.keep_dir.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(options_.keep_dir, error);
    if (error)
      throw Error(ErrorKind::kIo,
                  fmt::format("--keep {}: cannot make the folder: {}", options_.keep_dir.string(), error.message()));
  }

  void keep_source(const StubPlan& plan) const {
    if (options_.keep_dir.empty()) return;
    for (const auto& unit : plan.units)
      save_file(options_.keep_dir / fmt::format("unit.{}.cc", unit.front()), make_stub_unit(statements_, unit));
  }

  void fail(size_t statement, CollectStatus status, std::string error, std::string details) {
    CollectResult& result = results_[statement];
    result.status = status;
    result.error = std::move(error);
    result.details = std::move(details);
    result.number_per_run = options_.number;
    if (options_.on_result) options_.on_result(result);
  }

  std::vector<TimerArgs> statements_;
  LibTorchNeeds needs_;
  const CollectOptions& options_;
  Valgrind valgrind_;
  BuildCache cache_;
  std::mutex progress_;
  std::optional<Toolchain> toolchains_[2];
  std::vector<CollectResult> results_;
};

}  // namespace

std::string_view to_text(CollectStatus status) { return kStatusNames[static_cast<size_t>(status)]; }

std::vector<CollectResult> collect_callgrind(std::span<const TimerArgs> statements, const CollectOptions& options) {
  check_options(options);
  if (statements.empty()) return {};
  return Collection(statements, options).run();
}

}  // namespace icount
