#include "icount/suite/batch.h"

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>
#include <set>

#include "icount/base/error.h"
#include "icount/base/parallel.h"
#include "icount/base/text.h"
#include "icount/suite/python_torch.h"
#include "icount/suite/run_programs.h"
#include "icount/suite/suite_record.h"
#include "icount/suite/work_order.h"
#include "icount/timer/count_results.h"

namespace icount {
namespace {

constexpr size_t kTopFunctions = 20;

bool may_go_better(CollectStatus status) {
  return status == CollectStatus::kTimedOut || status == CollectStatus::kServerLost;
}

bool is_python(const Benchmark& benchmark) { return benchmark.timer_args.language == Language::kPython; }

/// A model that is there already needs no Python any more.
bool needs_python_torch(const Benchmark& benchmark) {
  if (is_python(benchmark) && benchmark.timer_args.torch) return true;
  return benchmark.model && !std::filesystem::exists(benchmark.model->path);
}

/// One run: which benchmarks still need a result, and where results go.
class BatchRun {
 public:
  BatchRun(std::span<const Benchmark> benchmarks, const BatchOptions& options, const CollectFunction& collect)
      : benchmarks_(benchmarks), options_(options), collect_(collect), toolchain_(options.collect.toolchain) {
    progress_.total = benchmarks.size();
  }

  BatchSummary run() {
    const std::vector<size_t> runnable = prepare();
    std::vector<size_t> python, others, programs, benches;
    for (size_t i : runnable)
      (benchmarks_[i].program      ? programs
       : benchmarks_[i].bench      ? benches
       : is_python(benchmarks_[i]) ? python
                                   : others)
          .push_back(i);
    run_side_by_side(others, python);
    run_others(programs, [&](const RunProgramsOptions& how) { run_programs(benchmarks_, programs, how); });
    run_others(benches, [&](const RunProgramsOptions& how) { run_benches(benchmarks_, benches, how); });
    if (tool_failure_ && summary_.done + summary_.failed == 0) std::rethrow_exception(tool_failure_);
    for (const auto& [index, message] : held_back_)
      emit(index, make_failed_result(benchmarks_[index].timer_args, "tool-failed", message));
    rethrow_sink_failure();
    size_t told = summary_.done + summary_.failed + summary_.skipped;
    summary_.cancelled = told < benchmarks_.size();
    return summary_;
  }

 private:
  bool stopped() {
    const std::lock_guard lock(mutex_);
    return sink_failure_ || other_failure_ || (options_.cancelled && options_.cancelled());
  }

  /// Two servers: the start of one, which keeps a single core busy, overlaps the compiler and the children of the
  /// other.
  void run_side_by_side(const std::vector<size_t>& others, const std::vector<size_t>& python) {
    if (!others.empty() && !python.empty()) {
      running_ = std::make_shared<std::atomic<int>>(0);
      run_parallel(2, 2, [&](size_t i) { run_guarded(i == 0 ? others : python); });
    } else {
      run_guarded(python);
      run_guarded(others);
    }
    rethrow_sink_failure();
    if (other_failure_) std::rethrow_exception(other_failure_);
  }

  /// After the statements, so that --jobs is what runs at any time.
  template <typename Run>
  void run_others(const std::vector<size_t>& chosen, Run run) {
    if (chosen.empty() || stopped()) return;
    RunProgramsOptions how;
    how.collect = options_.collect;
    how.memory = options_.memory;
    how.collect.keep_files = options_.identities != nullptr;
    how.on_result = [&](size_t index, Result result, const StatementFiles& files) {
      emit(index, std::move(result), files);
    };
    how.stopped = [this] { return stopped(); };
    run(how);
    rethrow_sink_failure();
  }

  /// No exception leaves a thread; it ends the other group too.
  void run_guarded(const std::vector<size_t>& group) {
    try {
      if (!group.empty() && !stopped()) run_group(group);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!sink_failure_ && !other_failure_) other_failure_ = std::current_exception();
    }
  }

  /// Skips what can't be run here; the indices of the others.
  std::vector<size_t> prepare() {
    std::vector<size_t> runnable;
    std::string no_python;
    // Before anything runs: a program may write to the very file that it reads.
    if (options_.identities)
      for (const Benchmark& benchmark : benchmarks_) options_.identities->of(benchmark);
    ModelFailures failures = prepare_python(no_python);
    for (size_t i = 0; i < benchmarks_.size(); ++i) {
      const Benchmark& benchmark = benchmarks_[i];
      std::string why;
      if (needs_python_torch(benchmark)) why = no_python;
      if (why.empty() && benchmark.model) {
        auto failure = failures.find(benchmark.model->path);
        if (failure != failures.end()) why = failure->second;
      }
      if (why.empty())
        runnable.push_back(i);
      else
        emit(i, make_failed_result(benchmark.timer_args, "skipped", why));
    }
    rethrow_sink_failure();
    return runnable;
  }

  ModelFailures prepare_python(std::string& no_python) {
    bool needed = false;
    for (const Benchmark& benchmark : benchmarks_) needed = needed || needs_python_torch(benchmark);
    if (!needed) return {};
    auto found = probe_python_torch(toolchain_, options_.collect.environment);
    if (const std::string* why = std::get_if<std::string>(&found)) {
      no_python = *why;
      return {};
    }
    const PythonTorch& python = std::get<PythonTorch>(found);
    toolchain_.python = python.python.string();
    return save_models(benchmarks_, python, options_.collect.environment, [this] { return stopped(); });
  }

  void run_group(std::vector<size_t> pending) {
    for (int attempt = 0; !pending.empty() && !stopped(); ++attempt) {
      const bool last = attempt >= options_.retries;
      std::vector<size_t> again;
      try {
        again = collect_once(pending, last);
      } catch (const Error& error) {
        rethrow_sink_failure();
        if (error.kind() != ErrorKind::kTool) throw;
        hold_back(pending, error);
        return;
      }
      rethrow_sink_failure();
      pending = std::move(again);
    }
  }

  /// One collection; the benchmarks worth another attempt.
  std::vector<size_t> collect_once(const std::vector<size_t>& pending, bool last) {
    std::vector<TimerArgs> statements;
    for (size_t i : pending) statements.push_back(benchmarks_[i].timer_args);
    std::vector<size_t> again;
    std::set<size_t> told;
    auto take = [&](const CollectResult& collected) {
      if (!told.insert(collected.index).second || collected.status == CollectStatus::kCancelled) return;
      size_t index = pending.at(collected.index);
      if (!last && may_go_better(collected.status))
        again.push_back(index);
      else
        emit(index, make_result(benchmarks_[index].timer_args, collected), collected.files);
    };
    CollectOptions collect = options_.collect;
    collect.keep_files = options_.identities != nullptr;
    collect.toolchain = toolchain_;
    collect.running = running_;
    collect.on_result = take;
    collect.on_progress = [this](const CollectProgress& progress) { say(progress); };
    collect.cancelled = [this] { return stopped(); };
    for (const CollectResult& collected : collect_(statements, collect)) take(collected);
    return again;
  }

  /// A toolchain that fails as a whole: its benchmarks are told at the end, when it is known whether others ran.
  void hold_back(const std::vector<size_t>& pending, const Error& error) {
    const std::lock_guard lock(mutex_);
    tool_failure_ = std::current_exception();
    for (size_t i : pending) {
      if (!emitted_.contains(i)) held_back_.emplace_back(i, error.what());
    }
  }

  void emit(size_t index, Result result, const StatementFiles& files = {}) {
    SuiteRecord record{work_order_key(benchmarks_[index]), static_cast<int64_t>(benchmarks_[index].position), 0};
    if (options_.identities && result.ok()) {
      const std::lock_guard lock(mutex_);
      record.code = options_.identities->of_measured(benchmarks_[index], result, files);
    }
    if (!options_.keep_graphs && result.graph) {
      result.top = top_functions(*result.graph, kTopFunctions);
      result.graph = nullptr;
      result.stacks = nullptr;
      result.python_calls = nullptr;
    }
    const std::lock_guard lock(mutex_);
    if (sink_failure_ || !emitted_.insert(index).second) return;
    result.extra = record_text(record);
    if (result.ok())
      ++summary_.done;
    else if (result.is_left_out())
      ++summary_.skipped;
    else
      ++summary_.failed;
    progress_.done = emitted_.size();
    progress_.failed = summary_.failed;
    progress_.label = result_key(result);
    progress_.stage.clear();
    // An exception must not pass through the collection, which may be holding processes.
    try {
      if (options_.on_result) options_.on_result(result);
      if (options_.on_progress) options_.on_progress(progress_);
    } catch (...) {
      sink_failure_ = std::current_exception();
    }
  }

  void say(const CollectProgress& progress) {
    if (!options_.on_progress) return;
    const std::lock_guard lock(mutex_);
    progress_.stage = progress.stage == CollectProgress::Stage::kMeasure ? "" : progress.text;
    options_.on_progress(progress_);
  }

  void rethrow_sink_failure() {
    const std::lock_guard lock(mutex_);
    if (sink_failure_) std::rethrow_exception(sink_failure_);
  }

  std::span<const Benchmark> benchmarks_;
  const BatchOptions& options_;
  const CollectFunction& collect_;
  ToolchainOptions toolchain_;
  std::shared_ptr<std::atomic<int>> running_;  ///< children of both servers where there are two
  std::mutex mutex_;                           // everything below
  BatchProgress progress_;
  BatchSummary summary_;
  std::set<size_t> emitted_;
  std::vector<std::pair<size_t, std::string>> held_back_;
  std::exception_ptr tool_failure_;
  std::exception_ptr sink_failure_;
  std::exception_ptr other_failure_;
};

}  // namespace

BatchSummary run_batch(std::span<const Benchmark> benchmarks, const BatchOptions& options,
                       const CollectFunction& collect) {
  return BatchRun(benchmarks, options, collect).run();
}

namespace {

constexpr size_t kEnoughForARate = 5;

}  // namespace

std::string duration_text(Seconds duration) {
  int64_t seconds = static_cast<int64_t>(std::ceil(duration.count()));
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {} min", seconds / 3600, (seconds % 3600 + 59) / 60);
}

std::string progress_text(const BatchProgress& progress, Seconds elapsed, size_t width) {
  const std::string total = fmt::format("{}", progress.total);
  std::string line = fmt::format("{:>{}}/{}", progress.done, total.size(), total);
  if (progress.failed > 0) line += fmt::format(", {} failed", progress.failed);
  if (progress.done >= kEnoughForARate && elapsed.count() > 0) {
    double rate = static_cast<double>(progress.done) / elapsed.count();
    line += rate >= 1 ? fmt::format(", {:.1f} per second", rate) : fmt::format(", {:.1f} s each", 1 / rate);
    if (progress.done < progress.total) {
      line += fmt::format(", about {} to go",
                          duration_text(Seconds(static_cast<double>(progress.total - progress.done) / rate)));
    }
  }
  const std::string& doing = progress.stage.empty() ? progress.label : progress.stage;
  if (!doing.empty()) line += ": " + doing;
  line = escape_for_terminal(line);
  return width == 0 ? line : shorten_middle(line, width);
}

}  // namespace icount
