// What rows that select runs are compared with: a hash over a run's row, and one over its commit's, written with them.
// A run's identity covers its results; branch, name, times, parents and subject are covered by these. Pure;
// store/run_rows.cc reads and writes them.
#pragma once

#include <string>
#include <string_view>

#include "icount/store/history.h"

namespace icount {

/// Of hash, parents, time and subject.
std::string commit_seal(const CommitInfo& commit);

/// Of everything in RunInfo but its damage, the commit by its hash, and of the run's identity.
std::string run_seal(const RunInfo& run, std::string_view identity);

/// Hashes of parents as a row of commits has them.
std::string join_parents(const CommitInfo& commit);

}  // namespace icount
