#include "icount/timer/collect_callgrind.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/text.h"
#include "icount/callgrind/installed_valgrind.h"
#include "icount/harness/build.h"
#include "icount/harness/compile.h"
#include "icount/harness/elf_file.h"
#include "icount/harness/libtorch_needs.h"
#include "icount/harness/lower_statement.h"
#include "icount/harness/stub_source.h"
#include "icount/timer/collect_batch.h"
#include "icount/timer/collect_python.h"
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
    for (StubPlan& plan : plan_stubs(statements_, {.isolate = options_.isolate})) {
      for (auto& unit : plan.units) std::erase_if(unit, [&](size_t member) { return !wanted(member); });
      std::erase_if(plan.units, [](const auto& unit) { return unit.empty(); });
      if (plan.units.empty()) continue;
      for (const auto& unit : plan.units)
        for (const size_t member : unit) statements_[member].shares_unit = unit.size() > 1;
      const bool python = statements_[plan.units[0][0]].language == Language::kPython;
      python ? measure_python(plan) : measure(plan);
    }
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

  void measure(const StubPlan& plan) {
    size_t statements = 0;
    for (const auto& unit : plan.units) statements += unit.size();
    const Toolchain& toolchain = toolchain_for(plan.torch);
    BuildOptions build;
    build.jobs = options_.jobs;
    build.cancelled = options_.cancelled;
    build.on_progress = [&](const std::string& text) { say(options_, CollectProgress::Stage::kHeader, text, 1); };
    say(options_, CollectProgress::Stage::kCompile, "compiling " + counted(statements, "statement"), plan.units.size());
    BuildOutcome built;
    try {
      built = build_stub(statements_, plan, toolchain, cache_, build);
    } catch (const Error&) {
      if (!options_.cancelled || !options_.cancelled()) throw;
      for (const auto& unit : plan.units)
        for (const size_t member : unit) fail(member, CollectStatus::kCancelled, "interrupted", {});
      return;
    }
    for (const BuildFailure& failure : built.failures) {
      if (needs_.wants_second_build(failure.statement, failure.details)) continue;
      const std::string missing = needs_.explain_failure(failure.statement, failure.details);
      fail(failure.statement, CollectStatus::kCompileError, missing.empty() ? failure.error : missing, failure.details);
    }
    keep_source(plan);
    if (built.statements.empty()) return;
    say(options_, CollectProgress::Stage::kMeasure, "counting " + counted(built.statements.size(), "statement"),
        built.statements.size());
    ServerProgram server{.program = {built.executable.string()}, .object = built.executable.string()};
    server.file = std::filesystem::canonical(built.executable).string();
    if ((plan.torch || options_.server.plain) &&
        may_use_warm_server(options_, built.statements.size() * static_cast<size_t>(options_.repeats)))
      server.warm = make_warm_program(toolchain, build);
    StatementFileRecorder files({built.executable, built.objects, toolchain, cache_.root(),
                                 apply_pins(options_.pins, options_.environment).environment});
    run_collect_batch(
        {statements_, built.statements, server, toolchain, valgrind_, options_, options_.keep_files ? &files : nullptr},
        results_);
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
