// Measures the programs of a suite, each distinct run once per repeat, however many regions are read from it, and the
// cases of its benchmark binaries, one count of a binary for all of its chosen cases; several runs at the same time.
// suite/batch.cc calls it beside the statements.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/stats/result.h"
#include "icount/suite/expand.h"
#include "icount/timer/collect_callgrind.h"
#include "icount/timer/count_bench.h"
#include "icount/timer/count_program.h"

namespace icount {

/// What count_program is; a parameter so that tests need no Valgrind. Called from several threads.
using CountProgram = std::function<ProgramCount(const std::vector<std::string>&, const ProgramCountOptions&)>;

struct RunProgramsOptions {
  CollectOptions collect;  ///< repeats, jobs, time_limit, pins, environment, callgrind_options; of programs keep_lines
                           ///< and stacks, of binaries toolchain
  bool memory = false;     ///< bytes and peak of whole programs and cases, too (timer/case_memory.h)
  std::function<void(size_t, Result, const StatementFiles&)>
      on_result;  ///< index into the benchmarks; from several threads
  std::function<bool()> stopped;
};

/// `benchmarks[i]` for i in `chosen` have programs. A program that can't be counted is a result that says why, for
/// every benchmark that is read from it: "exited", "crashed", "timed-out", "tool-failed" (no such program, no such
/// function of `within`, no Valgrind), "no-region" (the program did not name it).
void run_programs(std::span<const Benchmark> benchmarks, const std::vector<size_t>& chosen,
                  const RunProgramsOptions& options, const CountProgram& count = count_program);

/// What count_bench is; a parameter so that tests need no Valgrind. Called from several threads.
using CountBench = std::function<BenchCount(const BenchOptions&)>;

/// `benchmarks[i]` for i in `chosen` are cases (suite/bench_cases.h). What can't be counted is a result that says why:
/// the statuses of `icount bench`, and "tool-failed" for a binary that can't be listed or counted as a whole.
void run_benches(std::span<const Benchmark> benchmarks, const std::vector<size_t>& chosen,
                 const RunProgramsOptions& options, const CountBench& count = count_bench);

// The tests of a CMake build folder as programs: what `ctest --show-only=json-v1` lists -> a Result for each. Used by
// `icount tests --ctest`.

struct CtestPrograms {
  std::vector<Benchmark> benchmarks;  ///< with programs, labelled by the tests' names
  std::vector<RefusedCase> refused;   ///< disabled ones, those not built, and those that pass by another rule
};

/// Error{kMalformed} naming `name` for other JSON.
CtestPrograms parse_ctest(std::string_view json, std::string_view name);

/// Runs ctest for the list. Error{kTool} when it fails, Error{kCannotJudge} for a folder without tests.
CtestPrograms load_ctest(const std::filesystem::path& build_folder, const Environment& environment);

/// Each program as a whole, in the order of the list. `options` without on_result.
BenchCount count_ctest(const CtestPrograms& programs, RunProgramsOptions options,
                       const CountProgram& count = count_program);

}  // namespace icount
