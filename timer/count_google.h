// Counts the cases of a binary with Google Benchmark. Used by timer/count_bench.
#pragma once

#include "icount/timer/bench_session.h"

namespace icount {

/// Fills results, refused cases (more than one thread) and complexities. Errors of count_bench.
void count_google(BenchSession& session, BenchCount& count);
/// Its cases. Errors of list_bench.
BenchList list_google(BenchSession& session);

}  // namespace icount
