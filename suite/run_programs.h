// Measures the programs of a suite: each distinct run once per repeat, however many regions are read from it, several
// runs at the same time. suite/batch.cc calls it beside the statements.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "icount/stats/result.h"
#include "icount/suite/expand.h"
#include "icount/timer/collect_callgrind.h"
#include "icount/timer/count_program.h"

namespace icount {

/// What count_program is; a parameter so that tests need no Valgrind. Called from several threads.
using CountProgram = std::function<ProgramCount(const std::vector<std::string>&, const ProgramCountOptions&)>;

struct RunProgramsOptions {
  CollectOptions collect;  ///< repeats, jobs, time_limit, pins, stacks, keep_lines, environment, callgrind_options
  bool memory = false;     ///< bytes and peak of whole programs, too (timer/case_memory.h)
  std::function<void(size_t, Result, const StatementFiles&)>
      on_result;  ///< index into the benchmarks; from several threads
  std::function<bool()> stopped;
};

/// `benchmarks[i]` for i in `chosen` have programs. A program that can't be counted is a result that says why, for
/// every benchmark that is read from it: "exited", "crashed", "timed-out", "tool-failed" (no such program, no such
/// function of `within`, no Valgrind), "no-region" (the program did not name it).
void run_programs(std::span<const Benchmark> benchmarks, const std::vector<size_t>& chosen,
                  const RunProgramsOptions& options, const CountProgram& count = count_program);

}  // namespace icount
