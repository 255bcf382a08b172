#include "icount/suite/run_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <type_traits>

#include "icount/base/error.h"
#include "icount/base/json.h"
#include "icount/base/parallel.h"
#include "icount/base/process.h"
#include "icount/base/text.h"
#include "icount/suite/bench_cases.h"
#include "icount/timer/case_memory.h"
#include "icount/timer/count_results.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

using Clock = std::chrono::steady_clock;

/// A run of a program or a binary, and the benchmarks that are read from it.
template <typename Run>
struct SharedRun {
  const Run* run = nullptr;
  std::vector<size_t> benchmarks;
};

/// Measures each run, `run_of` a benchmark, once. Equal ones beside each other are one; a later one is a run of its
/// own.
template <typename RunOf, typename Measure>
void measure_runs(const std::vector<size_t>& chosen, const RunProgramsOptions& options, RunOf run_of, Measure measure) {
  std::vector<SharedRun<std::remove_cvref_t<decltype(run_of(0))>>> runs;
  for (const size_t i : chosen) {
    const auto& run = run_of(i);
    if (!runs.empty() && *runs.back().run == run)
      runs.back().benchmarks.push_back(i);
    else
      runs.push_back({&run, {i}});
  }
  run_parallel(runs.size(), options.collect.jobs, [&](size_t i) {
    if (!options.stopped()) measure(runs[i]);
  });
}

Result failed(const Benchmark& benchmark, std::string_view status, std::string_view error) {
  Result result;
  result.label = benchmark.timer_args.label;
  if (benchmark.program)
    result.task.program = benchmark.program->run.command;
  else
    result.task.stmt = benchmark.timer_args.label.back();
  result.task.language = "program";
  result.status = status;
  result.error = error;
  return result;
}

class ProgramRunner {
 public:
  ProgramRunner(std::span<const Benchmark> benchmarks, const RunProgramsOptions& options, const CountProgram& count)
      : benchmarks_(benchmarks), options_(options), count_(count) {}

  void measure(const SharedRun<ProgramRun>& shared) {
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
        options_.on_result(i, failed(benchmarks_[i], late ? "timed-out" : "tool-failed", error.what()), {});
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
        benchmarks_[i], "no-region",
        fmt::format("the program did not name the region \"{}\" (icount/region.h){}", benchmarks_[i].program->region,
                    names.empty() ? ", nor any other" : fmt::format("; it named {}", fmt::join(names, ", "))));
  }

  std::span<const Benchmark> benchmarks_;
  const RunProgramsOptions& options_;
  const CountProgram& count_;
};

class BenchRunner {
 public:
  BenchRunner(std::span<const Benchmark> benchmarks, const RunProgramsOptions& options, const CountBench& count)
      : benchmarks_(benchmarks), options_(options), count_(count) {}

  void measure(const SharedRun<BenchBinary>& run) {
    const std::string& failure = benchmarks_[run.benchmarks[0]].bench->failure;
    if (!failure.empty()) return fail(run, failure);
    BenchCount counted;
    try {
      counted = count_(count_options(run));
    } catch (const Error& error) {
      if (!options_.stopped()) fail(run, error.what());
      return;
    }
    if (options_.stopped()) return;
    for (const size_t i : run.benchmarks) {
      const auto found = std::find_if(counted.results.begin(), counted.results.end(), [&](const Result& result) {
        return result.label == benchmarks_[i].bench->case_label;
      });
      if (found == counted.results.end()) {
        options_.on_result(i, failed(benchmarks_[i], "tool-failed", "the binary listed this case and did not run it"),
                           {});
        continue;
      }
      Result result = std::move(*found);
      result.label = benchmarks_[i].timer_args.label;
      result.notes.insert(result.notes.end(), counted.notes.begin(), counted.notes.end());
      options_.on_result(i, std::move(result), {});
    }
  }

 private:
  BenchOptions count_options(const SharedRun<BenchBinary>& run) const {
    const CollectOptions& collect = options_.collect;
    BenchOptions count = bench_options(*run.run);
    for (const size_t i : run.benchmarks) count.only.push_back(benchmarks_[i].bench->case_label);
    constexpr int kLeastOfTests = 2;  // they tell whether a test can be judged
    count.repeats = run.run->kind == CaseKind::kTests ? std::max(collect.repeats, kLeastOfTests) : collect.repeats;
    count.time_limit = run.run->timeout_s ? Seconds(*run.run->timeout_s) : collect.time_limit;
    count.pins = collect.pins;
    count.memory = options_.memory;
    count.jumps = collect.keep_insides;
    count.environment = collect.environment;
    count.callgrind_options = collect.callgrind_options;
    count.toolchain = collect.toolchain;
    count.cancelled = options_.stopped;
    return count;
  }

  void fail(const SharedRun<BenchBinary>& run, const std::string& error) const {
    for (const size_t i : run.benchmarks) options_.on_result(i, failed(benchmarks_[i], "tool-failed", error), {});
  }

  std::span<const Benchmark> benchmarks_;
  const RunProgramsOptions& options_;
  const CountBench& count_;
};

}  // namespace

void run_programs(std::span<const Benchmark> benchmarks, const std::vector<size_t>& chosen,
                  const RunProgramsOptions& options, const CountProgram& count) {
  ProgramRunner runner(benchmarks, options, count);
  measure_runs(
      chosen, options, [&](size_t i) -> const ProgramRun& { return benchmarks[i].program->run; },
      [&](const auto& run) { runner.measure(run); });
}

void run_benches(std::span<const Benchmark> benchmarks, const std::vector<size_t>& chosen,
                 const RunProgramsOptions& options, const CountBench& count) {
  BenchRunner runner(benchmarks, options, count);
  measure_runs(
      chosen, options, [&](size_t i) -> const BenchBinary& { return benchmarks[i].bench->binary; },
      [&](const auto& run) { runner.measure(run); });
}

namespace {

std::vector<std::string> texts_of(const Json& value) {
  return value.is_string() ? std::vector{value.get<std::string>()} : value.get<std::vector<std::string>>();
}

/// Why the test is not counted; empty: it is.
std::string refusal_of(const Json& test) {
  if (!test.contains("command")) return "its program is not built";
  for (const Json& property : test.value("properties", Json::array())) {
    const std::string name = property.at("name");
    if (name == "DISABLED" && property.at("value") == true) return "it is disabled";
    if (name == "WILL_FAIL" && property.at("value") == true) return "it has to fail (WILL_FAIL)";
    if (name == "PASS_REGULAR_EXPRESSION" || name == "FAIL_REGULAR_EXPRESSION")
      return fmt::format("its output decides whether it passes ({})", name);
  }
  return {};
}

Benchmark benchmark_of(const Json& test) {
  Benchmark benchmark;
  benchmark.label = benchmark.timer_args.label = {test.at("name").get<std::string>()};
  ProgramRun& run = benchmark.program.emplace().run;
  run.command = test.at("command").get<std::vector<std::string>>();
  for (const Json& property : test.value("properties", Json::array())) {
    const std::string name = property.at("name");
    if (name == "WORKING_DIRECTORY") run.folder = property.at("value").get<std::string>();
    if (name == "ENVIRONMENT") run.environment = texts_of(property.at("value"));
    if (name == "TIMEOUT" && property.at("value").is_number() && property.at("value") > 0)
      run.timeout_s = 50 * property.at("value").get<double>();  // under Valgrind
  }
  return benchmark;
}

}  // namespace

CtestPrograms parse_ctest(std::string_view json, std::string_view name) {
  CtestPrograms programs;
  try {
    const Json list = parse_json(json, name);
    for (const Json& test : list.at("tests")) {
      if (std::string why = refusal_of(test); !why.empty())
        programs.refused.push_back({test.at("name").get<std::string>(), std::move(why)});
      else
        programs.benchmarks.push_back(benchmark_of(test));
    }
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::kMalformed,
                fmt::format("{}: not a list of tests as ctest writes it: {}", name, error.what()));
  }
  return programs;
}

CtestPrograms load_ctest(const std::filesystem::path& build_folder, const Environment& environment) {
  ProcessSpec ctest;
  ctest.argv = {"ctest", "--test-dir", build_folder.string(), "--show-only=json-v1"};
  ctest.environment = environment.block();
  const ProcessOutcome outcome = run_process(ctest);
  if (!outcome.ok())
    throw Error(ErrorKind::kTool, fmt::format("cannot list the tests of {} with ctest: {}: {}", build_folder.string(),
                                              describe_end(outcome), escape_for_terminal(trim(outcome.errors))));
  CtestPrograms programs = parse_ctest(outcome.output, fmt::format("the answer of ctest in {}", build_folder.string()));
  if (programs.benchmarks.empty() && programs.refused.empty())
    throw Error(ErrorKind::kCannotJudge,
                fmt::format("{} has no tests: ctest lists none; is it the build folder?", build_folder.string()));
  return programs;
}

BenchCount count_ctest(const CtestPrograms& programs, RunProgramsOptions options, const CountProgram& count) {
  BenchCount counted;
  counted.framework = "ctest";
  counted.refused = programs.refused;
  counted.results.resize(programs.benchmarks.size());
  std::vector<size_t> all(programs.benchmarks.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = i;
  std::mutex mutex;
  options.on_result = [&](size_t i, Result result, const StatementFiles&) {
    result.task.language = "ctest";
    classify_test(result);
    const std::lock_guard lock(mutex);
    counted.results[i] = std::move(result);
  };
  run_programs(programs.benchmarks, all, options, count);
  return counted;
}

}  // namespace icount
