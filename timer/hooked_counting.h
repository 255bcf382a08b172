// Runs a binary that runs all its cases by itself until each of them is measured: again behind a case that ends it, and
// once before for names where not all were asked for. Used by timer/count_hooked.
#pragma once

#include "icount/timer/bench_session.h"
#include "icount/timer/hooked_binary.h"

namespace icount {

/// Fills the results. Errors of count_bench.
void count_hooked(BenchSession& session, const HookedBinary& binary, BenchCount& count);

/// Labels of the cases, as the counted ones have them: the binary runs with each of its cases once.
BenchLabels list_hooked(BenchSession& session, const HookedBinary& binary);

/// Error{kUsage}: --filter matches no case.
[[noreturn]] void fail_no_match(const BenchSession& session);

}  // namespace icount
