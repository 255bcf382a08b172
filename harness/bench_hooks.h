// The library of hooks (harness/hooks) that is preloaded into a benchmark binary, compiled once per compiler and kept
// in the build cache. timer/bench_run loads it.
#pragma once

#include <filesystem>

#include "icount/harness/build_cache.h"
#include "icount/harness/toolchain.h"

namespace icount {

/// Raised when the same benchmark counts otherwise than with the hooks before: part of every fingerprint.
inline constexpr int kBenchHooksVersion = 2;

/// Path of the shared object. Error{kTool} with the compiler's message when it does not compile (no Valgrind headers).
std::filesystem::path build_bench_hooks(const Compiler& compiler, BuildCache& cache);

}  // namespace icount
