// Which benchmark framework an executable has, by its symbols, and whether its functions can be hooked. Reads
// harness/elf_symbols.h; timer/count_bench asks.
#pragma once

#include <filesystem>
#include <string_view>

#include "icount/harness/elf_symbols.h"

namespace icount {

enum class BenchFramework { kGoogleBenchmark, kCatch2, kNanobench, kFunctions };

/// "google-benchmark", "catch2", "nanobench", "functions": as JSON and fingerprints have it.
std::string_view to_text(BenchFramework framework);

/// The framework of the benchmarks in `symbols`. Error{kCannotJudge} that says why there is none that could be counted
/// and what to change: no framework known by icount, a static or stripped program, functions that were inlined.
BenchFramework find_framework(const ElfSymbols& symbols, const std::filesystem::path& binary);

}  // namespace icount
