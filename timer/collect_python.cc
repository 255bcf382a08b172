#include "icount/timer/collect_python.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/callgraph/cost_graph.h"
#include "icount/callgraph/python_calls.h"
#include "icount/harness/python_stub.h"
#include "icount/timer/collect_batch.h"
#include "icount/timer/warm_server.h"

namespace icount {
namespace {

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

}  // namespace

void collect_python(const PythonCollection& collection, std::span<const size_t> members,
                    std::vector<CollectResult>& results) {
  PythonCollector(collection, results).run(members);
}

}  // namespace icount
