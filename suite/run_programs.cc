#include "icount/suite/run_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/parallel.h"
#include "icount/timer/case_memory.h"
#include "icount/timer/program_results.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

using Clock = std::chrono::steady_clock;

/// A run and the benchmarks that are read from it.
struct SharedRun {
  const ProgramRun* run = nullptr;
  std::vector<size_t> benchmarks;
};

std::vector<SharedRun> shared_runs(std::span<const Benchmark> benchmarks, const std::vector<size_t>& chosen) {
  std::vector<SharedRun> runs;
  for (const size_t i : chosen) {
    const ProgramRun& run = benchmarks[i].program->run;
    // Regions of one run stand beside each other; a later equal one is a run of its own.
    if (!runs.empty() && *runs.back().run == run)
      runs.back().benchmarks.push_back(i);
    else
      runs.push_back({&run, {i}});
  }
  return runs;
}

class ProgramRunner {
 public:
  ProgramRunner(std::span<const Benchmark> benchmarks, const RunProgramsOptions& options, const CountProgram& count)
      : benchmarks_(benchmarks), options_(options), count_(count) {}

  void run(const std::vector<SharedRun>& runs) {
    run_parallel(runs.size(), options_.collect.jobs, [&](size_t i) {
      if (!options_.stopped()) measure(runs[i]);
    });
  }

 private:
  ProgramCountOptions count_options(const ProgramRun& run) const {
    const CollectOptions& collect = options_.collect;
    ProgramCountOptions count;
    count.pins = collect.pins;
    count.environment = collect.environment;
    count.extra_environment = run.environment;
    count.working_dir = run.folder;
    count.time_limit = run.timeout_s ? Seconds(*run.timeout_s) : collect.time_limit;
    count.keep_lines = collect.keep_lines;
    count.keep_insides = collect.keep_insides;
    count.stacks = collect.stacks;
    count.callgrind_options = collect.callgrind_options;
    count.within = run.within;
    count.record_sources = collect.keep_files;
    if (!run.input.empty()) count.input_file = fs::absolute(run.folder / run.input);
    count.cancelled = options_.stopped;
    return count;
  }

  void measure(const SharedRun& shared) {
    const ProgramRun& run = *shared.run;
    std::vector<ProgramCount> counted;
    const Clock::time_point start = Clock::now();
    try {
      for (int repeat = 0; repeat < options_.collect.repeats; ++repeat) {
        counted.push_back(count_(run.command, count_options(run)));
        if (!ended_with(counted.back().outcome, run.exit_code)) break;
      }
    } catch (const Error& error) {
      if (options_.stopped()) return;
      const Seconds limit = count_options(run).time_limit;
      const bool late = limit.count() > 0 && Clock::now() - start >= limit;
      for (const size_t i : shared.benchmarks)
        options_.on_result(i, failed(i, late ? "timed-out" : "tool-failed", error.what()), {});
      return;
    }
    if (options_.stopped()) return;
    ProgramMemory memory;
    if (options_.memory && ended_with(counted.back().outcome, run.exit_code)) {
      try {
        memory = measure_memory(run.command, count_options(run), counted.back(), run.exit_code);
      } catch (const Error& error) {
        memory.unknown = error.what();
      }
    }
    if (options_.stopped()) return;
    StatementFiles files;
    for (const ProgramCount& count : counted) files.add(count.sources);
    const std::string output = counted.back().outcome.errors + counted.back().outcome.output;
    ProgramResults results = make_program_results(run.command, std::move(counted), true, run.exit_code);
    if (memory.use) add_memory_figures(*memory.use, results.whole);
    if (!memory.unknown.empty()) results.whole.notes.push_back(memory.unknown);
    for (const size_t i : shared.benchmarks) options_.on_result(i, result_of(i, results, output), files);
  }

  Result result_of(size_t i, const ProgramResults& results, const std::string& output) const {
    const std::string& region = benchmarks_[i].program->region;
    const Result* found = &results.whole;
    if (!region.empty()) {
      const auto at = std::find_if(results.regions.begin(), results.regions.end(),
                                   [&](const Result& result) { return result.label.back() == region; });
      if (at == results.regions.end() && results.whole.ok()) return no_region(i, results);
      if (at != results.regions.end()) found = &*at;
    }
    Result result = *found;
    result.label = benchmarks_[i].timer_args.label;
    if (!result.ok()) {
      constexpr size_t kMostOutput = 4000;
      result.details = output.size() > kMostOutput ? output.substr(output.size() - kMostOutput) : output;
      result.counts.clear();
      result.graph = nullptr;
      result.stacks = nullptr;
      result.processes.clear();
    }
    return result;
  }

  Result no_region(size_t i, const ProgramResults& results) const {
    std::vector<std::string> names;
    for (const Result& result : results.regions) names.push_back(result.label.back());
    return failed(
        i, "no-region",
        fmt::format("the program did not name the region \"{}\" (icount/region.h){}", benchmarks_[i].program->region,
                    names.empty() ? ", nor any other" : fmt::format("; it named {}", fmt::join(names, ", "))));
  }

  Result failed(size_t i, std::string_view status, std::string_view error) const {
    Result result;
    result.label = benchmarks_[i].timer_args.label;
    result.task.program = benchmarks_[i].program->run.command;
    result.task.language = "program";
    result.status = status;
    result.error = error;
    return result;
  }

  std::span<const Benchmark> benchmarks_;
  const RunProgramsOptions& options_;
  const CountProgram& count_;
};

}  // namespace

void run_programs(std::span<const Benchmark> benchmarks, const std::vector<size_t>& chosen,
                  const RunProgramsOptions& options, const CountProgram& count) {
  if (!chosen.empty()) ProgramRunner(benchmarks, options, count).run(shared_runs(benchmarks, chosen));
}

}  // namespace icount
