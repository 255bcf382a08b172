// Of a result's conditions, those that belong to its run and not to the benchmark itself: what all results of one run
// share, whichever benchmarks they are of. Asked where results of several runs become one (suite/merge_shards) and
// where a run goes on (cli/suite_sink).
#pragma once

#include "icount/stats/fingerprint.h"
#include "icount/stats/result.h"

namespace icount {

/// `facts` of a statement without its unit. Programs and cases of benchmark binaries come from compilers of their own,
/// have an environment and an input of their own, start processes, and a case runs as often as its cost allows: of
/// theirs the rest.
Fingerprint run_facts(const Result& result, Fingerprint facts);

}  // namespace icount
