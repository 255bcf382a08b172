// The tests of a CMake build folder as programs: what `ctest --show-only=json-v1` lists -> a Result for each. Used by
// `icount tests --ctest`.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "icount/stats/result.h"
#include "icount/suite/expand.h"
#include "icount/suite/run_programs.h"

namespace icount {

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
