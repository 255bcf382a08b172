// The library of hooks (harness/hooks) that is preloaded into a benchmark binary, compiled once per compiler and kept
// in the build cache. timer/bench_run loads it.
#pragma once

#include <filesystem>
#include <string_view>

#include "icount/harness/build_cache.h"
#include "icount/harness/elf_file.h"
#include "icount/harness/toolchain.h"

namespace icount {

/// What the cases of a binary are.
enum class CaseKind { kBenchmarks, kTests };

/// Which framework an executable has, by its symbols, and whether its functions can be hooked.
enum class BenchFramework { kGoogleBenchmark, kCatch2, kNanobench, kFunctions, kGoogleTest, kCatch2Tests, kDoctest };

/// "google-benchmark", "catch2", "nanobench", "functions", "googletest", "catch2-tests", "doctest": as JSON and
/// fingerprints have it.
std::string_view to_text(BenchFramework framework);

/// The framework of the cases in `symbols`. Error{kCannotJudge} that says why there is none that could be counted and
/// what to change: no framework known by icount, a static or stripped program, functions that were inlined.
BenchFramework find_framework(const ElfSymbols& symbols, const std::filesystem::path& binary, CaseKind kind);

/// Raised when the same benchmark counts otherwise than with the hooks before: part of every fingerprint.
inline constexpr int kBenchHooksVersion = 2;

/// Path of the shared object. Error{kTool} with the compiler's message when it does not compile (no Valgrind headers).
std::filesystem::path build_bench_hooks(const Compiler& compiler, BuildCache& cache);

}  // namespace icount
