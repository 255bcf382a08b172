// Counts the cases of a binary that runs all of them by itself: Catch2, nanobench, and plain functions, which the hooks
// call in place of main. Used by timer/count_bench.
#pragma once

#include "icount/harness/elf_symbols.h"
#include "icount/timer/bench_session.h"
#include "icount/timer/hooked_binary.h"

namespace icount {

/// Fills the results. Errors of count_bench.
void count_catch2(BenchSession& session, BenchCount& count);
void count_nanobench(BenchSession& session, BenchCount& count);

/// Labels of the cases, as the counted ones have them.
BenchLabels list_catch2(BenchSession& session);
BenchLabels list_nanobench(BenchSession& session);
BenchLabels list_functions(BenchSession& session, const ElfSymbols& symbols);

/// Functions without parameters whose name, as people write it, matches BenchOptions::functions. Error{kUsage} when
/// none does.
void count_functions(BenchSession& session, const ElfSymbols& symbols, BenchCount& count);

}  // namespace icount
