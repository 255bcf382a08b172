#include "icount/timer/collect_python.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "icount/base/counted.h"
#include "icount/base/error.h"
#include "icount/harness/python_stub.h"
#include "icount/timer/collect_batch.h"
#include "icount/timer/python_recording.h"
#include "icount/timer/warm_server.h"

namespace icount {
namespace {

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
