#include "suite/batch.h"

#include <fmt/format.h>

#include <exception>
#include <set>

#include "base/error.h"
#include "suite/collected_result.h"
#include "suite/model_artifacts.h"
#include "suite/python_torch.h"
#include "suite/suite_record.h"
#include "suite/work_order.h"

namespace icount {
namespace {

constexpr size_t kTopFunctions = 20;

bool may_go_better(CollectStatus status) { return status == CollectStatus::kTimedOut || status == CollectStatus::kServerLost; }

bool needs_python_torch(const Benchmark& benchmark) {
  return benchmark.model || (benchmark.timer_args.language == Language::kPython && benchmark.timer_args.torch);
}

/// One run: which benchmarks still need a result, and where results go.
class BatchRun {
 public:
  BatchRun(std::span<const Benchmark> benchmarks, const BatchOptions& options, const CollectFunction& collect)
      : benchmarks_(benchmarks), options_(options), collect_(collect), collect_options_(options.collect) {
    collect_options_.on_progress = [this](const CollectProgress& progress) { say(progress); };
    collect_options_.cancelled = [this] { return stopped(); };
    progress_.total = benchmarks.size();
  }

  BatchSummary run() {
    std::vector<size_t> runnable = prepare();
    for (bool python : {false, true}) {
      std::vector<size_t> group;
      for (size_t i : runnable) {
        if ((benchmarks_[i].timer_args.language == Language::kPython) == python) group.push_back(i);
      }
      if (!group.empty() && !stopped()) run_group(group);
    }
    if (tool_failure_ && summary_.done + summary_.failed == 0) std::rethrow_exception(tool_failure_);
    for (const auto& [index, message] : held_back_) emit(index, make_failed_result(benchmarks_[index].timer_args, "tool-failed", message));
    rethrow_sink_failure();
    size_t told = summary_.done + summary_.failed + summary_.skipped;
    summary_.cancelled = told < benchmarks_.size();
    return summary_;
  }

 private:
  bool stopped() const { return sink_failure_ || (options_.cancelled && options_.cancelled()); }

  /// Skips what can't be run here; the indices of the others.
  std::vector<size_t> prepare() {
    std::vector<size_t> runnable;
    std::string no_python;
    ModelFailures failures = prepare_python(no_python);
    for (size_t i = 0; i < benchmarks_.size(); ++i) {
      const Benchmark& benchmark = benchmarks_[i];
      std::string why;
      if (needs_python_torch(benchmark)) why = no_python;
      if (why.empty() && benchmark.model) {
        auto failure = failures.find(benchmark.model->path);
        if (failure != failures.end()) why = failure->second;
      }
      if (why.empty()) runnable.push_back(i);
      else emit(i, make_failed_result(benchmark.timer_args, "skipped", why));
    }
    rethrow_sink_failure();
    return runnable;
  }

  ModelFailures prepare_python(std::string& no_python) {
    bool needed = false;
    for (const Benchmark& benchmark : benchmarks_) needed = needed || needs_python_torch(benchmark);
    if (!needed) return {};
    auto found = probe_python_torch(collect_options_.toolchain, collect_options_.environment);
    if (const std::string* why = std::get_if<std::string>(&found)) {
      no_python = *why;
      return {};
    }
    const PythonTorch& python = std::get<PythonTorch>(found);
    collect_options_.toolchain.python = python.python.string();
    return save_models(benchmarks_, python, collect_options_.environment, [this] { return stopped(); });
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
      if (!last && may_go_better(collected.status)) again.push_back(index);
      else emit(index, make_result(benchmarks_[index].timer_args, collected));
    };
    collect_options_.on_result = take;
    for (const CollectResult& collected : collect_(statements, collect_options_)) take(collected);
    return again;
  }

  /// A toolchain that fails as a whole: its benchmarks are told at the end, when it is known whether others ran.
  void hold_back(const std::vector<size_t>& pending, const Error& error) {
    tool_failure_ = std::current_exception();
    for (size_t i : pending) {
      if (!emitted_.contains(i)) held_back_.emplace_back(i, error.what());
    }
  }

  void emit(size_t index, Result result) {
    if (sink_failure_ || !emitted_.insert(index).second) return;
    result.extra = record_text({work_order_key(benchmarks_[index]), static_cast<int64_t>(benchmarks_[index].position), 0});
    if (!options_.keep_graphs && result.graph) {
      result.top = top_functions(*result.graph, kTopFunctions);
      result.graph = nullptr;
      result.stacks = nullptr;
    }
    if (result.ok()) ++summary_.done;
    else if (result.status == "skipped") ++summary_.skipped;
    else ++summary_.failed;
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
    progress_.stage = progress.stage == CollectProgress::Stage::kMeasure ? "" : progress.text;
    options_.on_progress(progress_);
  }

  void rethrow_sink_failure() {
    if (sink_failure_) std::rethrow_exception(sink_failure_);
  }

  std::span<const Benchmark> benchmarks_;
  const BatchOptions& options_;
  const CollectFunction& collect_;
  CollectOptions collect_options_;
  BatchProgress progress_;
  BatchSummary summary_;
  std::set<size_t> emitted_;
  std::vector<std::pair<size_t, std::string>> held_back_;
  std::exception_ptr tool_failure_;
  std::exception_ptr sink_failure_;
};

}  // namespace

BatchSummary run_batch(std::span<const Benchmark> benchmarks, const BatchOptions& options, const CollectFunction& collect) {
  return BatchRun(benchmarks, options, collect).run();
}

}  // namespace icount
