#include "icount/timer/collect_python.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "icount/base/counted.h"
#include "icount/base/error.h"
#include "icount/harness/python_stub.h"
#include "icount/timer/collect_batch.h"
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
    stub_options.path = path_;
    stub_options.here = std::filesystem::current_path().string();
    const PythonStub stub = make_python_stub(collection_.statements, members, python_, collection_.compiler,
                                             collection_.cache, stub_options);
    for (const BuildFailure& failure : stub.failures) fail(failure.statement, failure.error, failure.details);
    if (stub.statements.empty()) return;
    run_batches(stub, torch);
  }

  void run_batches(const PythonStub& stub, bool torch) {
    ServerProgram server{stub.prefix, stub.program, stub.library, true, {}};
    server.facts.push_back({"Python", python_.build, FactClass::kNameOnly});
    if (torch) server.facts.push_back({"LibTorch", python_.torch_version, FactClass::kNameOnly});
    if (!stub.folders.empty())
      server.facts.push_back({"Python path", describe_folders(stub.folders), FactClass::kNameOnly});
    Toolchain toolchain;
    toolchain.compiler = collection_.compiler;
    server.file = (stub.folder.path() / "plan").string();
    std::optional<PythonStub> empty;
    if (may_use_warm_server(options_, stub.statements.size() * static_cast<size_t>(options_.repeats))) {
      if (stub.folders.empty()) server.warm = make_warm_program(stub, torch, empty);
      const std::string note = cold_start_note("it imports from " + describe_folders(stub.folders));
      for (const size_t member : stub.statements)
        if (!stub.folders.empty()) results_[member].notes.push_back(note);
    }
    run_collect_batch({collection_.statements, stub.statements, server, toolchain, collection_.valgrind, options_},
                      results_);
  }

  /// The same server with a plan of no statements, which `empty` keeps until it has started.
  WarmServerProgram make_warm_program(const PythonStub& stub, bool torch, std::optional<PythonStub>& empty) {
    WarmServerProgram warm;
    warm.program = stub.program;
    warm.identity = fmt::format("python {} {}\ntorch {}\nlibrary {}\nserver {}\n", python_.path.string(), python_.build,
                                torch ? python_.torch_version : "none", stub.library, stub.server_identity);
    warm.description =
        fmt::format("Python {}{}", python_.version, torch ? " with torch " + python_.torch_version : std::string());
    warm.watched = {python_.path, stub.library};
    warm.make_prefix = [this, torch, &empty] {
      PythonStubOptions none;
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
};

}  // namespace

void collect_python(const PythonCollection& collection, std::span<const size_t> members,
                    std::vector<CollectResult>& results) {
  PythonCollector(collection, results).run(members);
}

}  // namespace icount
