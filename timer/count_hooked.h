// Counts the cases of a binary that runs all of them by itself: Catch2, nanobench, and plain functions, which the hooks
// call in place of main. Used by timer/count_bench.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "icount/harness/elf_symbols.h"
#include "icount/timer/bench_session.h"

namespace icount {

/// Fills the results. Errors of count_bench.
void count_catch2(BenchSession& session, BenchCount& count);
void count_nanobench(BenchSession& session, BenchCount& count);

/// Labels of the cases, as the counted ones have them.
std::vector<std::vector<std::string>> list_catch2(BenchSession& session);
std::vector<std::vector<std::string>> list_nanobench(BenchSession& session);
std::vector<std::vector<std::string>> list_functions(BenchSession& session, const ElfSymbols& symbols);

/// Functions without parameters whose name, as people write it, matches BenchOptions::functions. Error{kUsage} when
/// none does.
void count_functions(BenchSession& session, const ElfSymbols& symbols, BenchCount& count);

/// Test case and benchmark of each benchmark in Catch2's XML report, in order; the report may be cut off.
std::vector<std::vector<std::string>> parse_catch_names(std::string_view xml);

/// A pattern with * and ? against a whole name.
bool matches_pattern(std::string_view pattern, std::string_view name);

}  // namespace icount
